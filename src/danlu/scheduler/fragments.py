"""Placement against fragmentation: the node and GPUs whose loss for typical tasks grows least."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from danlu.domain.arrays import Floats, Ints, np
from danlu.scheduler.loss import CARD, TaskShape, loss_for

_REMEMBERED = 8_000_000  # scores, 16 bytes each; beyond that memory starts afresh
_VIEWS = 4  # sets of nodes kept in mind at a time
_AT_ONCE = 256  # states judged in one go: what fits a processor's cache
_CPU, _MEMORY, _MODEL, _CARDS = 0, 1, 2, slice(3, None)


class Free(Protocol):
    """The free part of nodes that are sorted by name. `stamp` grows wherever anything else in a row changes."""

    cpu: Ints  # [node] thousandths
    memory: Ints  # [node] bytes
    cards: Ints  # [node, card] thousandths, 0 where a node has fewer cards
    model: Ints  # [node] which GPU model, -1 for none
    stamp: Ints  # [node]


class _View(NamedTuple):
    """A set of nodes: the number of each one's state, as it was at the stamp last seen."""

    free: Free
    seen: Ints
    state: Ints


class Fragments:
    """Chooses a node for one task after another.

    A place's score is the node's loss after minus the loss before (see `Loss`); ties go to the fullest node, then to
    the first. Scores are remembered by a node's state, not by its name: equal nodes are judged once, and a node that
    returns to an earlier state costs nothing. What is remembered never changes an answer.
    """

    def __init__(self, typical: Mapping[TaskShape, float], models: int) -> None:
        self._loss = loss_for(tuple(typical.items()), models)
        self._views: list[_View] = []
        self._known = 0
        self._forget(0)

    def choose(self, free: Free, candidates: Ints, request: TaskShape) -> tuple[int, tuple[int, ...]]:
        """Of the candidates, ascending and all with room for the request: the best node, and its cards to take."""
        states = self._states(free, candidates)
        score, card = self._memo(request)
        scores = score.take(states)
        best = int(scores.argmin())
        if np.isnan(scores[best]):  # the first that is not a number counts as the least
            new = np.bincount(states[np.isnan(scores)]).nonzero()[0]
            for at in range(0, new.size, _AT_ONCE):
                part = new[at : at + _AT_ONCE]
                score[part], card[part] = self._judge(request, part)
            best = int(score.take(states).argmin())
        node = int(candidates[best])
        if not request.gpu:
            return node, ()
        suitable = np.flatnonzero(free.cards[node] == card[states[best]])
        return node, tuple(suitable[: max(request.cards, 1)].tolist())

    def _judge(self, request: TaskShape, states: Ints) -> tuple[Floats, Ints | int]:
        """The request's score on nodes of these states, and what the cards to take there have free."""
        sums = self._sums[states]
        if not request.gpu:
            return self._scores(request, states, sums), 0
        if request.cards:
            return self._scores(request, states, sums - request.cards * self._loss.by_card[CARD]), CARD
        cards = self._rows[states, _CARDS]
        suits = cards >= request.gpu
        suits[:, 1:] &= cards[:, 1:] != cards[:, :-1]
        at, card = suits.nonzero()
        before = cards[at, card]
        change = self._loss.by_card[before - request.gpu] - self._loss.by_card[before]
        scores = self._scores(request, states[at], sums[at] + change)
        # Of each state's cards the best, of equally good ones the fullest; `at` is sorted already.
        order = np.lexsort((before, scores, at))
        best = order[at.searchsorted(np.arange(states.size))]
        return scores[best], before[best]

    def _scores(self, request: TaskShape, states: Ints, sums: Floats) -> Floats:
        rows = self._rows[states]
        rows[:, _CPU] -= request.cpu
        rows[:, _MEMORY] -= request.memory
        scores = self._loss.of(rows[:, _CPU], rows[:, _MEMORY], sums, rows[:, _MODEL]) - self._before[states]
        # Less than a millionth of a GPU: what is left only settles ties.
        scores += rows[:, _CARDS].sum(axis=1) + rows[:, _CPU] // 1000
        return scores

    def _memo(self, request: TaskShape) -> Floats:
        """By state, the score (not a number until judged) and what the cards to take have free."""
        memo = self._memos.get(request)
        size = len(self._rows)
        if memo is None:
            memo = self._memos[request] = np.full((2, size), np.nan)
        elif memo.shape[1] < size:
            more = np.full((2, size - memo.shape[1]), np.nan)
            memo = self._memos[request] = np.hstack([memo, more])
        return memo

    def _states(self, free: Free, nodes: Ints) -> Ints:
        """The numbers of these nodes' states, brought up to date."""
        width = free.cards.shape[1]
        if width != self._width or len(self._rows) * len(self._memos) > _REMEMBERED:
            self._forget(width)
        view = next((view for view in self._views if view.free is free), None)
        if view is None:
            view = _View(free, np.full(free.stamp.size, -1), np.zeros(free.stamp.size, dtype=np.int64))
            self._views = [view, *self._views[: _VIEWS - 1]]
        changed = nodes[free.stamp[nodes] != view.seen[nodes]]
        if changed.size:
            view.seen[changed] = free.stamp[changed]
            view.state[changed] = self._number(free, changed)
        return view.state[nodes]

    def _number(self, free: Free, nodes: Ints) -> list[int]:
        """Number the states of nodes; the order of cards makes no difference, nor does what is owed."""
        rows = np.empty((nodes.size, 3 + self._width), dtype=np.int64)
        for column, values in ((_CPU, free.cpu), (_MEMORY, free.memory), (_MODEL, free.model)):
            rows[:, column] = values[nodes]
        rows[:, _CARDS] = np.sort(free.cards[nodes], axis=1)
        np.maximum(rows, 0, out=rows)
        numbers: list[int] = []
        fresh: list[int] = []
        for at, key in enumerate(map(bytes, rows)):
            number = self._numbers.setdefault(key, len(self._numbers))
            if number == self._known + len(fresh):
                fresh.append(at)
            numbers.append(number)
        if fresh:
            self._learn(rows[fresh])
        return numbers

    def _learn(self, rows: Ints) -> None:
        new = slice(self._known, self._known + len(rows))
        self._known = new.stop
        if self._known > len(self._rows):
            size = self._known + self._known // 4 + 1000
            for array in (self._rows, self._sums, self._before):
                array.resize((size, *array.shape[1:]), refcheck=False)
        sums = self._loss.by_card[rows[:, _CARDS]].sum(axis=1)
        self._rows[new], self._sums[new] = rows, sums
        self._before[new] = self._loss.of(rows[:, _CPU], rows[:, _MEMORY], sums, rows[:, _MODEL])

    def _forget(self, width: int) -> None:
        self._width, self._known = width, 0
        self._views = []
        self._numbers: dict[bytes, int] = {}
        self._memos: dict[TaskShape, Floats] = {}
        self._rows: Ints = np.zeros((0, 3 + width), dtype=np.int64)
        self._sums: Floats = np.zeros((0, self._loss.by_card.shape[1]))
        self._before: Floats = np.zeros(0)
