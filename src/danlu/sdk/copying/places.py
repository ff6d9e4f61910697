"""Places as people write them: a local path, vol:NAME/path or NAME:/path, s3://bucket/prefix, http(s)://…"""

from __future__ import annotations

import re
from typing import NamedTuple

from danlu.domain.words import say
from danlu.sdk.copying.globs import first_wildcard, unescaped
from danlu.sdk.http.errors import BadPlace

LOCAL, VOLUME, BUCKET, WEB = "local", "volume", "bucket", "web"
_VOLUME = r"(?:[a-z][a-z0-9_-]*:)?[a-z0-9][a-z0-9.-]*"
_IN_VOLUME = re.compile(rf"({_VOLUME})(?::(/.*)?)?", re.DOTALL)
_VOL = re.compile(rf"vol:({_VOLUME})(/.*)?", re.DOTALL)
_BUCKET = re.compile(r"s3:(?://)?([A-Za-z0-9][A-Za-z0-9._-]+)(?:/(.*))?", re.DOTALL)
_PATHS = ("/", "./", "../", "~")


class CopyPlace(NamedTuple):
    """`root` is the volume, the bucket or the address, `path` what lies below it (of a local place all of it);
    `pattern` is what follows from the first part with a wildcard on. `is_folder`: written with a / at its end."""

    kind: str
    root: str
    path: str
    pattern: str = ""
    is_folder: bool = False

    def __str__(self) -> str:
        whole = "/".join(part for part in (self.path, self.pattern) if part)
        if self.kind == VOLUME:
            return f"{self.root}:/{whole}"
        if self.kind == BUCKET:
            return f"s3://{self.root}/{whole}"
        return self.root if self.kind == WEB else whole

    @property
    def name(self) -> str:
        """The last part of it: what a copy is called."""
        return self.path.rstrip("/").rpartition("/")[2]


def place_of(text: str) -> CopyPlace:
    """BadPlace with the ways to write one. What begins like a path is one, whatever follows."""
    is_folder = text.endswith("/")
    if not text or "\0" in text:
        raise _bad(text)
    if text.startswith(_PATHS) or text in (".", ".."):
        return _local(text)
    if text.startswith(("http://", "https://")):
        path = re.split("[?#]", text.split("://", 1)[1], maxsplit=1)[0].partition("/")[2]
        return CopyPlace(WEB, text, path)
    if text.startswith(("s3:", "S3:")):
        found = _BUCKET.fullmatch(f"s3{text[2:]}")
        if found is None:
            raise _bad(text)
        return _split(BUCKET, found[1], (found[2] or "").rstrip("/"), is_folder)
    found = _VOL.fullmatch(text)
    if found is not None:
        return _below(text, found[1], found[2] or "", is_folder)
    place = text[4:] if text.startswith("vol:") and ":/" in text[4:] else text
    named = volume_place(place) if ":/" in place else None
    if named is not None:
        return _below(text, named[0], named[1], is_folder)
    if text.startswith("vol:") or (":/" in text and _IN_VOLUME.fullmatch(text)):
        raise _bad(text)
    return _local(text)


def volume_place(text: str) -> tuple[str, str] | None:
    """Volume and path of VOLUME:/path or OWNER:VOLUME:/path; a volume alone is its whole folder."""
    found = _IN_VOLUME.fullmatch(text)
    if found is None or ".." in (found[2] or "").split("/"):
        return None
    return found[1], "/".join(part for part in (found[2] or "").split("/") if part not in ("", "."))


def _below(text: str, volume: str, path: str, is_folder: bool) -> CopyPlace:
    parts = path.split("/")
    if ".." in parts:
        raise _bad(text)
    return _split(VOLUME, volume, "/".join(part for part in parts if part not in ("", ".")), is_folder)


def _local(text: str) -> CopyPlace:
    import os

    path = os.path.expanduser(text)
    is_folder = text.endswith("/")
    if os.path.lexists(path):  # whatever characters its name has
        return CopyPlace(LOCAL, "", path, is_folder=is_folder)
    found = _split(LOCAL, "", path, is_folder)
    return found._replace(path=found.path or "/" if path.startswith("/") else found.path)


def _split(kind: str, root: str, path: str, is_folder: bool) -> CopyPlace:
    parts = path.split("/")
    at = first_wildcard(parts)
    if at is None:
        return CopyPlace(kind, root, path if kind == LOCAL else unescaped(path), is_folder=is_folder)
    above = "/".join(parts[:at])
    return CopyPlace(kind, root, above if kind == LOCAL else unescaped(above), "/".join(parts[at:]))


def _bad(text: str) -> BadPlace:
    return BadPlace(
        say(
            "'{text}' is no place; write a path, vol:NAME/path, OWNER:VOLUME:/path, s3://BUCKET/prefix or "
            "https://…",
            "“{text}”不是有效的位置；请写作本地路径、vol:NAME/path、OWNER:VOLUME:/path、"
            "s3://BUCKET/prefix 或 https://…",
            text=text,
        )
    )
