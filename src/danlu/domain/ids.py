"""Short identifiers that sort by creation time."""

from __future__ import annotations

import re

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
_EPOCH_MS = 1_704_067_200_000  # 2024-01-01: keeps the time part at nine digits for a thousand years
_TIME_DIGITS, _SALT_DIGITS = 9, 4
SALT_BITS = 5 * _SALT_DIGITS

_PATTERN = re.compile(f"[{_DIGITS}]{{{_TIME_DIGITS + _SALT_DIGITS}}}")


def make_id(now_ms: int, salt: int) -> str:
    """An identifier for this moment; two of one moment are told apart by `salt`."""
    return _encode(max(0, now_ms - _EPOCH_MS), _TIME_DIGITS) + _encode(salt, _SALT_DIGITS)


def looks_like_id(text: str) -> bool:
    return _PATTERN.fullmatch(text) is not None


def _encode(number: int, width: int) -> str:
    digits = []
    for _ in range(width):
        number, rest = divmod(number, 32)
        digits.append(_DIGITS[rest])
    return "".join(reversed(digits))
