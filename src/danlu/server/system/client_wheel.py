"""This very Danlu as a wheel to install the client from: made of the installed files, without the console."""

from __future__ import annotations

import base64
import hashlib
import io
import threading
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import danlu

_PACKAGE = Path(danlu.__file__).resolve().parent
_LEFT_OUT = {"__pycache__", "static"}
_THE_SAME_FOR_ALL = (1980, 1, 1, 0, 0, 0)
_ABOUT = "Wheel-Version: 1.0\nGenerator: danlu\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


class ClientWheel:
    """Made when it is first asked for, and kept: the same bytes for the same files. Any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._content: bytes | None = None

    @property
    def name(self) -> str | None:
        """Of the file, as installers want it; None where Danlu runs from files that nobody installed."""
        about = _installed()
        return f"danlu-{about.version}-py3-none-any.whl" if about else None

    def read(self) -> bytes:
        """FileNotFoundError where there is none."""
        with self._lock:
            if self._content is None:
                self._content = _made()
            return self._content


def _installed() -> metadata.Distribution | None:
    try:
        return metadata.distribution("danlu")
    except metadata.PackageNotFoundError:
        return None


def _made() -> bytes:
    about = _installed()
    if about is None:
        raise FileNotFoundError("danlu is not installed")
    info = f"danlu-{about.version}.dist-info"
    files = dict(_package())
    files[f"{info}/METADATA"] = (about.read_text("METADATA") or "").encode()
    files[f"{info}/WHEEL"] = _ABOUT.encode()
    files[f"{info}/entry_points.txt"] = (about.read_text("entry_points.txt") or "").encode()
    record = f"{info}/RECORD"
    lines = [f"{name},sha256={_digest(content)},{len(content)}\n" for name, content in files.items()]
    files[record] = "".join([*lines, f"{record},,\n"]).encode()
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _THE_SAME_FOR_ALL)
            entry.external_attr = 0o100644 << 16
            wheel.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return whole.getvalue()


def _package() -> Iterator[tuple[str, bytes]]:
    for path in sorted(_PACKAGE.rglob("*")):
        place = path.relative_to(_PACKAGE)
        if path.is_file() and not _LEFT_OUT.intersection(place.parts) and path.suffix != ".pyc":
            yield f"danlu/{place.as_posix()}", path.read_bytes()


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
