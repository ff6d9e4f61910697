"""Copies of files of volumes: as long as they take, with the answer kept waiting rather than given up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Annotated

from fastapi import Depends, Request
from starlette.responses import Response

from danlu.control.volumes.files import FilesOfVolume
from danlu.domain.errors import DanluError
from danlu.domain.file_names import escaped_path
from danlu.domain.permissions import Caller
from danlu.server.desk import Desk
from danlu.server.files.reading import read_path
from danlu.server.http.answering import Json, answer, as_json
from danlu.server.http.reading import Body
from danlu.server.http.streams import Stream
from danlu.server.http.turns import as_stream
from danlu.server.route import AtDesk, Routes, Who, in_thread
from danlu.server.volumes import file_models as models
from danlu.server.volumes.files import FILES, WRITE, below, target_of, told_of
from danlu.server.volumes.refusals import failure

routes = Routes("volumes")

_STEP_S = 0.2
_SOON_S = 10.0
_SIGN_EVERY_S = 5.0
_CHECK_EVERY_S = 5.0


@routes.add("POST", f"{FILES}/copy", WRITE, models.ChangedPaths, refusals=(409, 413, 422, 507))
async def copy_volume_files(
    request: Request,
    desk: AtDesk,
    who: Who,
    volume: str,
    body: Annotated[models.CopyPaths, Depends(Body(models.CopyPaths))],
) -> Response:
    """Copy files and folders, within a volume or into another; nothing is overwritten.

    After ten seconds the answer begins with blanks while the copy goes on; what fails from then on is told in `failed`.
    Who leaves ends the copy."""
    as_stream(request.scope)
    source = await in_thread(desk.services.volume_files.open, who, volume)
    to = await in_thread(_writable, desk, who, body.volume or volume)
    target = await in_thread(target_of, desk, to, body)
    copy = _Copy(desk, who, body, source, to, target)
    going = asyncio.ensure_future(copy.all())
    soon = min(_SOON_S, desk.services.process.settings.request_time / 2000)
    try:
        done, _ = await asyncio.wait({going}, timeout=soon)
    except asyncio.CancelledError:
        going.cancel()
        raise
    if done:
        return answer(going.result())
    return Stream(desk.streams, _kept_waiting(going, body.all), "application/json")


class _Copy:
    """What is asked for, one path after the other; room and access are looked at again while it goes on."""

    def __init__(
        self,
        desk: Desk,
        who: Caller,
        body: models.CopyPaths,
        source: FilesOfVolume,
        to: FilesOfVolume,
        target: Callable[[bytes], bytes],
    ) -> None:
        self._desk, self._who, self._body = desk, who, body
        self._source, self._to, self._target = source, to, target
        self._left = to.left
        self._checked = time.monotonic()

    async def all(self) -> Json:
        """If nothing could be done, the first refusal."""
        items, failed, errors = [], [], []
        for text in self._body.all:
            try:
                path = read_path(text, ("path",))
                await self._one(path)
                items.append({"path": text, "to": escaped_path(self._target(path))})
            except (OSError, DanluError) as error:
                errors.append(told_of(text, error))
                failed.append(failure(text, errors[-1]))
        if errors and not items:
            raise errors[0]
        return {"items": items, "failed": failed}

    async def _one(self, path: bytes) -> None:
        steps = self._desk.services.ports.changes.copy(
            self._source.at.place(below(path)),
            self._to.at,
            self._target(path),
            self._to.open.hand,
            self._left,
        )
        done, over = 0, False
        while not over:
            done, over = await self._desk.threads.for_export(_advanced, steps, done)
            if time.monotonic() - self._checked > _CHECK_EVERY_S:
                self._checked = time.monotonic()
                await in_thread(self._desk.services.volume_files.require_still, self._who, self._to.ref, 1)
        self._left = None if self._left is None else self._left - done


async def _kept_waiting(going: asyncio.Future[Json], paths: list[str]) -> AsyncGenerator[bytes, None]:
    """Blanks before the answer say that it will come; JSON allows them."""
    try:
        while not going.done():
            yield b" "
            await asyncio.wait({going}, timeout=_SIGN_EVERY_S)
        try:
            told = going.result()
        except DanluError as error:
            told = {"items": [], "failed": [failure(path, error) for path in paths]}
        yield as_json(told)
    finally:
        going.cancel()


def _writable(desk: Desk, who: Caller, volume: str) -> FilesOfVolume:
    opened = desk.services.volume_files.open(who, volume, write=True)
    desk.services.volume_files.require_room(opened, 0)
    return opened


def _advanced(steps: Iterator[int], done: int) -> tuple[int, bool]:
    """How much is copied after a moment's work, and whether that was all."""
    until = time.monotonic() + _STEP_S
    for done in steps:
        if time.monotonic() >= until:
            return done, False
    return done, True
