"""What .gitignore files say: patterns, negation, folders, nested files, as Git reads them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Iterable, Pattern, Sequence

# Never code, wherever they lie; a .gitignore may bring any of them back with `!name`, except .git.
DEFAULTS = (".git", "__pycache__/", ".venv/", "node_modules/")


@dataclass(frozen=True)
class IgnoreRule:
    """One line of a .gitignore: `base` is the folder it lies in, relative to the root of all rules."""

    base: str
    pattern: Pattern[str]
    keeps: bool
    folders_only: bool

    def matches(self, path: str, is_folder: bool) -> bool:
        if self.folders_only and not is_folder:
            return False
        if self.base and not path.startswith(self.base):
            return False
        return self.pattern.fullmatch(path[len(self.base) :]) is not None


def rules_in(text: str, base: str = "") -> list[IgnoreRule]:
    """The rules of one file; `base` is "" or ends with a slash."""
    return [rule for line in text.splitlines() for rule in _rule(line, base)]


def ignored(rules: Sequence[IgnoreRule], path: str, is_folder: bool) -> bool:
    """Whether the last rule that matches ignores the path; folders above it are the caller's to check."""
    if path.rpartition("/")[2] == ".git":
        return True
    for rule in reversed(rules):
        if rule.matches(path, is_folder):
            return not rule.keeps
    return False


def rules_above(folder: str) -> tuple[list[IgnoreRule], str]:
    """Rules of the Git working copy around a folder, and the folder's place in it ("" or "…/")."""
    folder = os.path.realpath(folder)
    above: list[str] = []
    top = folder
    while not os.path.exists(os.path.join(top, ".git")):
        parent = os.path.dirname(top)
        if parent == top:
            return [], ""
        above.insert(0, parent)
        top = parent
    rules: list[IgnoreRule] = []
    for one in above:
        relative = os.path.relpath(one, top).replace(os.sep, "/")
        rules += rules_of_folder(one, "" if relative == "." else relative + "/")
    inside = os.path.relpath(folder, top).replace(os.sep, "/")
    return rules, "" if inside == "." else inside + "/"


def rules_of_folder(folder: str, base: str) -> list[IgnoreRule]:
    try:
        with open(os.path.join(folder, ".gitignore"), encoding="utf-8", errors="replace") as file:
            return rules_in(file.read(), base)
    except (FileNotFoundError, IsADirectoryError):
        return []


def default_rules() -> list[IgnoreRule]:
    return rules_in("\n".join(DEFAULTS))


def _rule(line: str, base: str) -> Iterable[IgnoreRule]:
    line = re.sub(r"(?<!\\)((?:\\\\)*)[ \t]+$", r"\1", line)
    if not line or line.startswith("#"):
        return
    keeps = line.startswith("!")
    if keeps:
        line = line[1:]
    folders_only = line.endswith("/")
    line = line.rstrip("/") if folders_only else line
    if not line:
        return
    anchored = "/" in line
    yield IgnoreRule(base, _compiled(line.lstrip("/"), anchored), keeps, folders_only)


@lru_cache(maxsize=1024)
def _compiled(glob: str, anchored: bool) -> Pattern[str]:
    """A glob as a pattern for a whole path; one without a slash matches a name at any depth."""
    out = "" if anchored else "(?:.*/)?"
    at = 0
    while at < len(glob):
        if glob.startswith("**/", at) and (at == 0 or glob[at - 1] == "/"):
            out, at = out + "(?:.*/)?", at + 3
        elif glob.startswith("**", at) and at + 2 == len(glob) and at and glob[at - 1] == "/":
            out, at = out + ".+", at + 2
        elif glob[at] == "*":
            while at < len(glob) and glob[at] == "*":
                at += 1
            out += "[^/]*"
        elif glob[at] == "?":
            out, at = out + "[^/]", at + 1
        elif glob[at] == "[":
            piece, at = _char_class(glob, at)
            out += piece
        else:
            if glob[at] == "\\" and at + 1 < len(glob):
                at += 1
            out, at = out + re.escape(glob[at]), at + 1
    return re.compile(out, re.DOTALL)


def _char_class(glob: str, at: int) -> tuple[str, int]:
    """`[a-z]` or `[!a-z]` from `at`; without its end the bracket is an ordinary character."""
    start = at + 1
    negated = glob[start : start + 1] in ("!", "^")
    start += negated
    end = glob.find("]", start + 1)
    if end < 0:
        return re.escape("["), at + 1
    inner = re.sub(r"([\\\[\]^&~|])", r"\\\1", glob[start:end].replace("\\", ""))
    return f"(?!/)[{'^' if negated else ''}{inner}]", end + 1
