"""A command inside a running task, over a WebSocket: bytes both ways, control messages as JSON."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any

from fastapi import Depends, WebSocket
from starlette.websockets import WebSocketDisconnect

from danlu.domain.errors import DanluError, FieldError, Invalid, NotFound, Unavailable, WrongState
from danlu.domain.job import Job, Task, TaskState
from danlu.domain.permissions import Caller, Permission
from danlu.ports.engine import Shell
from danlu.server.desk import Desk
from danlu.server.reading import Query, check_text
from danlu.server.route import AtDesk, Routes, Who, checked_again, in_thread, require
from danlu.server.rules import API
from danlu.server.sockets import together
from danlu.server.streams import HEARTBEAT_S
from danlu.wire.requests import ExecQuery

routes = Routes("exec")

SHELL = ["/bin/sh", "-c", "command -v bash >/dev/null && exec bash || exec sh"]
_WRONG = 1008
_PATIENCE_S = 600


@routes.add("WS", f"{API}/jobs/{{job}}/exec")
async def exec_in_task(
    socket: WebSocket,
    desk: AtDesk,
    who: Who,
    job: str,
    query: Annotated[ExecQuery, Depends(Query(ExecQuery))],
) -> None:
    """Run a command in a running task.

    Binary frames are its bytes. Text is control: {"resize": [columns, rows]} and {"eof": true} from the
    client, {"exit": code} or {"error": sentence} from the server.
    """
    argv = _argv(query.command)
    found, task = await in_thread(_find, desk, who, job, query.task)
    shells = desk.services.shells
    if shells is None:
        raise Unavailable("tasks of this engine cannot be entered")
    await socket.accept()
    try:
        size = (query.cols, query.rows) if query.tty else None
        shell = await shells.exec(found.attempt_id, task, argv, size)
    except DanluError as error:
        await _say(socket, {"error": error.detail})
        await socket.close(_WRONG)
        return
    try:
        halves = (_input(socket, shell), _output(socket, shell), _watch(socket, found.owner))
        await together(socket, desk.streams, *halves)
    finally:
        await shell.close()


async def _output(socket: WebSocket, shell: Shell) -> None:
    while data := await shell.read():
        await socket.send_bytes(data)
    await _say(socket, {"exit": await shell.wait()})


async def _input(socket: WebSocket, shell: Shell) -> None:
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        data = message.get("bytes")
        if data is not None:
            if data:  # an empty frame is no end of input; {"eof": true} is
                # Meanwhile nobody would notice that the client has left.
                async with asyncio.timeout(_PATIENCE_S):
                    await shell.write(data)
        elif not await _control(shell, message.get("text")):
            await _say(socket, {"error": 'a control message is {"resize": [columns, rows]} or {"eof": true}'})
            await socket.close(_WRONG)
            return


async def _watch(socket: WebSocket, owner: str) -> None:
    """Until whoever entered may no longer."""
    while True:
        await asyncio.sleep(HEARTBEAT_S)
        try:
            await checked_again(socket, Permission.JOB_EXEC, owner)
        except DanluError as error:
            await _say(socket, {"error": error.detail})
            await socket.close(_WRONG)
            return


async def _control(shell: Shell, text: Any) -> bool:
    try:
        said = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return False
    match said:
        case {"resize": [int(columns), int(rows)]} if 0 < columns <= 1000 and 0 < rows <= 1000:
            shell.resize(columns, rows)
        case {"eof": True}:
            await shell.write(b"")
        case _:
            return False
    return True


def _find(desk: Desk, who: Caller, ref: str, name: str | None) -> tuple[Job, Task]:
    job = desk.services.jobs.get(who, ref)
    require(who, Permission.JOB_EXEC, job.owner)
    tasks = job.attempt.tasks if job.attempt else ()
    running = [task for task in tasks if task.state is TaskState.RUNNING]
    if name is not None and name not in {task.name for task in tasks}:
        raise NotFound(f"the job has no task '{name}'")
    for task in running:
        if name in (None, task.name):
            return job, task
    raise WrongState(f"{job.spec.name} is {job.state}; a task can be entered while it runs")


def _argv(command: str | None) -> list[str]:
    if command is None:
        return SHELL
    try:
        argv = json.loads(command)
    except (ValueError, RecursionError):
        argv = None
    if not isinstance(argv, list) or not argv or not all(isinstance(part, str) for part in argv):
        message = 'command is a JSON list of texts, such as ["ls", "-l"]'
        raise Invalid((FieldError(("query", "command"), "bad_form", message, command),))
    # Escapes in the JSON hide what the query as text did not have.
    if mistake := check_text(argv, ("query", "command")):
        raise Invalid((mistake,))
    return argv


async def _say(socket: WebSocket, what: dict[str, Any]) -> None:
    await socket.send_text(json.dumps(what))
