"""What answers do beside holding what was answered; the generated classes take it from here."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, Callable, Iterator, Mapping, Sequence, TypeVar, cast

from danlu.domain.names import run_title

T = TypeVar("T")

ACTIVE = frozenset({"queued", "starting", "running", "stopping"})
ENDED = frozenset({"completed", "failed", "stopped"})


class ByCode:
    """Says its sentence, or its code where it has none."""

    code: str
    text: Mapping[str, str]

    def __str__(self) -> str:
        return self.text.get("en") or self.code


class ByKind:
    """Says its sentence, or its kind."""

    kind: str
    text: Mapping[str, str]

    def __str__(self) -> str:
        return self.text.get("en") or self.kind


class Change:
    """Says its sentence, or what would change to what."""

    change: str
    value: str
    text: Mapping[str, str]

    def __str__(self) -> str:
        return self.text.get("en") or f"{self.change}: {self.value}"


class Excess:
    """Says its sentence, or how much of what is used."""

    quota: str
    resource: str
    used: float
    limit: float
    text: Mapping[str, str]

    def __str__(self) -> str:
        return self.text.get("en") or f"{self.quota}: {self.used:g} of {self.limit:g} {self.resource}"


class Mistake:
    """Says its message and its hint in a language, as far as the server told them in it."""

    message: str
    hint: str | None
    text: Mapping[str, str]
    hint_text: Mapping[str, str]

    def said(self, language: str) -> tuple[str, str]:
        """Message and hint in a language (en, zh)."""
        return self.text.get(language) or self.message, self.hint_text.get(language) or self.hint or ""


class Living:
    """Has a state: before its end, or after it; and a name that may have several runs."""

    state: str
    name: str
    run: int
    numbered: bool
    started_at: str | None
    ended_at: str | None
    expected_time: float | None
    max_time: float | None
    latest: Any

    @property
    def title(self) -> str:
        """`bert`, or `bert#2` if its name has had several runs: what every command takes for this very job."""
        return run_title(self.name, self.run, self.numbered)

    @property
    def active(self) -> bool:
        return self.state in ACTIVE

    @property
    def ended(self) -> bool:
        return self.state in ENDED

    @property
    def progress(self) -> float | None:
        """How far it is, from 0 to 1: by the steps that its training told, else by the time that it was expected to
        take or may take. None for a job that does not run, or tells none of these."""
        if self.state not in ("running", "stopping"):
            return None
        if self.latest is not None and self.latest.total_steps:
            return _share(self.latest.step, self.latest.total_steps)
        whole = self.expected_time or self.max_time
        if not whole or self.started_at is None:
            return None
        began = datetime.fromisoformat(self.started_at.replace("Z", "+00:00"))
        return _share((datetime.now(timezone.utc) - began).total_seconds(), whole)


def _share(part: float, whole: float) -> float:
    return min(1.0, max(0.0, part / whole))


class Handle:
    """Can be asked for more about itself, through the client that it came from."""

    id: str
    tasks: tuple[Any, ...]

    def held_by(self: T, client: Any) -> T:
        self.__dict__["_client"] = client  # no field: it is not part of what was answered
        return self

    def __getstate__(self) -> dict[str, Any]:
        """To be kept or sent elsewhere: without the connection."""
        return {name: value for name, value in self.__dict__.items() if name != "_client"}

    def refresh(self: T) -> T:
        """The job as it is now."""
        return cast(T, _client_of(self).get(self.id))  # type: ignore[attr-defined]

    def wait(self: T, timeout: float | None = None, progress: Callable[[T], object] | None = None) -> T:
        """The job once it has ended; TimedOut after `timeout` seconds. `progress` is called whenever it has changed."""
        return cast(T, _client_of(self).wait(self.id, timeout, progress=progress))  # type: ignore[attr-defined]

    def logs(self, task: str | None = None, follow: bool = False, **more: Any) -> Iterator[Any]:
        """`LogLine`s of a task, or of all tasks merged by time, with `line.task`."""
        client = _client_of(self)
        several = task is None and len(self.refresh().tasks) != 1
        found = (
            client.all_logs(self.id, follow=follow, **more)
            if several
            else client.logs(self.id, task, follow=follow, **more)
        )
        return cast("Iterator[Any]", found)

    def metrics(self, names: str | Sequence[str] = (), **more: Any) -> Any:
        """`JobMetrics`, what it reported: the last values, and lines over its steps."""
        return _client_of(self).metrics(self.id, names, **more)

    def metric_values(self, names: str | Sequence[str] = (), **more: Any) -> Iterator[Any]:
        """Every single `MetricValue` of a metric, of several or of all."""
        return cast("Iterator[Any]", _client_of(self).metric_values(self.id, names, **more))

    def get(self, path: str = "", to: str = "", **more: Any) -> str:
        """Download a file or folder that it wrote, by default its whole working folder, and say where it is. Takes what
        `client.files.get` takes."""
        return cast(
            str,
            _client_of(self).files.get(
                self.id, path, to or path.strip("/").rpartition("/")[2] or _name_of(self), **more
            ),
        )

    def why(self) -> Any:
        """`Why` it waits, stopped or failed, and what to do."""
        return _client_of(self).why(self.id)


def _name_of(one: object) -> str:
    return str(getattr(one, "title", "files"))


def _client_of(one: object) -> Any:
    client = one.__dict__.get("_client")
    if client is None:
        raise ValueError("this job came from no client: ask with client.get(job.id)")
    return client


class Drawn:
    """A line of points."""

    mean: tuple[float | None, ...]

    @property
    def last(self) -> float | None:
        """Where the line ends; None when it has no points, or the last one is not known."""
        return self.mean[-1] if self.mean else None
