"""State files: what they mean, and what is refused because it does not fit together."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.domain.errors import Invalid
from danlu.domain.job import JobClass
from danlu.scheduler import FOREVER, Pending, Running
from danlu.simulator.reading import read_state
from danlu.simulator.state import State

NODE = {"name": "n0", "gpus": 2, "gpu": "A100", "labels": {"org": "lab"}}
HOUR = 3_600_000


def read(**parts: Any) -> State:
    return read_state({"nodes": [NODE], **parts})


def wrong(**parts: Any) -> dict[str, str]:
    """place → code of every mistake."""
    with pytest.raises(Invalid) as caught:
        read(**parts)
    return {".".join(map(str, one.loc)): one.code for one in caught.value.errors}


def runs(id_: str = "r", gpus: float = 1, **more: Any) -> dict[str, Any]:
    return {"id": id_, "resources": {"gpus": gpus}, "tasks": ["n0"], **more}


def waits(id_: str = "p", gpus: float = 1, **more: Any) -> dict[str, Any]:
    return {"id": id_, "resources": {"gpus": gpus}, **more}


def running(state: State, job: str = "r") -> Running:
    found = state.jobs[job]
    assert isinstance(found, Running)
    return found


def pending(state: State, job: str = "p") -> Pending:
    found = state.jobs[job]
    assert isinstance(found, Pending)
    return found


# ── what is meant ────────────────────────────────────────────────────────────────────────────────────


def test_nodes_and_jobs_are_repeated_by_number():
    state = read(nodes=[{"name": "a{}", "count": 2, "gpus": [1, 3]}], pending=[waits("j{}", count=3)])
    assert [node.name for node in state.nodes] == ["a0", "a1"]
    assert [gpu.index for gpu in state.nodes[0].gpus] == [1, 3]
    assert [pending(state, f"j{n}").created_at - pending(state, "j0").created_at for n in range(3)] == [
        0,
        1,
        2,
    ]


def test_cards_that_are_not_named_are_the_first_free():
    state = read(running=[runs("default"), runs("named", tasks=[{"node": "n0", "gpus": [0]}])])
    assert [running(state, job).tasks[0].gpus[0].index for job in ("default", "named")] == [1, 0]


def test_a_running_job_has_the_tasks_it_lists():
    state = read(running=[runs(tasks=["n0", "n0"])])
    assert running(state).ask.job_class is JobClass.DISTRIBUTED
    assert [task.index for task in running(state).tasks] == [0, 1]


def test_tasks_of_several_roles_fill_one_after_the_other():
    roles = [{"name": "ps", "replicas": 1}, {"name": "worker", "replicas": 2, "resources": {"gpus": 1}}]
    state = read(running=[{"id": "r", "roles": roles, "tasks": ["n0", "n0", "n0"]}])
    assert [f"{task.role}-{task.index}" for task in running(state).tasks] == ["ps-0", "worker-0", "worker-1"]


def test_a_divided_total_has_as_much_per_task_as_it_has_tasks():
    state = read(running=[runs(gpus=2, nodes="auto", tasks=["n0", "n0"])])
    assert [len(task.gpus) for task in running(state).tasks] == [1, 1]


def test_a_task_is_understood_as_plans_print_it():
    task = {
        "task": "worker-0",
        "role": "worker",
        "index": 0,
        "node": "n0",
        "gpus": [{"index": 1, "share": 1}],
    }
    assert running(read(running=[runs(tasks=[task])])).tasks[0].gpus[0].index == 1


def test_what_is_leaving_is_told_from_what_stays():
    elastic = [{"name": "w", "replicas": 2, "min": 1, "resources": {"gpus": 1}}]
    tasks = ["n0", {"node": "n0", "leaving": True}]
    state = read(running=[{"id": "r", "roles": elastic, "tasks": tasks}])
    assert (len(running(state).tasks), len(running(state).leaving)) == (1, 1)
    assert not running(read(running=[runs(leaving=True)])).tasks


def test_a_projects_selector_narrows_its_jobs():
    project = {"name": "lab", "node_selector": {"org": "lab"}}
    state = read(projects=[project], pending=[waits(project="lab", node_selector={"disk": "fast"})])
    assert pending(state).ask.selector == (("disk", "fast"), ("org", "lab"))


def test_max_time_is_the_jobs_or_the_policys_or_none():
    jobs = [waits("own", max_time="1h"), waits("class"), waits("none", kind="workspace")]
    state = read(policy={"default_max_time": {"single": "2h"}}, pending=jobs)
    assert [pending(state, job).max_time for job in ("own", "class", "none")] == [HOUR, 2 * HOUR, FOREVER]


def test_flavors_are_sizes():
    flavors = [{"name": "pair", "resources": {"gpus": 2, "gpu": "A100"}}]
    state = read(flavors=flavors, pending=[{"id": "p", "flavor": "pair"}])
    assert pending(state).ask.gangs[0][0].size.gpu_milli == 2000


def test_rules_that_are_always_there_are_changed_in_what_is_said():
    state = read(projects=[{"name": "public", "cap": {"gpus": 1}}], priorities=[{"name": "high", "value": 7}])
    assert (state.rules.projects["public"].weight, state.rules.projects["public"].cap) == (1, {"gpus": 1000})
    assert (state.rules.priorities["high"].value, state.rules.priorities["high"].may_preempt) == (7, True)
    assert state.rules.priorities["low"].value == 100


def test_scores_are_told_or_worked_out_of_ledger_and_running_jobs():
    use = {"user": "ann", "model": "A100", "amount": 2, "began": "-12h", "ended": "-6h"}
    state = read(ledger=[use], running=[runs(owner="bob", began="-6h")], scores={"eve": {"A100": 1.5}})
    scores = {key: round(score, 4) for key, score in state.scores().items()}
    assert scores == {("ann", "A100"): 0.4651, ("bob", "A100"): 0.6321, ("eve", "A100"): 1.5}
    told = read(running=[runs(owner="bob")], scores={"bob": {"A100": 0}})
    assert told.scores() == {("bob", "A100"): 0}


# ── what is refused ──────────────────────────────────────────────────────────────────────────────────

REFUSED = [
    ("a node's name twice", {"nodes": [NODE, NODE]}, {"nodes.1.name": "duplicate"}),
    ("equal nodes without a number", {"nodes": [{"name": "n", "count": 2}]}, {"nodes.0.name": "duplicate"}),
    ("a card twice on a node", {"nodes": [{"name": "n", "gpus": [1, 1]}]}, {"nodes.0.gpus": "duplicate"}),
    ("an unknown pool", {"nodes": [{**NODE, "pool": "x"}]}, {"nodes.0.pool": "no_such_pool"}),
    ("a project twice", {"projects": [{"name": "a"}, {"name": "a"}]}, {"projects.1.name": "duplicate"}),
    ("a guarantee without a weight", {"projects": [{"name": "a", "guarantee": {"A100": 1}}]},
     {"projects.0.guarantee": "needs_weight"}),
    ("a guarantee of nothing known", {"projects": [{"name": "a", "weight": 1, "guarantee": {"gpu": 1}}]},
     {"projects.0.guarantee.gpu": "no_such_resource"}),
    ("a limit of nothing", {"limits": [{"name": "a"}]}, {"limits.0.gpus": "missing"}),
    ("an id twice", {"running": [runs("a")], "pending": [waits("a")]}, {"pending.0.id": "duplicate"}),
    ("equal jobs without a number", {"pending": [waits("a", count=2)]}, {"pending.0.id": "duplicate"}),
    ("an unknown project", {"pending": [waits(project="x")]}, {"pending.0.project": "no_such_project"}),
    ("an unknown priority class", {"pending": [waits(priority="x")]}, {"pending.0.priority": "no_such_priority"}),
    ("an unknown flavor", {"pending": [{"id": "p", "flavor": "x"}]}, {"pending.0.flavor": "no_such_flavor"}),
    ("a workspace of two tasks", {"pending": [waits(kind="workspace", nodes=2)]}, {"pending.0.nodes": "contradiction"}),
    ("more than all as the minimum", {"pending": [waits(nodes=2, min=3)]}, {"pending.0.min": "out_of_range"}),
    ("a job from the future", {"pending": [waits(created="2030-01-01T00:00:00Z")]}, {"pending.0.created": "bad_value"}),
    ("an unknown node", {"running": [runs(tasks=["x"])]}, {"running.0.tasks.0.node": "no_such_node"}),
    ("a card the node lacks", {"running": [runs(tasks=[{"node": "n0", "gpus": [2]}])]}, {"running.0.tasks.0.gpus": "no_such_gpu"}),
    ("too few cards", {"running": [runs(gpus=2, tasks=[{"node": "n0", "gpus": [0]}])]}, {"running.0.tasks.0.gpus": "bad_value"}),
    ("a card named twice", {"running": [runs(gpus=2, tasks=[{"node": "n0", "gpus": [0, 0]}])]}, {"running.0.tasks.0.gpus": "duplicate"}),
    ("no free card", {"running": [runs("a", 2), runs("b")]}, {"running.1.tasks.0.gpus": "bad_value"}),
    ("another model", {"running": [{"id": "r", "resources": {"gpus": 1, "gpu": "H100"}, "tasks": ["n0"]}]},
     {"running.0.tasks.0.node": "bad_value"}),
    ("a card held twice", {"running": [runs(name, share, tasks=[{"node": "n0", "gpus": [0]}]) for name, share in (("a", 0.5), ("b", 0.6))]},
     {"running.1.tasks.0.gpus": "held_twice"}),
    ("more CPUs than there are", {"running": [{"id": "r", "resources": {"cpus": 65}, "tasks": ["n0"]}]},
     {"running.0.tasks.0.node": "held_twice"}),
    ("a gang below its minimum", {"running": [runs(nodes=2)]}, {"running.0.tasks": "too_few"}),
    ("more tasks than the job has", {"running": [runs(nodes=1, tasks=["n0", "n0"])]}, {"running.0.tasks.1": "out_of_range"}),
    ("an unknown role", {"running": [runs(tasks=[{"node": "n0", "role": "x"}])]}, {"running.0.tasks.0.role": "no_such_role"}),
    ("a task twice", {"running": [runs(tasks=[{"node": "n0", "index": 0}] * 2)]}, {"running.0.tasks.1.index": "duplicate"}),
    ("a total that does not divide", {"running": [runs(gpus=2, nodes="auto", tasks=["n0", "n0", "n0"])]},
     {"running.0.tasks.1": "out_of_range"}),
    ("room elsewhere for one who stays", {"running": [runs(nominated=[{"node": "n0", "gpus": [1]}])]},
     {"running.0.nominated": "contradiction"}),
    ("promised cards that are not named", {"pending": [waits(nominated=["n0"])]}, {"pending.0.nominated.0.gpus": "bad_value"}),
    ("a use that ended before it began", {"ledger": [{"user": "a", "amount": 1, "began": "-1h", "ended": "-2h"}]},
     {"ledger.0.ended": "bad_value"}),
    ("now relative to itself", {"now": "-1h"}, {"now": "bad_value"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("parts", "mistakes"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_what_does_not_fit_together_is_refused(parts: dict[str, Any], mistakes: dict[str, str]):
    found = wrong(**parts)
    assert mistakes.items() <= found.items()
    assert len(found) == 1


def test_mistakes_of_form_and_of_sense_are_told_together():
    assert wrong(polcy={}, pending=[waits(project="x")], running=[runs(tasks=["x"])]) == {
        "polcy": "unknown_key",
        "running.0.tasks.0.node": "no_such_node",
        "pending.0.project": "no_such_project",
    }


def test_what_a_part_with_mistakes_would_have_said_is_not_missed():
    bad = {"nodes": [{"nam": "n0"}], "projects": [{"name": "a", "weight": "x"}]}
    assert wrong(**bad, running=[runs(project="a")]) == {
        "nodes.0.nam": "unknown_key",
        "projects.0.weight": "wrong_type",
    }


@pytest.mark.parametrize("data", [[], None, "state", 3])
def test_what_is_no_mapping_is_no_state(data: object):
    with pytest.raises(Invalid):
        read_state(data)
