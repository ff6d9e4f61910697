"""Events as the JSON that clients get."""

from __future__ import annotations

from danlu.ports.store import Recorded
from danlu.server.http.answering import (
    Json,
    instant,
    words,
)


def event(one: Recorded) -> Json:
    return {
        "seq": one.seq,
        "time": instant(one.time),
        "kind": one.kind,
        "job_id": one.job_id,
        "actor": one.actor,
        "data": one.data,
        "text": words(one.text),
    }
