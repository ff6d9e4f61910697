"""What a probe sees of files, versions and the settings file."""

from __future__ import annotations

import os
from pathlib import Path

import danlu
from danlu.data.probe import LocalProbe
from danlu.ports.system import PlaceKind


def look(tmp_path: Path, python: Path | None = None, settings: Path | None = None) -> dict[str, PlaceKind]:
    environ = {"DANLU_SETTINGS": str(settings or tmp_path / "none.toml")}
    return {place.path: place.kind for place in LocalProbe(tmp_path, python, environ).look().places}


def test_the_places_that_matter_are_looked_at(tmp_path: Path) -> None:
    (tmp_path / "secrets" / "clusters").mkdir(parents=True)
    (tmp_path / "secrets" / "clusters" / "k3s.json").touch()
    (tmp_path / "danlu.db-wal").touch()
    places = look(tmp_path)
    assert places[str(tmp_path)] is places[str(tmp_path / "danlu.db-wal")] is PlaceKind.DATA
    assert places[str(tmp_path / "secrets" / "clusters" / "k3s.json")] is PlaceKind.SECRET
    assert places[str(Path(danlu.__file__).resolve())] is PlaceKind.CODE
    assert places["/"] is PlaceKind.CODE
    assert PlaceKind.PYTHON in places.values()
    assert PlaceKind.SETTINGS not in places.values()


def test_a_python_of_its_own_is_looked_at_and_no_link_followed(tmp_path: Path) -> None:
    packages = tmp_path / "venv" / "lib" / "python3.11" / "site-packages"
    (packages / "torch").mkdir(parents=True)
    (tmp_path / "venv" / "bin").mkdir()
    (tmp_path / "venv" / ".lock").touch()
    (tmp_path / "venv" / "bin" / "python").symlink_to("/usr/bin/python3")
    places = look(tmp_path / "venv", tmp_path / "venv" / "bin" / "python")
    assert places[str(packages / "torch")] is PlaceKind.PYTHON
    assert str(tmp_path / "venv" / "bin" / "python") not in places
    assert str(tmp_path / "venv" / ".lock") not in places


def test_passwords_in_the_settings_file_are_named_not_told(tmp_path: Path) -> None:
    file = tmp_path / "danlu.toml"
    file.write_text(
        'database = "postgresql://danlu:xQ7zPw@db/danlu"\n[[oidc]]\nname = "lab"\nclient_secret = "vK9mTr"\n'
    )
    seen = LocalProbe(tmp_path, None, {"DANLU_SETTINGS": str(file)}).look()
    assert seen.settings_secrets == ("database", "oidc.client_secret")
    assert "xQ7zPw" not in repr(seen)
    assert "vK9mTr" not in repr(seen)
    file.write_text('database = "postgresql://db/danlu"\n')
    assert LocalProbe(tmp_path, None, {"DANLU_SETTINGS": str(file)}).look().settings_secrets == ()


def test_the_machine_itself(tmp_path: Path) -> None:
    seen = LocalProbe(tmp_path, None, {}).look()
    assert seen.uid == os.geteuid()
    assert seen.kernel is not None
    assert seen.kernel > (2, 6)
    assert 0 < seen.disk.free <= seen.disk.total
