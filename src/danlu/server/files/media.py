"""What a file is by its first bytes, where that is an image, sound or film: kinds that hold nothing a browser runs."""

from __future__ import annotations

FIRST_BYTES = 16
UNKNOWN = "application/octet-stream"
_STARTS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"OggS\0", "audio/ogg"),
    (b"fLaC\0", "audio/flac"),
    (b"ID3", "audio/mpeg"),
    (b"\xff\xfb", "audio/mpeg"),
    (b"\xff\xf3", "audio/mpeg"),
    (b"\xff\xf2", "audio/mpeg"),
    (b"\xff\xf1", "audio/aac"),
    (b"\xff\xf9", "audio/aac"),
)
_RIFF = {b"WAVE": "audio/wav", b"WEBP": "image/webp"}
_FILM_BRANDS = (
    b"isom",
    b"iso2",
    b"iso4",
    b"iso5",
    b"iso6",
    b"mp41",
    b"mp42",
    b"avc1",
    b"M4V ",
    b"qt  ",
    b"dash",
)
_MEDIA = sorted({kind for _, kind in _STARTS} | set(_RIFF.values()) | {"audio/mp4", "video/mp4"})
MEDIA_TYPES = (UNKNOWN, *_MEDIA)


def media_type(first: bytes) -> str:
    """Whatever the file's name says: HTML, SVG, PDF and scripts are bytes like any others."""
    if first[:4] == b"RIFF":
        return _RIFF.get(first[8:12], UNKNOWN)
    if first[4:8] == b"ftyp":
        brand = first[8:12]
        return "audio/mp4" if brand == b"M4A " else "video/mp4" if brand in _FILM_BRANDS else UNKNOWN
    return next((kind for start, kind in _STARTS if first.startswith(start)), UNKNOWN)
