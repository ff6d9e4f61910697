"""What the server answers about audit."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping


@dataclass(frozen=True)
class AuditEntry:
    """An entry: who did what, when, from where, with the values before and after. `seal` chains it to the previous
    entry."""

    seq: int = 0
    time: str = ""
    by: str = ""
    act: str = ""
    subject: str = ""
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None
    reason: str = ""
    address: str = ""
    means: str = ""
    seal: str = ""
    text: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class AuditVerdict:
    """How far the chain of seals is intact: `count` entries, up to `seq` with its `seal`. Entries from
    `signed_since` on are signed with a key that is not in the database."""

    ok: bool = False
    count: int = 0
    seq: int = 0
    seal: str = ""
    broken: Mapping[str, Any] | None = None
    signed_since: int | None = None
