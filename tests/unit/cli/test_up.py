"""`danlu up`: what is said when it is ready."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from danlu.bootstrap import Ready
from danlu.cli.system.up import _greet
from danlu.domain.isolation import Ability, IsolationForm, Lack, LackCause, TaskIsolation
from danlu.sdk.http import config

WEAK = TaskIsolation(
    IsolationForm.PROCESS, (Ability.CGROUP,), (Lack(Ability.SANDBOX, LackCause.NOT_INSTALLED),)
)
READY = Ready("http://127.0.0.1:8910", None, "danlu_secret", Path("/data"), ("n1",), WEAK, False)


def test_the_place_is_remembered(capsys: pytest.CaptureFixture[str]):
    _greet(READY)
    assert config.load().contexts["local"].token == "danlu_secret"
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("breakage", ["current: lab\n", None])
def test_a_configuration_that_cannot_be_kept_is_a_warning(
    capsys: pytest.CaptureFixture[str], breakage: str | None
):
    folder = Path(os.environ["DANLU_CONFIG_DIR"])
    if breakage is None:
        folder.write_text("a file where the folder should be")
    else:
        folder.mkdir()
        (folder / "config.toml").write_text(breakage)
    _greet(READY)
    said = capsys.readouterr()
    assert "Danlu is ready at http://127.0.0.1:8910" in said.out
    assert said.err.startswith(f"Warning: {folder / 'config.toml'}")
    assert "danlu_secret" not in said.out + said.err


@pytest.mark.parametrize(
    ("language", "form", "lack"),
    [
        ("en", "as plain processes, limited by control groups", "apt install bubblewrap"),
        ("zh", "作为普通进程运行，受控制组限制", "未安装 bubblewrap"),
    ],
)
def test_how_tasks_run_and_what_they_lack_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, language: str, form: str, lack: str
):
    monkeypatch.setenv("DANLU_LANG", language)
    _greet(READY)
    said = capsys.readouterr().out
    assert form in said
    assert lack in said
