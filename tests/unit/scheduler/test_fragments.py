"""Where a task goes, in small states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from danlu.domain.arrays import Ints
from danlu.scheduler import fragments as module
from danlu.scheduler.fragments import Fragments
from danlu.scheduler.loss import TaskShape, typical_of
from tests.effort import rounds

GIB = 2**30
HALF, CARD, PAIR, NODE = (TaskShape(4000, 16 * GIB, gpu) for gpu in (500, 1000, 2000, 4000))
USUAL = {HALF: 3.0, CARD: 6.0, PAIR: 1.0, NODE: 1.0}


@dataclass
class Some:
    """Nodes with so much free: CPUs, cards in thousandths, GiB, model."""

    cpu: Ints
    cards: Ints
    memory: Ints
    model: Ints
    stamp: Ints

    def take(self, request: TaskShape, node: int, cards: tuple[int, ...], sign: int = 1) -> None:
        self.cpu[node] -= sign * request.cpu
        self.memory[node] -= sign * request.memory
        for card in cards:
            self.cards[node, card] -= sign * min(request.gpu, 1000)
        self.stamp[node] += 1

    def with_room_for(self, request: TaskShape) -> Ints:
        fits = (self.cpu >= request.cpu) & (self.memory >= request.memory)
        if request.cards:
            fits &= (self.cards == 1000).sum(axis=1) >= request.cards
        elif request.gpu:
            fits &= self.cards.max(axis=1, initial=0) >= request.gpu
        if request.gpu and request.models is not None:
            fits &= np.isin(self.model, sorted(request.models))
        return np.flatnonzero(fits)


def nodes(*free: tuple[int, list[int]], models: list[int] | None = None) -> Some:
    width = max(len(cards) for _, cards in free)
    return Some(
        np.array([1000 * cpus for cpus, _ in free]),
        np.array([cards + [0] * (width - len(cards)) for _, cards in free], dtype=np.int64),
        np.full(len(free), 512 * GIB),
        np.array(models or [0 if cards else -1 for _, cards in free]),
        np.zeros(len(free), dtype=np.int64),
    )


def chosen(
    some: Some, request: TaskShape, typical: Mapping[TaskShape, float] = USUAL
) -> tuple[int, tuple[int, ...]]:
    return Fragments(typical, 2).choose(some, some.with_room_for(request), request)


@pytest.mark.parametrize("typical", [USUAL, {}], ids=["usual shapes", "nothing known"])
class TestWhateverIsKnown:
    def test_half_a_gpu_goes_to_the_card_that_is_already_broken(self, typical):
        assert chosen(nodes((64, [1000, 1000]), (64, [1000, 500])), HALF, typical) == (1, (1,))

    def test_a_share_takes_the_tightest_of_two_broken_cards(self, typical):
        assert chosen(nodes((64, [1000, 900, 500])), HALF, typical) == (0, (2,))

    def test_ties_go_to_the_first_node_and_the_first_cards(self, typical):
        assert chosen(nodes((64, [1000] * 4), (64, [1000] * 4)), PAIR, typical) == (0, (0, 1))

    def test_whole_cards_are_taken_around_broken_ones(self, typical):
        assert chosen(nodes((64, [1000, 500, 1000])), PAIR, typical) == (0, (0, 2))

    def test_one_gpu_leaves_the_whole_node_whole(self, typical):
        assert chosen(nodes((64, [1000] * 4), (64, [0, 0, 0, 1000])), CARD, typical) == (1, (3,))

    def test_a_task_without_gpus_goes_where_there_are_none(self, typical):
        assert chosen(nodes((16, [1000] * 4), (16, [])), TaskShape(8000, GIB), typical) == (1, ())

    def test_only_candidates_are_chosen(self, typical):
        some = nodes((64, [1000]), (64, [500]), (64, [500]))
        assert Fragments(typical, 2).choose(some, np.array([0, 2]), HALF) == (2, (0,))


class TestWithUsualShapes:
    def test_a_task_without_gpus_spares_the_cpus_that_free_gpus_need(self):
        assert chosen(nodes((16, [1000] * 4), (64, [1000] * 2)), TaskShape(8000, GIB)) == (1, ())

    def test_a_task_without_gpus_prefers_a_node_whose_gpus_are_taken(self):
        assert chosen(nodes((64, [1000] * 4), (32, [0] * 4)), TaskShape(30_000, GIB)) == (1, ())

    def test_a_task_hungry_for_cpus_goes_where_cpus_abound(self):
        assert chosen(nodes((16, [1000] * 4), (64, [1000] * 4)), TaskShape(14_000, GIB, 1000)) == (1, (0,))

    def test_a_task_hungry_for_memory_spares_the_memory_that_free_gpus_need(self):
        some = nodes((64, [1000] * 4), (64, [1000] * 4))
        some.memory[0] = 70 * GIB
        assert chosen(some, TaskShape(4000, 60 * GIB, 1000)) == (1, (0,))

    def test_a_task_that_accepts_any_model_leaves_the_model_others_insist_on(self):
        typical = {CARD: 1.0, TaskShape(4000, GIB, 1000, frozenset({0})): 1.0}
        assert chosen(nodes((64, [1000]), (64, [1000]), models=[0, 1]), CARD, typical) == (1, (0,))

    def test_a_share_goes_where_what_it_leaves_suits_another(self):
        third, rest = TaskShape(1000, GIB, 300), TaskShape(1000, GIB, 700)
        typical = {third: 1.0, rest: 1.0, CARD: 1.0}
        assert chosen(nodes((64, [900]), (64, [1000]), (64, [300])), third, typical) == (2, (0,))
        assert chosen(nodes((64, [900]), (64, [700])), rest, typical) == (1, (0,))

    def test_shapes_without_cpus_or_memory_count_on_a_node_that_has_none_left(self):
        typical = {TaskShape(0, 0, 1000): 1.0}
        assert chosen(nodes((0, [1000, 500]), (0, [1000])), TaskShape(0, 0, 500), typical) == (0, (1,))


class TestTypicalShapes:
    def test_they_are_the_most_frequent_ones_until_enough_is_covered(self):
        assert typical_of({HALF: 50, CARD: 45, PAIR: 4, NODE: 1}) == {HALF: 50, CARD: 45}

    def test_equally_frequent_shapes_are_taken_in_a_fixed_order(self):
        counts = {NODE: 1, PAIR: 1, CARD: 1, HALF: 1}
        assert (
            list(typical_of(counts, 0.5))
            == list(typical_of(dict(reversed(counts.items())), 0.5))
            == [HALF, CARD]
        )

    def test_of_nothing_there_are_none(self):
        assert typical_of({}) == {}


shapes = st.builds(
    TaskShape,
    cpu=st.integers(0, 8).map(lambda cpus: cpus * 2000),
    memory=st.integers(1, 8).map(lambda size: size * GIB),
    gpu=st.sampled_from([0, 160, 300, 500, 810, 1000, 2000, 4000]),
    models=st.sampled_from([None, frozenset({0}), frozenset({1})]),
)
some_nodes = st.lists(
    st.tuples(st.integers(8, 64), st.lists(st.sampled_from([0, 190, 500, 1000]), max_size=4)),
    min_size=1,
    max_size=5,
)


class TestMemory:
    @settings(max_examples=rounds(20, 50))
    @given(
        some_nodes,
        st.dictionaries(shapes, st.integers(1, 9), max_size=5),
        st.lists(st.tuples(shapes, st.booleans()), max_size=10),
    )
    def test_what_is_remembered_never_changes_an_answer(self, free, typical, arrivals):
        some = nodes(*free)
        experienced = Fragments(typical, 2)
        for request, undone in arrivals:
            candidates = some.with_room_for(request)
            if not candidates.size:
                continue
            answer = experienced.choose(some, candidates, request)
            assert answer == Fragments(typical, 2).choose(some, candidates, request)
            some.take(request, *answer)
            assert min(some.cpu.min(), some.memory.min(), some.cards.min(initial=0)) >= 0
            if undone:
                some.take(request, *answer, sign=-1)

    def test_other_nodes_with_equal_stamps_are_not_mistaken_for_these(self):
        fragments = Fragments(USUAL, 2)
        for some, best in ((nodes((64, [1000]), (64, [500])), 1), (nodes((64, [500]), (64, [1000])), 0)):
            assert fragments.choose(some, np.array([0, 1]), HALF)[0] == best

    def test_two_views_of_the_same_nodes_may_share_stamps(self):
        fragments, now, soon = (
            Fragments(USUAL, 2),
            nodes((64, [1000]), (64, [500])),
            nodes((64, [500]), (64, [1000])),
        )
        soon.stamp = now.stamp
        assert [fragments.choose(view, np.array([0, 1]), HALF)[0] for view in (now, soon, now)] == [1, 0, 1]

    def test_starting_afresh_when_full_changes_nothing(self, monkeypatch):
        monkeypatch.setattr(module, "_REMEMBERED", 0)
        some, fragments = nodes((64, [1000] * 4), (64, [1000] * 4)), Fragments(USUAL, 2)
        for expected in ((0, (0,)), (0, (0,)), (0, (1,))):
            answer = fragments.choose(some, np.array([0, 1]), HALF)
            assert answer == expected
            some.take(HALF, *answer)
