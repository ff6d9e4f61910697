"""One's own affairs as the JSON that clients get; `danlu.wire.me` documents it."""

from __future__ import annotations

from dataclasses import asdict

from danlu.domain.people import Session
from danlu.domain.preferences import Preferences
from danlu.server.render import Json, instant, moment


def preferences(one: Preferences) -> Json:
    return {**asdict(one), "news_seen": moment(one.news_seen)}


def own_session(one: Session, here: Session | None) -> Json:
    return {
        "id": one.id,
        "created_at": instant(one.created_at),
        "seen_at": instant(one.seen_at),
        "expires_at": instant(one.expires_at),
        "agent": one.agent,
        "address": one.address,
        "current": here is not None and one.id == here.id,
    }
