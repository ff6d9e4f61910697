"""Names of files, which are bytes, as text that passes through JSON, addresses and terminals and back unchanged."""

from __future__ import annotations

import re

LONGEST_PATH = 4096
"""Bytes of a path, as the kernel has it."""
_LONGEST_NAME, _DEEPEST = 255, 128
_ESCAPED = re.compile(r"%([0-9A-Fa-f]{2})")


class BadPath(ValueError):
    """No path of a file below a folder."""


def escaped_path(path: bytes) -> str:
    """As text: `%` and whatever cannot be printed (control characters, bytes that are no UTF-8) become %XX."""
    text = path.decode("utf-8", "surrogateescape")
    return text if text.isprintable() and "%" not in text else "".join(map(_escaped, text))


def path_of(escaped: str) -> bytes:
    """The bytes that `escaped_path` made this text of. BadPath unless they name something below a folder."""
    text = _ESCAPED.sub(lambda found: _byte(int(found[1], 16)), escaped)
    path = text.encode("utf-8", "surrogateescape")
    if len(path) > LONGEST_PATH:
        raise BadPath("too long")
    if b"\0" in path:
        raise BadPath("contains NUL")
    if path.startswith(b"/") or b".." in path.split(b"/"):
        raise BadPath("points outside its folder")
    return b"/".join(part for part in path.split(b"/") if part not in (b"", b"."))


def fits_a_folder(path: bytes) -> bool:
    """Whether a folder can hold a file of this path, without leaving it and without covering another name."""
    parts = path.split(b"/")
    return len(parts) <= _DEEPEST and all(
        0 < len(part) <= _LONGEST_NAME and part not in (b".", b"..") and b"\0" not in part for part in parts
    )


def shown_name(name: bytes) -> str:
    """For people: what cannot be printed is spelled as %XX, and a % stays as it is."""
    text = name.decode("utf-8", "surrogateescape")
    return text if text.isprintable() else "".join(one if one == "%" else _escaped(one) for one in text)


def _escaped(char: str) -> str:
    if char.isprintable() and char != "%":
        return char
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogateescape"))


def _byte(value: int) -> str:
    """One byte, as text that becomes it again; several make a character."""
    return bytes([value]).decode("ascii", "surrogateescape")
