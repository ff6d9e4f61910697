"""Images written by hand: layers as tar files, packed into the archive that `docker save` would write."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tools.cluster.layout import ARCHITECTURE

WORLD_WRITABLE = 0o1777


@dataclass(frozen=True)
class Image:
    """A name with its tag, layers from the lowest up, and how its processes start."""

    name: str
    layers: tuple[Path, ...]
    command: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


class Layer:
    """A tar file in the making; the same content always gives the same bytes."""

    def __init__(self, path: Path) -> None:
        self.tar = tarfile.open(path, "w", format=tarfile.PAX_FORMAT)  # noqa: SIM115 (closed by the caller's `with`)

    def __enter__(self) -> Layer:
        return self

    def __exit__(self, *_: object) -> None:
        self.tar.close()

    def folder(self, name: str, mode: int = 0o755) -> None:
        self._add(name, tarfile.DIRTYPE, mode)

    def link(self, name: str, target: str) -> None:
        entry = self._entry(name, tarfile.SYMTYPE, 0o777)
        entry.linkname = target
        self.tar.addfile(entry)

    def file(self, name: str, content: bytes, mode: int = 0o644) -> None:
        self._add(name, tarfile.REGTYPE, mode, content)

    def tree(self, source: Path, name: str = "") -> None:
        """Everything below a folder, owned by root; modes and links as they are there."""
        for path in sorted(source.iterdir()):
            inner = f"{name}/{path.name}" if name else path.name
            if path.is_symlink():
                self.link(inner, str(path.readlink()))
            elif path.is_dir():
                self.folder(inner, path.stat().st_mode & 0o7777)
                self.tree(path, inner)
            elif path.is_file():
                self.file(inner, path.read_bytes(), path.stat().st_mode & 0o7777)

    def _add(self, name: str, kind: bytes, mode: int, content: bytes = b"") -> None:
        entry = self._entry(name, kind, mode)
        entry.size = len(content)
        self.tar.addfile(entry, io.BytesIO(content))

    @staticmethod
    def _entry(name: str, kind: bytes, mode: int) -> tarfile.TarInfo:
        entry = tarfile.TarInfo(name)
        entry.type, entry.mode = kind, mode
        return entry


def write_archive(image: Image, path: Path) -> None:
    """A docker-archive that `ctr image import` takes."""
    digests = [digest_of(layer) for layer in image.layers]
    config = json.dumps(config_of(image, digests), sort_keys=True).encode()
    config_name = f"{hashlib.sha256(config).hexdigest()}.json"
    names = [f"{digest}.tar" for digest in digests]
    manifest = [{"Config": config_name, "RepoTags": [image.name], "Layers": names}]
    with Layer(path) as archive:
        archive.file("manifest.json", json.dumps(manifest).encode())
        archive.file(config_name, config)
        for layer, name in zip(image.layers, names, strict=True):
            entry = tarfile.TarInfo(name)
            entry.size = layer.stat().st_size
            with layer.open("rb") as content:
                archive.tar.addfile(entry, content)


def config_of(image: Image, digests: list[str]) -> dict[str, object]:
    return {
        "architecture": ARCHITECTURE,
        "os": "linux",
        "config": {
            "Cmd": list(image.command),
            "Env": [f"{key}={value}" for key, value in image.environment.items()],
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}" for digest in digests]},
    }


def digest_of(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
