"""For training code: report metrics and checkpoints, notice when to stop, find where to resume.

All of it also works outside Danlu, where it does nothing; disk or network errors never reach the training."""

from __future__ import annotations

import os
import signal
import threading
import time
from operator import index
from typing import Any, Mapping, NamedTuple

from danlu.ports import reports
from danlu.ports.reports import ReportedPoint, Save
from danlu.sdk.training.remarks import warn_once
from danlu.sdk.training.reporting import Reporter, outlet_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import SupportsFloat, SupportsIndex, Union

    Step = SupportsIndex
    Number = Union[SupportsFloat, SupportsIndex]
    Path = Union[str, "os.PathLike[str]"]


class Resume(NamedTuple):
    """The checkpoint to resume from; `step` if it was given when the checkpoint was reported."""

    path: str
    step: int | None


def log(step: Step, values: Mapping[str, Number] | None = None, **named: Number) -> None:
    """Report metrics of a step: `danlu.log(step, loss=loss, lr=lr)`, or `danlu.log(step, {"val/loss": loss})`.

    Numbers are whatever `float()` takes, such as a tensor of one element (on a GPU that waits for it). Costs a few
    microseconds; what was logged is written twice a second and when the program ends."""
    at = _step(step, "log")
    if values is not None:
        if not isinstance(values, Mapping):
            raise TypeError(f"danlu.log: pass metrics by name or as a mapping, not as {_kind(values)}")
        named = {**values, **named}
    if not named or len(named) > reports.MOST_VALUES:
        raise ValueError(f"danlu.log: 1 to {reports.MOST_VALUES} metrics per call, not {len(named)}")
    numbers = {}
    for name, value in named.items():
        if name not in _names:
            _check_name(name)
        if type(value) is float:
            numbers[name] = value
        else:
            numbers[name] = _number(name, value)
    _reporter().point(ReportedPoint(int(time.time() * 1000), at, numbers))


def checkpoint(path: Path, step: Step | None = None) -> None:
    """Tell Danlu that a checkpoint is complete at `path`, which may be a file or a folder: the next attempt gets it
    as `resume_from()`. Call it after the last byte is written, in one process of the job."""
    place = os.path.abspath(os.fsdecode(path))
    if not reports.is_path(place):
        raise ValueError("danlu.checkpoint: the path is too long or contains unprintable characters")
    at = None if step is None else _step(step, "checkpoint")
    _warn_if_fleeting(place)
    _reporter().save(Save(int(time.time() * 1000), at, place))


def should_stop() -> bool:
    """Whether Danlu has asked this program to save and exit; it is killed after `checkpoint.grace`.

    The first call must be in the main thread, and is best made before the training begins: from then on SIGTERM
    does not end the program but makes this true. A handler that was there before is called as well."""
    if not _stop.noticing:
        _stop.notice()
    return _stop.asked


def resume_from() -> Resume | None:
    """The newest checkpoint of the job's earlier attempts; None when there is none: start from the beginning."""
    path, step = os.environ.get("DANLU_RESUME_FROM"), os.environ.get("DANLU_RESUME_STEP", "")
    if not path:
        return None
    try:
        return Resume(path, int(step))
    except ValueError:
        return Resume(path, None)


class _Stop:
    """What SIGTERM does once somebody asks for it."""

    def __init__(self) -> None:
        self.asked = False
        self.noticing = False
        self._earlier: Any = None

    def notice(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        self._earlier = signal.signal(signal.SIGTERM, self._note)
        self.noticing = True

    def _note(self, number: int, frame: Any) -> None:
        self.asked = True
        if callable(self._earlier):
            self._earlier(number, frame)


_stop = _Stop()
_names: set[str] = set()
_known: dict[str, Reporter] = {}


def _reporter() -> Reporter:
    """One for the program, made when it first reports."""
    # Without a lock, which a fork at the wrong moment would leave closed in the child.
    return _known.get("it") or _known.setdefault("it", Reporter(lambda: outlet_for(os.environ)))


def _step(step: Step, where: str) -> int:
    try:
        at = index(step)
    except TypeError:
        raise TypeError(f"danlu.{where}: step must be a whole number, not {_kind(step)}") from None
    if abs(at) > reports.LARGEST_STEP:
        raise ValueError(f"danlu.{where}: step {at} is out of range")
    return at


def _number(name: str, value: Any) -> float:
    if not isinstance(value, (str, bytes, bytearray)):
        try:
            # A tensor that has gradients would warn of `float`.
            return float(value.item() if hasattr(value, "item") else value)
        except (TypeError, ValueError, RuntimeError, OverflowError):
            pass
    raise TypeError(f"danlu.log: '{name}' must be one number, not {_kind(value)}")


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or not reports.is_name(name):
        raise ValueError(
            f"danlu.log: the name of a metric must have 1 to {reports.LONGEST_NAME} printable characters"
        )
    # Kept so that the same name costs nothing again; names made anew for every step are not.
    if len(_names) < 10_000:
        _names.add(name)


def _warn_if_fleeting(place: str) -> None:
    """The working directory is deleted with the attempt."""
    home = os.environ.get("HOME") if "DANLU_SUPERVISED" in os.environ else os.environ.get("DANLU_CODE_DIR")
    if home and place.startswith(home.rstrip("/") + "/"):
        warn_once(
            "this checkpoint is in the task's working directory, which is deleted when the attempt ends; "
            "save below $DANLU_CHECKPOINT_DIR"
        )


def _kind(value: object) -> str:
    return f"{type(value).__name__} {value!r}"[:100]
