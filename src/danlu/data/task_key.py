"""The key that tasks' tokens are signed with: one for all processes that share the data directory."""

from __future__ import annotations

import secrets
from pathlib import Path

from danlu.data.once import made_once
from danlu.domain.errors import Unavailable
from danlu.domain.words import say

_BYTES = 32


def task_key(folder: Path) -> bytes:
    """The key, created by the first caller."""
    path = folder / "task-key"
    try:
        return made_once(path, lambda: secrets.token_bytes(_BYTES))
    except OSError as error:
        raise Unavailable(
            say(
                "the signing key for task tokens cannot be read or written at {path}: {strerror}",
                "无法在 {path} 中保存子任务令牌的密钥：{strerror}",
                path=path,
                strerror=error.strerror,
            )
        ) from error
