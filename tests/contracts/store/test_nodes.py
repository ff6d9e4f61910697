"""The nodes as the leader sees them, for processes that have no engines."""

from __future__ import annotations

from dataclasses import replace

from danlu.domain.isolation import Ability, IsolationForm, Lack, LackCause, TaskIsolation
from danlu.domain.node import Foreign, Gpu, Node, NodeState

FULL = Node(
    "gpu-1.lab",
    "10.0.0.7",
    64_000,
    2**38,
    gpus=(Gpu(0, "GPU-1f", "A100", 80 * 2**30), Gpu(1, "GPU-2e", "A100", 80 * 2**30, declared=True)),
    labels={"cluster": "lab", "topology.kubernetes.io/zone": "北"},
    state=NodeState.CORDONED,
    virtual=True,
    pool="training",
    cluster="lab",
    foreign=Foreign(500, 2**30, 1),
    why="node.kubernetes.io/unschedulable",
    isolation=TaskIsolation(
        IsolationForm.SANDBOX, (Ability.SANDBOX,), (Lack(Ability.CGROUP, LackCause.NOT_WORKING, "read-only"),)
    ),
)
PLAIN = Node("a-plain-one", "127.0.0.1", 4_000, 2**33)


def test_there_are_none_before_a_leader_saw_any(store):
    assert store.nodes() == ()


def test_nodes_come_back_as_they_were_kept_by_name(store, open_store):
    store.keep_nodes([FULL, PLAIN])

    assert open_store().nodes() == (PLAIN, FULL)


def test_what_is_kept_last_is_all_there_is(store):
    store.keep_nodes([FULL, PLAIN])
    lost = replace(PLAIN, state=NodeState.UNREACHABLE)
    store.keep_nodes([lost])

    assert store.nodes() == (lost,)


def test_keeping_the_same_again_writes_nothing(store, open_store):
    # What each database says of itself changes with every write by another connection.
    version = "PRAGMA data_version" if store._database.sqlite else "SELECT max(xmin::text::bigint) FROM nodes"
    store.keep_nodes([FULL, PLAIN])
    with open_store()._database._reader.connect() as connection:
        before = connection.exec_driver_sql(version).scalar()
        connection.rollback()
        store.keep_nodes([FULL, PLAIN])
        assert connection.exec_driver_sql(version).scalar() == before
        connection.rollback()
        store.keep_nodes([FULL])
        store.keep_nodes([replace(FULL, why="")])
        assert connection.exec_driver_sql(version).scalar() != before


def test_nodes_are_a_view_and_no_event(store):
    store.keep_nodes([FULL])

    assert store.latest_seq() == 0
