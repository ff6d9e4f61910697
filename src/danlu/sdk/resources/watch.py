"""A job as it changes: told by the event stream, asked for again whenever something happened to it."""

from __future__ import annotations

import json
import time
from typing import IO, TYPE_CHECKING, Any, Callable, Iterator, Mapping

from danlu.sdk.http.errors import DanluError, NotAllowed, NotFound, NotSignedIn
from danlu.sdk.http.http import DROPPED, Http
from danlu.sdk.http.sse import events
from danlu.sdk.resources.logs import PATIENCE

if TYPE_CHECKING:
    from danlu.sdk.models import Job

# A stream that is silent for so long is opened anew and the job asked for: connections die without a word.
QUIET = 20.0
_PAUSE = 0.3


def changes(
    http: Http,
    job_id: str,
    fetch: Callable[[], Mapping[str, Any]],
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[Mapping[str, Any]]:
    """Yield the job now and after every change of its version, for as long as the caller listens."""
    version = None
    waited = 0.0
    while True:
        try:
            # The stream is opened before the job is read, so that no change falls between the two.
            with http.stream("events", timeout=QUIET) as stream:
                for _ in _nudges(stream, job_id):
                    job = fetch()
                    waited = 0.0
                    if job.get("version") != version:
                        version = job.get("version")
                        yield job
        except (NotFound, NotAllowed, NotSignedIn):
            raise
        except DanluError:
            if waited >= PATIENCE:
                raise
        except (*DROPPED, OSError):
            pass
        sleep(_PAUSE)
        waited += _PAUSE


def _nudges(stream: IO[bytes], job_id: str) -> Iterator[None]:
    """Once at the beginning, then for every event about the job."""
    yield None
    for event in events(stream):
        try:
            about = json.loads(event.data).get("job_id")
        except (ValueError, AttributeError):
            continue
        if about == job_id:
            yield None


def until(look: Callable[[], Job], deadline: float | None, clock: Callable[[], float]) -> Iterator[Job]:
    """Poll a job till the deadline, less and less often: a stream could not be left at a given moment."""
    pause = 0.05
    while True:
        yield look()
        left = pause if deadline is None else deadline - clock()
        if left <= 0:
            return
        time.sleep(min(pause, left))
        pause = min(pause * 1.5, 1.0)
