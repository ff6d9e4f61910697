"""How busy NVIDIA's cards are and how much of their memory is in use, by the driver's own library (NVML)."""

from __future__ import annotations

import ctypes
import queue
import threading
from typing import Callable, Sequence, Tuple

from danlu.ports.samples import UNKNOWN

_LIBRARY = "libnvidia-ml.so.1"
_PATIENCE = 0.05

GpuReading = Tuple[int, int]
_NOTHING: GpuReading = (UNKNOWN, UNKNOWN)


class GpuReader:
    """Asks the library in a thread of its own: a driver that hangs must not keep the supervisor waiting."""

    def __init__(self, indexes: Sequence[int]) -> None:
        self._nothing = (_NOTHING,) * len(indexes)
        self._questions: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[tuple[GpuReading, ...]] = queue.SimpleQueue()
        self._asked = False
        self._works = True
        try:
            threading.Thread(target=self._serve, args=(tuple(indexes),), daemon=True).start()
        except RuntimeError:  # no thread can be had
            self._works = False

    def read(self) -> tuple[GpuReading, ...]:
        """For each card (busy in percent, bytes in use); unknown where there is no answer within a moment."""
        if not self._works:
            return self._nothing
        late = self._asked
        if not late:
            self._ask()
        try:
            answer = self._answers.get(timeout=0.0 if late else _PATIENCE)
        except queue.Empty:
            return self._nothing
        self._asked = False
        if late:
            self._ask()  # a driver this slow has the time until the next look for its answer
        return answer

    def _ask(self) -> None:
        self._questions.put(None)
        self._asked = True

    def _serve(self, indexes: tuple[int, ...]) -> None:
        try:
            library = _Nvml()
            cards = [library.card(index) for index in indexes]
            while True:
                self._questions.get()
                self._answers.put(tuple(library.read(card) for card in cards))
        except (OSError, AttributeError):
            self._works = False  # tried once: what is not there now will not come


class _Utilization(ctypes.Structure):
    _fields_ = (("gpu", ctypes.c_uint), ("memory", ctypes.c_uint))


class _NvmlMemoryInfo(ctypes.Structure):
    _fields_ = (("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong))


class _MemoryV2(ctypes.Structure):
    """Tells apart what the driver keeps for itself, which the first version counts as used."""

    _fields_ = (
        ("version", ctypes.c_uint),
        ("total", ctypes.c_ulonglong),
        ("reserved", ctypes.c_ulonglong),
        ("free", ctypes.c_ulonglong),
        ("used", ctypes.c_ulonglong),
    )


class _Nvml:
    """The few calls that it takes. OSError or AttributeError when the library is missing or does not work."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(_LIBRARY)
        if self._library.nvmlInit_v2() != 0:
            raise OSError("NVML cannot be used")
        self._memory_v2: Callable[..., int] | None = getattr(
            self._library, "nvmlDeviceGetMemoryInfo_v2", None
        )

    def card(self, index: int) -> ctypes.c_void_p | None:
        """A handle; None when there is no such card."""
        handle = ctypes.c_void_p()
        found = self._library.nvmlDeviceGetHandleByIndex_v2(ctypes.c_uint(index), ctypes.byref(handle))
        return handle if found == 0 else None

    def read(self, card: ctypes.c_void_p | None) -> GpuReading:
        return _NOTHING if card is None else (self._busy(card), self._memory(card))

    def _busy(self, card: ctypes.c_void_p) -> int:
        said = _Utilization()
        good = self._library.nvmlDeviceGetUtilizationRates(card, ctypes.byref(said)) == 0
        return int(said.gpu) if good else UNKNOWN

    def _memory(self, card: ctypes.c_void_p) -> int:
        if self._memory_v2 is not None:
            newer = _MemoryV2(version=ctypes.sizeof(_MemoryV2) | 2 << 24)
            if self._memory_v2(card, ctypes.byref(newer)) == 0:
                return int(newer.used)
        said = _NvmlMemoryInfo()
        good = self._library.nvmlDeviceGetMemoryInfo(card, ctypes.byref(said)) == 0
        return int(said.used) if good else UNKNOWN
