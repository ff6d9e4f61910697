"""The key that signs the audit log: one for all processes that share the data directory, and not in the database."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from pathlib import Path

from danlu.data.once import made_once
from danlu.domain.audit import SealKey
from danlu.domain.errors import Unavailable
from danlu.domain.words import say

_BYTES = 32


def audit_key(folder: Path, last: Callable[[], int]) -> SealKey:
    """The key, created by the first caller for all entries after the `last` one there is then."""
    path = folder / "audit-key"

    def fresh() -> bytes:
        return json.dumps({"key": secrets.token_hex(_BYTES), "since": last() + 1}).encode()

    try:
        kept = json.loads(made_once(path, fresh))
        return SealKey(bytes.fromhex(kept["key"]), int(kept["since"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        # Never replaced: with another key, what was signed could no longer be verified.
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise Unavailable(
            say(
                "the key of the audit log cannot be read or written at {path}: {why}; restore it from a backup of the "
                "data directory",
                "无法读写审计日志的密钥 {path}：{why}；请从数据目录的备份中恢复它",
                path=path,
                why=why,
            )
        ) from error
