"""Settings from file, variables and options: the later wins, and mistakes are named by their place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from danlu.data.settings import load_settings
from danlu.domain.errors import Invalid


def mistakes(options: dict[str, Any], environ: dict[str, str]) -> list[str]:
    with pytest.raises(Invalid) as refused:
        load_settings(options, environ)
    return [
        f"{'.'.join(map(str, e.loc))}: {e.message}" + (f" ({e.hint})" if e.hint else "")
        for e in refused.value.errors
    ]


def settings_file(folder: Path, text: str) -> dict[str, str]:
    (folder / "danlu.toml").write_text(text)
    return {"DANLU_SETTINGS": str(folder / "danlu.toml")}


def test_options_win_over_variables_and_these_over_the_file(tmp_path: Path) -> None:
    environ = settings_file(tmp_path, 'port = 1\nhost = "127.0.0.2"\nengine = "simulated"')
    settings = load_settings(
        {"port": 3, "data": None}, {**environ, "DANLU_PORT": "2", "DANLU_HOST": "127.0.0.3"}
    )
    assert (settings.port, settings.host, settings.engine) == (3, "127.0.0.3", "simulated")


def test_a_mistake_is_named_by_the_place_it_was_made_in(tmp_path: Path) -> None:
    environ = settings_file(tmp_path, "prot = 1\ncode_limit = 5")
    assert mistakes({"engine": "docker"}, {**environ, "DANLU_PORT": "99999", "DANLU_PUBLIC_URL": "foo"}) == [
        "DANLU_PORT: 99999 is out of range: at most 65535",
        "DANLU_PUBLIC_URL: 'foo': an address is http://… or https://…, as people type it",
        "--engine: 'docker' is not one of local, simulated (choose from: local, simulated)",
        "danlu.toml.code_limit: 5 has no unit; write a size such as 512MiB, 64GiB or 100GB",
        "danlu.toml.prot: there is no key 'prot' here (did you mean 'port'?)",
    ]


def test_a_file_that_is_named_must_be_there_and_readable(tmp_path: Path) -> None:
    missing = str(tmp_path / "none.toml")
    assert mistakes({}, {"DANLU_SETTINGS": missing}) == [
        f"{missing}: cannot be read: No such file or directory"
    ]
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    assert "is not valid TOML" in mistakes({}, {"DANLU_SETTINGS": str(tmp_path / "bad.toml")})[0]


def test_a_misspelt_variable_is_caught_and_others_of_ours_are_left_alone() -> None:
    assert mistakes({}, {"DANLU_PROT": "1"}) == ["DANLU_PROT: is no setting (did you mean DANLU_PORT?)"]
    load_settings({}, {"DANLU_TOKEN": "x", "DANLU_RANK": "0", "DANLU_CONFIG_DIR": "/x"})
