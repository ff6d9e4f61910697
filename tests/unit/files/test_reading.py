"""Job files: what is understood, and every mistake at its place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.domain.errors import MOST_TOLD, Invalid
from danlu.domain.job import JobClass, Kind, Remedy, Trouble
from danlu.domain.mount import Mount
from danlu.files.mistakes import MOST_HINTED
from danlu.files.policies import ALLOWED
from danlu.files.reading import read_job_file
from danlu.files.writing import job_file_of

MINIMAL: dict[str, Any] = {"kind": "training", "name": "some-job", "command": "true"}


def mistakes(**keys: Any) -> list[tuple[str, str, str | None]]:
    """(place, message, hint) of each mistake in the minimal file with these keys."""
    file = {key: value for key, value in {**MINIMAL, **keys}.items() if value is not ...}
    return [
        (".".join(map(str, e.loc)), e.message, e.hint.en if e.hint else None)
        for e in read_job_file(file).errors
    ]


def test_the_minimal_file_is_understood() -> None:
    spec = read_job_file(MINIMAL).result()
    assert (spec.kind, spec.job_class, spec.size, spec.project) == (
        Kind.TRAINING,
        JobClass.SINGLE,
        1,
        "public",
    )
    assert spec.roles[0].name == "worker"


def test_a_workspace_waits_for_people_by_default() -> None:
    spec = read_job_file({"kind": "workspace", "name": "my-desk"}).result()
    assert (spec.roles[0].command, spec.job_class) == ("tail -f /dev/null", JobClass.WORKSPACE)


def test_roles_have_their_own_size_command_and_minimum() -> None:
    spec = read_job_file(
        {**MINIMAL, "roles": [{"name": "ps", "resources": {"cpus": 4}}, {"name": "w", "replicas": 4, "min": 3, "command": ["a"]}]}
    ).result()  # fmt: skip
    ps, worker = spec.roles
    assert (ps.resources.cpu_milli, ps.command, ps.min) == (4000, "true", 1)
    assert (worker.replicas, worker.min, worker.command) == (4, 3, ("a",))
    assert spec.job_class is JobClass.DISTRIBUTED


def test_mounts_are_read_only_unless_told() -> None:
    mounts = [{"volume": "data", "path": "/data/"}, {"volume": "out", "path": "/out", "mode": "rw"}]
    spec = read_job_file({**MINIMAL, "mounts": mounts, "resources": {"rdma": True}}).result()
    assert spec.mounts == (Mount("data", "/data"), Mount("out", "/out", read_only=False))
    assert spec.roles[0].resources.rdma


def test_a_folder_on_the_nodes_disk_is_written_to_and_may_have_a_size() -> None:
    mounts = [{"local": "2GiB", "path": "/a"}, {"local": True, "path": "/b"}]
    spec = read_job_file({**MINIMAL, "mounts": mounts}).result()
    assert spec.mounts == (
        Mount("", "/a", read_only=False, local=2 << 30),
        Mount("", "/b", read_only=False, local=0),
    )


def test_policies_that_restart_do_so_three_times_unless_told() -> None:
    spec = read_job_file({**MINIMAL, "on": {"node_lost": "requeue"}}).result()
    assert (spec.on, spec.restarts) == ({Trouble.NODE_LOST: Remedy.REQUEUE}, 3)
    assert read_job_file(MINIMAL).result().restarts == 0


CASES: list[tuple[dict[str, Any], tuple[str, str, str | None]]] = [
    ({"comand": "x", "command": ...}, ("comand", "there is no key 'comand' here", "did you mean 'command'?")),
    ({"resources": {"cpu": 3}}, ("resources.cpu", "there is no key 'cpu' here", "did you mean 'cpus'?")),
    ({"kind": "trainning"}, ("kind", "'trainning' is not one of workspace, training, service", "did you mean 'training'?")),
    ({"kind": ...}, ("kind", "kind is required", "for example `kind: training`")),
    ({"name": ...}, ("name", "name is required", None)),
    ({"name": "abc"}, ("name", "'abc': a job name has 4–63 characters: letters, digits, - and _", "did you mean 'abc-job'?")),
    ({"name": "has space"}, ("name", "'has space': a job name has 4–63 characters: letters, digits, - and _", "did you mean 'has-space'?")),
    ({"name": 1234}, ("name", "1234 is not text", 'write it in quotes: "1234"')),
    ({"command": ...}, ("command", "a training job needs a command", "for example `command: python train.py`")),
    ({"command": ""}, ("command", "command must not be empty", None)),
    ({"resources": {"gpus": 1.5}}, ("resources.gpus", "1.5 GPUs: above 1, only whole GPUs are possible; a share of one GPU is between 0 and 1", None)),
    ({"resources": {"gpus": -1}}, ("resources.gpus", "-1 is out of range: at least 0", None)),
    ({"resources": {"gpus": "two"}}, ("resources.gpus", "'two' is not a number", None)),
    ({"resources": {"memory": 64}}, ("resources.memory", "64 has no unit; write a size such as 512MiB, 64GiB or 100GB", "did you mean '64GiB'?")),
    ({"resources": {"memory": "64Gigs"}}, ("resources.memory", "'64Gigs' is not a size; write a size such as 512MiB, 64GiB or 100GB", None)),
    ({"resources": {"memory": "1KB"}}, ("resources.memory", "1KB is out of range: at least 4MiB", None)),
    ({"resources": ["cpus"]}, ("resources", "a list is not a mapping (key: value)", None)),
    ({"max_time": 3600}, ("max_time", "3600 has no unit; write a time such as 90s, 30m, 6h, 2d or 1h30m", None)),
    ({"max_time": "5 hours"}, ("max_time", "'5 hours' is not a time; write a time such as 90s, 30m, 6h, 2d or 1h30m", None)),
    ({"nodes": 0}, ("nodes", "0 is out of range: at least 1", None)),
    ({"nodes": "2"}, ("nodes", "'2' is not a whole number", None)),
    ({"nodes": 1.5}, ("nodes", "1.5 is not a whole number", None)),
    ({"node_selector": {"rack": 1}}, ("node_selector.rack", "1 is not text", 'write it in quotes: "1"')),
    ({"env": {"1X": "a"}}, ("env.1X", "'1X': a variable name has letters, digits and _, and does not start with a digit", None)),
    ({"env": {"DANLU_RANK": "0"}}, ("env.DANLU_RANK", "names that start with DANLU_ are reserved for Danlu", None)),
    ({"on": {"task_faild": "fail"}}, ("on.task_faild", "'task_faild' is not one of task_failed, out_of_memory, node_lost, evicted, hung, task_completed", "did you mean 'task_failed'?")),
    ({"on": {"task_failed": "retry"}}, ("on.task_failed", "'retry' is not one of fail, restart_task, restart_job, requeue, complete, ignore", "choose from: fail, restart_task, restart_job, requeue, complete, ignore")),
    ({"on": {"hung": "restart"}}, ("on.hung", "'restart' is not one of fail, restart_job, requeue, complete", "did you mean 'restart_job'?")),
    ({"on": {"oom": "fail"}}, ("on.oom", "'oom' is not one of task_failed, out_of_memory, node_lost, evicted, hung, task_completed", "did you mean 'out_of_memory'?")),
    ({"roles": {"master": 1, "worker": 3}}, ("roles", "a mapping is not a list", "write `roles: [{name: master}, {name: worker, replicas: 3}]`")),
    ({"roles": {"worker": {"replicas": 3}}}, ("roles", "a mapping is not a list", "write `roles: [{name: master}, {name: worker, replicas: 3}]`")),
    ({"preemptible": "yes"}, ("preemptible", "'yes' is not true or false", None)),
    ({"nodes": 2, "roles": [{"name": "w"}]}, ("nodes", "nodes and roles cannot be used together", "give each role its replicas")),
    ({"roles": [{"name": "w"}, {"name": "w"}]}, ("roles.1.name", "two roles are named 'w'", "give each role its own name")),
    ({"roles": [{"name": "w", "replicas": 2, "min": 3}]}, ("roles.0.min", "3 is more than the role has replicas (2)", None)),
    ({"roles": [{"name": "Worker"}]}, ("roles.0.name", "'Worker': a role name has 1–56 characters: lower-case letters, digits and -, with no - at either end", None)),
    ({"roles": []}, ("roles", "roles must not be empty", None)),
    ({"kind": "workspace", "nodes": 2}, ("nodes", "a workspace has one task", "use kind: training")),
    ({"expected_time": "2h", "max_time": "1h"}, ("expected_time", "expected_time is longer than max_time", "raise max_time or lower expected_time")),
    ({"code": {}}, ("code", "code takes exactly one of path, git or archive; this one has none", None)),
    ({"code": {"path": "."}}, ("code.path", "a local folder must be uploaded first", "submit the file with the command line or the SDK, which upload the folder")),
    ({"code": {"archive": "0" * 64, "ref": "main"}}, ("code.ref", "ref only works with a Git repository (code.git)", None)),
    ({"code": {"git": "not a url"}}, ("code.git", "'not a url' is not a Git address", "write https://host/path.git, ssh://git@host/path.git or git@host:path.git")),
    ({"code": {"git": "--upload-pack=x"}}, ("code.git", "'--upload-pack=x' is not a Git address", "write https://host/path.git, ssh://git@host/path.git or git@host:path.git")),
    ({"image": "a b"}, ("image", "'a b': an image name has no spaces", None)),
    ({"mounts": [{"path": "/data"}]}, ("mounts.0", "a mount takes exactly one of volume, local, dataset or bucket; this one has none", None)),
    ({"mounts": [{"volume": "a", "bucket": "b", "path": "/data"}]}, ("mounts.0", "a mount takes exactly one of volume, local, dataset or bucket; this one has volume, bucket", None)),
    ({"mounts": [{"bucket": "a/../b", "path": "/data"}]}, ("mounts.0.bucket", "write NAME or NAME/FOLDER", "for example pool/train")),
    ({"mounts": [{"dataset": "a@v1", "path": "/data", "mode": "rw"}]}, ("mounts.0.mode", "a version of a dataset never changes", "leave out mode, write somewhere else, and make that a new version: danlu dataset snapshot")),
    ({"mounts": [{"volume": "A:b:c", "path": "/data"}]}, ("mounts.0.volume", "'A:b:c': write NAME for a volume of your own, or OWNER:NAME; a name has 1–63 letters, digits, -, _ and .", None)),
    ({"mounts": [{"volume": "a", "path": "data"}]}, ("mounts.0.path", "'data' is not an absolute path to a folder", "for example /data")),
    ({"mounts": [{"volume": "a", "path": "//"}]}, ("mounts.0.path", "'//' is not an absolute path to a folder", "for example /data")),
    ({"mounts": [{"volume": "a", "path": "/a/../proc"}]}, ("mounts.0.path", "'/a/../proc' is not an absolute path to a folder", "for example /data")),
    ({"mounts": [{"volume": "a", "path": "/run/danlu/x"}]}, ("mounts.0.path", "nothing can be mounted at /run/danlu", "for example /data")),
    ({"mounts": [{"volume": "a", "path": "/dev"}]}, ("mounts.0.path", "nothing can be mounted at /dev", "for example /data")),
    ({"mounts": [{"volume": "a", "path": "/data"}, {"volume": "b", "path": "/data/"}]}, ("mounts.1.path", "another mount already uses /data", "give each mount its own path")),
    ({"mounts": [{"volume": "a", "path": "/data", "mode": "w"}]}, ("mounts.0.mode", "'w' is not one of ro, rw", "did you mean 'rw'?")),
    ({"mounts": [{"volume": "a", "path": "/data"}, {"local": True, "path": "/data/tmp"}]}, ("mounts.1.path", "/data/tmp and the mount at /data lie one inside the other", "mount them beside each other")),
    ({"mounts": [{"volume": "a", "path": "/usr/lib/x"}]}, ("mounts.0.path", "nothing can be mounted at /usr", "for example /data")),
    ({"mounts": [{"volume": "a", "path": "/mnt"}]}, ("mounts.0.path", "nothing can be mounted at /mnt", "for example /data")),
    ({"mounts": [{"volume": "a", "path": "/data", "busy": "queue"}]}, ("mounts.0.busy", "'queue' is not one of wait, refuse", "choose from: wait, refuse")),
    ({"mounts": [{"local": "1GiB", "path": "/data", "mode": "ro"}]}, ("mounts.0.mode", "an empty folder that nobody can write to is of no use", None)),
    ({"mounts": [{"local": 5, "path": "/data"}]}, ("mounts.0.local", "5 has no unit; write a size such as 512MiB, 64GiB or 100GB", "did you mean '5GiB'?")),
    ({"mounts": [{"local": False, "path": "/data"}]}, ("mounts.0.local", "False has no unit; write a size such as 512MiB, 64GiB or 100GB", None)),
    ({"flavor": "a100-8"}, ("flavor", "there is no flavor 'a100-8'", "`danlu flavor ls` lists all flavors")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "expected"), CASES, ids=[str(sorted(keys.items()))[:60] for keys, _ in CASES]
)
def test_a_mistake_names_its_place_and_the_likely_meaning(
    keys: dict[str, Any], expected: tuple[str, str, str | None]
) -> None:
    assert mistakes(**keys) == [expected]


def test_all_mistakes_are_told_at_once_across_rules_and_fields() -> None:
    places = [place for place, _, _ in mistakes(kind="trainng", nodes=0, command=..., resources={"gpus": 1.5, "memroy": "1GiB"}, expected_time="2h", max_time="1h")]  # fmt: skip
    assert set(places) >= {"kind", "nodes", "resources.gpus", "resources.memroy", "expected_time"}


def test_a_wrong_key_and_its_wrong_value_are_two_mistakes() -> None:
    assert len(mistakes(on={"task_fail": "retry"})) == 2


@pytest.mark.parametrize("data", [None, [], "text", 3])
def test_what_is_no_mapping_is_refused_in_words(data: Any) -> None:
    (error,) = read_job_file(data).errors
    assert "is not a mapping" in error.message


@given(
    st.fixed_dictionaries(
        {
            "kind": st.just("training"),
            "name": st.from_regex(r"[A-Za-z0-9_-]{4,63}", fullmatch=True),
            "command": st.one_of(st.text(min_size=1), st.lists(st.text(), min_size=1)),
        },
        optional={
            "nodes": st.integers(1, 9),
            "resources": st.fixed_dictionaries(
                {}, optional={"gpus": st.sampled_from([0, 0.5, 1, 8]), "memory": st.sampled_from(["64GiB", "1.5GB"]), "cpus": st.sampled_from([1, 0.25])}
            ),
            "env": st.dictionaries(st.sampled_from(["A", "B_1"]), st.text()),
            "image": st.sampled_from(["host", "registry.example/team/train@sha256:00"]),
            "mounts": st.lists(
                st.fixed_dictionaries({"path": st.sampled_from(["/a", "/b/c"]), "volume": st.sampled_from(["a", "lin:b.c"])}, optional={"mode": st.sampled_from(["ro", "rw"]), "busy": st.sampled_from(["wait", "refuse"])})
                | st.fixed_dictionaries({"path": st.sampled_from(["/a", "/b/c"]), "local": st.sampled_from(["1GiB", True])}),
                max_size=2, unique_by=lambda one: one["path"],
            ),
            "max_time": st.sampled_from(["90s", "1h30m"]),
            "checkpoint": st.fixed_dictionaries({}, optional={"path": st.just("/ckpt"), "grace": st.just("5s")}),
            "on": st.fixed_dictionaries({}, optional={trouble: st.sampled_from(ALLOWED[trouble]) for trouble in Trouble}),
            "framework": st.sampled_from(["none", "pytorch"]),
            "strategy": st.sampled_from(["all-reduce", "elastic"]),
            "processes": st.integers(1, 8),
            "backoff": st.fixed_dictionaries({}, optional={"first": st.just("1s"), "most": st.just("1h")}),
            "hang_after": st.sampled_from(["30m", "2h"]),
            "restarts": st.integers(0, 9),
        },
    )
)  # fmt: skip
def test_a_specification_written_out_reads_as_itself(file: dict[str, Any]) -> None:
    spec = read_job_file(file).result()
    assert read_job_file(job_file_of(spec)).result() == spec


def test_of_thousands_of_mistakes_the_first_are_told_and_how_many_more_there_are() -> None:
    file = {**MINIMAL, **{f"comand{number}": 1 for number in range(5_000)}}
    read = read_job_file(file)
    *listed, last = read.errors
    assert [error.loc for error in listed] == [(f"comand{number}",) for number in range(MOST_TOLD)]
    assert [error.suggestion for error in listed] == ["command"] * MOST_HINTED + [None] * (
        MOST_TOLD - MOST_HINTED
    )
    assert (last.code, last.params, last.loc) == ("more_mistakes", {"count": 4_950}, ())
    with pytest.raises(Invalid, match=r"^5000 errors in the request$") as caught:
        read.result()
    assert caught.value.errors == read.errors


def test_mistakes_of_the_whole_file_are_bounded_too() -> None:
    env = {f"DANLU_{number}": "mine" for number in range(200)}
    read = read_job_file({**MINIMAL, "env": env})
    assert [error.code for error in read.errors] == ["reserved"] * MOST_TOLD + ["more_mistakes"]
    assert read.errors[-1].params == {"count": 150}


def test_a_key_of_a_megabyte_is_not_compared_with_others() -> None:
    ((_, _, hint),) = mistakes(**{"command" * 200_000: 1})
    assert hint is not None
    assert hint.startswith("choose from: kind, ")
