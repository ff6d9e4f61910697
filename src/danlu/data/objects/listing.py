"""Pages of a bucket as its store tells them, in XML."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import unquote
from xml.etree import ElementTree

from danlu.data.objects.refusals import NO_LIST
from danlu.domain.errors import BadAnswer
from danlu.domain.job import Time
from danlu.ports.objects import ObjectInfo, ObjectPage

_LONGEST_TAG = 256
_LONGEST_TOKEN = 4096


def page_of(body: bytes, below: str) -> ObjectPage:
    """What lies below a prefix; what a store tells besides is left out."""
    root = document(body, "ListBucketResult")
    coded = _text(root, "EncodingType") == "url"

    def key_of(one: ElementTree.Element, name: str) -> str | None:
        text = _text(one, name)
        key = unquote(text, errors="surrogateescape") if coded else text
        return key[len(below) :] if key.startswith(below) else None

    objects = []
    for one in _all(root, "Contents"):
        key = key_of(one, "Key")
        if key is not None:
            objects.append(_object(one, key))
    folders = [key_of(one, "Prefix") for one in _all(root, "CommonPrefixes")]
    more = _text(root, "IsTruncated") == "true"
    token = _text(root, "NextContinuationToken")
    if more and not 0 < len(token) <= _LONGEST_TOKEN:
        raise BadAnswer(NO_LIST)
    return ObjectPage(tuple(objects), tuple(one for one in folders if one), token if more else "")


def document(body: bytes, kind: str) -> ElementTree.Element:
    """BadAnswer unless it is one of this kind. None that we ask for declares anything of its own."""
    if b"<!" in body:
        raise BadAnswer(NO_LIST)
    try:
        root = ElementTree.fromstring(body)
    except (ElementTree.ParseError, ValueError, LookupError):
        raise BadAnswer(NO_LIST) from None
    if root.tag.rpartition("}")[2] != kind:
        raise BadAnswer(NO_LIST)
    return root


def text_in(root: ElementTree.Element, name: str) -> str:
    return _text(root, name)


def _object(one: ElementTree.Element, key: str) -> ObjectInfo:
    size = _text(one, "Size")
    if not size.isascii() or not size.isdigit() or len(size) > 18:
        raise BadAnswer(NO_LIST)
    return ObjectInfo(key, int(size), tag_of(_text(one, "ETag")), time_of(_text(one, "LastModified")))


def tag_of(text: str) -> str:
    tag = text.strip().removeprefix("W/").strip('"')
    return tag if len(tag) <= _LONGEST_TAG and tag.isascii() and tag.isprintable() else ""


def time_of(text: str) -> Time:
    """0 where it cannot be read."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return 0
    return int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000)


def _all(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [one for one in root if one.tag.rpartition("}")[2] == name]


def _text(root: ElementTree.Element, name: str) -> str:
    found = _all(root, name)
    return (found[0].text or "") if found else ""
