"""The examples that come with Danlu: in `examples/` of a checkout, inside the package of an installed one."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import io
import re
import tarfile
import tomllib
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from danlu.domain.words import Words
from danlu.ports.code import CodeStore
from danlu.ports.examples import Example

ABOUT, JOB_FILE = "about.toml", "job.yaml"
GROUPS = ("basics", "frameworks")
_OWN_CODE = re.compile(r"^code: \{path: \.\}$", re.MULTILINE)
_NO_CODE = re.compile(r"README.*\.md|about\.toml|job\.yaml")
"""Files that explain an example and are not part of its code."""


def find_examples() -> Path:
    """Where they are: inside the installed package, else in the checkout this runs from."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "examples"
    return installed if installed.is_dir() else package.parents[1] / "examples"


class FolderExamples:
    """The Examples of a folder: each is a folder in it that has an `about.toml` and a `job.yaml`. Read once."""

    def __init__(self, folder: Path, code: CodeStore) -> None:
        self._folder, self._code = folder, code

    async def all(self) -> Sequence[Example]:
        packed = await asyncio.to_thread(lambda: self._packed)
        for one in packed:
            await self._keep(one)
        return [one.example for one in packed]

    async def get(self, name: str) -> Example | None:
        packed = await asyncio.to_thread(lambda: self._packed)
        found = next((one for one in packed if one.example.id == name), None)
        if found is None:
            return None
        await self._keep(found)
        return found.example

    @cached_property
    def _packed(self) -> list[_Packed]:
        folders = [
            file.parent for file in self._folder.glob(f"*/{ABOUT}") if (file.parent / JOB_FILE).is_file()
        ]
        return sorted((_pack(folder) for folder in folders), key=lambda one: (one.place, one.example.id))

    async def _keep(self, one: _Packed) -> None:
        """Store the code again if the archive was cleaned up."""
        if one.archive and not await asyncio.to_thread(self._code.has, one.digest):
            await self._code.put(one.digest, _whole(one.archive))


@dataclass(frozen=True, slots=True)
class _Packed:
    example: Example
    place: tuple[int, int]
    archive: bytes
    digest: str


def _pack(folder: Path) -> _Packed:
    import yaml  # only where somebody looks at examples

    files = dict(_files(folder))
    about = tomllib.loads(files[ABOUT])
    written, code = (
        files[JOB_FILE],
        {name: text for name, text in files.items() if not _NO_CODE.fullmatch(name)},
    )
    archive = _archive(code) if _OWN_CODE.search(written) else b""
    digest = hashlib.sha256(archive).hexdigest()
    job = yaml.safe_load(written)
    example = Example(
        id=folder.name,
        group=about["group"],
        label=Words(about["label_en"], about["label_zh"]),
        about=Words(about["about_en"], about["about_zh"]),
        framework=job.get("framework"),
        strategy=job.get("strategy"),
        file=_OWN_CODE.sub(f'code: {{archive: "{digest}"}}', written),
        files={name: text for name, text in files.items() if name != ABOUT},
    )
    return _Packed(example, (GROUPS.index(example.group), about["order"]), archive, digest)


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(part.startswith((".", "__pycache__")) for part in parts):
            yield "/".join(parts), path.read_text("utf-8")


def _archive(files: Mapping[str, str]) -> bytes:
    """A tar.gz that is the same for the same files, wherever and whenever it is made."""
    body = io.BytesIO()
    zipped = gzip.GzipFile(filename="", mode="wb", fileobj=body, mtime=0)
    with zipped, tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, text in files.items():
            data = text.encode()
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), 0o644
            tar.addfile(entry, io.BytesIO(data))
    return body.getvalue()


async def _whole(data: bytes) -> AsyncIterator[bytes]:
    yield data
