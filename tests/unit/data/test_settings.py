"""Settings from file, variables and options: the later wins, and mistakes are named by their place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from danlu.data.settings import load_settings
from danlu.domain.errors import Invalid
from danlu.domain.job import JobClass
from danlu.domain.rules import Policy


def mistakes(options: dict[str, Any], environ: dict[str, str]) -> list[str]:
    with pytest.raises(Invalid) as refused:
        load_settings(options, environ)
    return [
        f"{'.'.join(map(str, e.loc))}: {e.message}" + (f" ({e.hint.en})" if e.hint else "")
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
        "DANLU_PUBLIC_URL: 'foo': an address starts with http:// or https://, as people type it in a browser",
        "--engine: 'docker' is not one of local, simulated, none (choose from: local, simulated, none)",
        "danlu.toml.code_limit: 5 has no unit; write a size such as 512MiB, 64GiB or 100GB (did you mean '5GiB'?)",
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
    assert mistakes({}, {"DANLU_PROT": "1"}) == ["DANLU_PROT: is not a setting (did you mean 'DANLU_PORT'?)"]
    load_settings({}, {"DANLU_TOKEN": "x", "DANLU_RANK": "0", "DANLU_CONFIG_DIR": "/x"})


def test_what_the_scheduler_goes_by_is_read_from_file_and_variables(tmp_path: Path) -> None:
    environ = settings_file(
        tmp_path, 'score_time = "1h"\nevict_workspaces = true\n[default_max_time]\nsingle = "12h"'
    )
    assert load_settings({}, environ).policy() == Policy(
        3_600_000,
        600_000,
        True,
        {JobClass.SINGLE: 43_200_000},
        tasks_per_node=256,
        task_cpu_milli=10,
        task_memory=8 << 20,
    )
    environ["DANLU_DEFAULT_MAX_TIME"] = "workspace=8h, distributed = 2d"
    assert load_settings({}, environ).default_max_time == {
        JobClass.WORKSPACE: 28_800_000,
        JobClass.DISTRIBUTED: 172_800_000,
    }
    lab = load_settings({}, {"DANLU_GPU_CPUS": "8", "DANLU_GPU_MEMORY": "64GiB"}).policy()
    assert (lab.gpu_cpu_milli, lab.gpu_memory) == (8000, 64 << 30)
    assert mistakes({}, {"DANLU_GPU_CPUS": "0", "DANLU_GPU_MEMORY": "8MiB"}) == [
        "DANLU_GPU_CPUS: 0 is out of range: at least 0.1",
        "DANLU_GPU_MEMORY: 8MiB is out of range: at least 64MiB",
    ]
    nothing = {"DANLU_DEFAULT_MAX_TIME": "", "DANLU_TASKS_PER_NODE": "0"}
    nothing |= {"DANLU_TASK_CPUS": "0", "DANLU_TASK_MEMORY": "0"}
    assert load_settings({}, nothing).policy() == Policy()


def test_mistakes_in_a_mapping_are_named_by_their_key(tmp_path: Path) -> None:
    environ = settings_file(tmp_path, '[default_max_time]\nsingle = "0s"\nservice = 5')
    assert mistakes({}, environ) == [
        "danlu.toml.default_max_time.single: 0s is out of range: at least 1",
        "danlu.toml.default_max_time.service: 5 has no unit; write a time such as 90s, 30m, 6h, 2d or 1h30m",
    ]
    (said,) = mistakes({}, {"DANLU_DEFAULT_MAX_TIME": "singel=1h"})
    assert said.startswith("DANLU_DEFAULT_MAX_TIME.singel: 'singel' is not one of")
    assert "(did you mean 'single'?)" in said
    assert mistakes({}, {"DANLU_DEFAULT_MAX_TIME": "12h"}) == [
        "DANLU_DEFAULT_MAX_TIME: '12h' is not of the form key=value,key=value"
    ]
