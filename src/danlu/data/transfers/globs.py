"""Which paths are wished: globs as people know them."""

from __future__ import annotations

import re
from collections.abc import Sequence


class PathFilter:
    """`*` and `?` stay within a folder, `**` does not; a glob without / fits names in any folder, and what fits a
    folder fits all that is in it."""

    def __init__(self, include: Sequence[str], exclude: Sequence[str]) -> None:
        self._include = [_compiled(one) for one in include]
        self._exclude = [_compiled(one) for one in exclude]

    def takes(self, path: bytes) -> bool:
        text = path.decode("utf-8", "surrogateescape")
        if self._include and not any(one.fullmatch(text) for one in self._include):
            return False
        return not any(one.fullmatch(text) for one in self._exclude)


def _compiled(glob: str) -> re.Pattern[str]:
    anchored = "/" in glob.strip("/") or glob.startswith("/")
    body, at, text = "", 0, glob.strip("/")
    while at < len(text):
        if text.startswith("**/", at):
            body, at = body + "(?:.*/)?", at + 3
        elif text.startswith("**", at):
            body, at = body + ".*", at + 2
        else:
            char = text[at]
            body += {"*": "[^/]*", "?": "[^/]"}.get(char) or re.escape(char)
            at += 1
    before = "" if anchored else "(?:.*/)?"
    return re.compile(f"{before}{body}(?:/.*)?", re.DOTALL)
