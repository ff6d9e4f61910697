"""How much of a node's free resources is lost (fragmented) for typical tasks."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from danlu.domain.arrays import Floats, Ints, np

CARD = 1000
COVERED = 0.95  # typical shapes are the most frequent that make up this share of all requests

_ALONE = 0.03  # weight of a GPU that stays empty when a node is filled with one shape
_CARDS = 5.0  # weight of the part of a card that is expected to stay free
_HASTE = 0.005  # probability, per request, that a card gets no further request

# Losses are whole multiples of 2⁻³⁰ thousandths: sums of whole numbers are exact in any order, on any machine.
_FINE, _PARTS = 2.0**10, 2.0**20


@dataclass(frozen=True, slots=True)
class TaskShape:
    """One task's shape: thousandths of CPUs and GPUs (a share of one card, or whole cards), bytes of memory."""

    cpu: int
    memory: int
    gpu: int = 0
    models: frozenset[int] | None = None  # accepted GPU models; None accepts any

    @property
    def cards(self) -> int:
        """How many whole GPUs it takes."""
        return self.gpu // CARD


# Without data: keep whole GPUs free.
_WHOLE_CARD = TaskShape(cpu=0, memory=0, gpu=CARD)


def typical_of(counts: Mapping[TaskShape, float], covered: float = COVERED) -> dict[TaskShape, float]:
    """The most frequent shapes that make up `covered` of all requests, with their counts."""
    by_count = sorted(counts.items(), key=lambda item: (-item[1], *name_of(item[0])))
    typical: dict[TaskShape, float] = {}
    missing = covered * sum(counts.values())
    for request, count in by_count:
        if missing <= 0:
            break
        typical[request] = count
        missing -= count
    return typical


class Loss:
    """How many free GPUs of a node are lost to typical tasks, in three views of the future:

    - next: free GPUs that one typical task could not use, because the node lacks CPUs, memory or whole cards, or
      because too little of a card is free (the fragments of Weng et al., USENIX ATC '23);
    - alone: free GPUs that stay empty if only tasks of one shape come from now on, because CPUs or memory run out
      before the GPUs do;
    - cards: the part of each card that is expected to stay free even if the card takes the best of the coming requests.

    The first two are means over the typical shapes, weighted by their counts. Shares of a card are also weighted by
    the inverse square of their size: the smaller, the more of them come per GPU, and the fewer others fit their room.
    """

    def __init__(self, typical: Mapping[TaskShape, float], models: int) -> None:
        shapes = {request: count for request, count in typical.items() if request.gpu and count > 0}
        shapes = shapes or {_WHOLE_CARD: 1.0}
        self._gpu = _row(request.gpu for request in shapes)
        counts = _row(shapes.values())
        weights = counts / np.minimum(self._gpu / CARD, 1) ** 2
        self._weights = np.rint(_PARTS * weights / weights.sum())
        self._cpu, self._free_cpu = _divisor(request.cpu for request in shapes)
        self._memory, self._free_memory = _divisor(request.memory for request in shapes)
        accepted = [[_accepts(request, model) for request in shapes] for model in range(max(models, 1))]
        self._accepted = np.array(accepted, dtype=np.float64)
        self._cards = np.maximum(self._gpu // CARD, 1)
        # What `of` needs to know about a card, by its free thousandths.
        self.by_card = self._tabulate(counts / counts.sum())

    def of(self, cpu: Ints, memory: Ints, cards: Floats, model: Ints) -> Floats:
        """The loss of each of some nodes; `cards` are the sums of `by_card` over their cards."""
        shapes = self._gpu.size
        tasks = np.floor(cards[:, :shapes] / self._cards)
        tasks *= self._accepted[model]
        np.minimum(tasks, (cpu[:, None] + self._free_cpu) / self._cpu, out=tasks)
        np.minimum(tasks, (memory[:, None] + self._free_memory) / self._memory, out=tasks)
        useful = (tasks >= 1) * cards[:, shapes:-1] + tasks * (_ALONE * self._gpu)
        lost: Floats = cards[:, -1] - np.rint(useful * _FINE) @ self._weights
        return lost

    def _tabulate(self, passing: Floats) -> Floats:
        """For 0 to 1000 free thousandths: how many tasks of each shape fit, the GPUs each can use, and the loss."""
        free = np.arange(CARD + 1.0)
        wanted = np.minimum(self._gpu, CARD)
        unusable = (1 + _ALONE) * free * self._weights.sum() * _FINE
        never_given = _CARDS * (free - _expected(wanted, passing)) * _PARTS * _FINE
        tasks = np.floor(free[:, None] / wanted)
        return np.hstack([tasks, (tasks > 0) * free[:, None], np.rint(unusable + never_given)[:, None]])


@functools.lru_cache(maxsize=16)
def loss_for(typical: tuple[tuple[TaskShape, float], ...], models: int) -> Loss:
    """Cached by the typical shapes: it is immutable, and computing its tables takes a while."""
    return Loss(dict(typical), models)


def _expected(wanted: Floats, passing: Floats) -> Floats:
    """The expected use of a card with 0 to 1000 free thousandths, if it takes the best of the coming requests.

    Requests come in proportion to `passing` and end at the rate _HASTE. The value v of a card solves
    _HASTE·v = Σ passing·max(0, gain − v): it takes a request that gains more than waiting is worth. With the gains
    sorted in descending order, v is the largest of the weighted means of the first n.
    """
    worth = np.zeros(CARD + 1)
    for free in range(1, CARD + 1):
        fits = wanted <= free
        if fits.any():
            amount = wanted[fits]
            gain = amount + worth[free - amount.astype(np.int64)]
            best = np.argsort(-gain, kind="stable")
            rate = passing[fits][best]
            worth[free] = (np.cumsum(gain[best] * rate) / (_HASTE + np.cumsum(rate))).max()
    return worth


def _divisor(wanted: Iterable[int]) -> tuple[Floats, Floats]:
    """The divisor of free amounts, and a term to add first: an amount that is not requested never runs out."""
    row = _row(wanted)
    return np.maximum(row, 1), np.where(row > 0, 0, 1e18)


def _row(values: Iterable[float]) -> Floats:
    return np.array(list(values), dtype=np.float64)


def _accepts(request: TaskShape, model: int) -> bool:
    return request.models is None or model in request.models


def name_of(request: TaskShape) -> tuple[int, int, int, tuple[int, ...]]:
    return request.gpu, request.cpu, request.memory, tuple(sorted(request.models or ()))
