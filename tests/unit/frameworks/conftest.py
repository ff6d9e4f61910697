"""A framework of a third party, as an installed package brings it along."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from danlu.frameworks.catalog import frameworks

Installer = Callable[[str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installer]:
    """Makes a package of a module's text, with an entry point to one thing in it."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def installed(text: str, target: str) -> None:
        module = target.partition(":")[0]
        (tmp_path / f"{module}.py").write_text(text)
        info = tmp_path / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[danlu.frameworks]\n{module} = {target}\n")
        frameworks.cache_clear()

    yield installed
    monkeypatch.undo()
    frameworks.cache_clear()
