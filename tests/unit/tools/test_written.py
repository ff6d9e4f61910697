"""Programs that are still open for writing are waited for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.dev import written
from tools.dev.steps import Stop


def test_a_program_is_written_to_while_anybody_has_it_open_for_writing(tmp_path: Path) -> None:
    program = tmp_path / "tool"
    with program.open("wb"):
        assert written.is_written_to(program)
    assert not written.is_written_to(program)


def test_an_installation_that_never_ends_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(written, "PATIENCE_S", 0.0)
    program = tmp_path / "bin" / "tool"
    program.parent.mkdir()
    with program.open("wb"):
        program.chmod(0o755)
        with pytest.raises(Stop, match="tool is still being written to"):
            written.wait_until_written(tmp_path)
    written.wait_until_written(tmp_path)


def test_only_programs_are_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(written, "PATIENCE_S", 0.0)
    with (tmp_path / "notes.txt").open("wb"):
        written.wait_until_written(tmp_path)
