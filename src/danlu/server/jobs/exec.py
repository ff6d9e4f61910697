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
from danlu.domain.terms import STATES
from danlu.domain.words import Words, say
from danlu.server.desk import Desk
from danlu.server.http.access import API, JOB, AccessRule, P
from danlu.server.http.answering import words
from danlu.server.http.identity import Recheck
from danlu.server.http.reading import Query, check_text
from danlu.server.http.sockets import together
from danlu.server.http.streams import HEARTBEAT_S
from danlu.server.jobs.models import ExecQuery
from danlu.server.live.terminals import Terminal, TerminalClient
from danlu.server.route import AtDesk, Routes, Who, checked_again, in_thread, require

routes = Routes("exec")

SHELL = ["/bin/sh", "-c", "command -v bash >/dev/null && exec bash || exec sh"]
_WRONG = 1008
_USAGE = Words(
    'a control message is {"resize": [columns, rows]}, {"eof": true} or {"close": true}',
    '控制消息应为 {"resize": [columns, rows]}、{"eof": true} 或 {"close": true}',
)
_PATIENCE_S = 600
_LOOK_S = 0.5


@routes.add("WS", f"{API}/jobs/{{job}}/exec", AccessRule(P.JOB_EXEC, JOB))
async def exec_in_task(
    socket: WebSocket,
    desk: AtDesk,
    who: Who,
    job: str,
    query: Annotated[ExecQuery, Depends(Query(ExecQuery))],
) -> None:
    """Run a command in a running task.

    Binary frames are its bytes. Text is control: {"resize": [columns, rows]}, {"eof": true} and {"close": true} from
    the client, {"exit": code} or {"error": sentence} from the server. With `keep` the command keeps running for five
    minutes without a connection: the server first sends {"terminal": ID, "offset": N}, and a client that reconnects
    with both continues from there.
    """
    argv = _argv(query.command)
    if desk.services.ports.shells is None:
        raise Unavailable(Words("this engine cannot open shells in tasks", "此引擎不支持进入子任务"))
    found = await in_thread(_find, desk, who, job)
    # Problems with the task are reported here to clients that can read the answer; browsers get them after the opening.
    task = None if query.terminal else _task(found, query.task)
    await socket.accept()
    try:
        connection = await _connect(desk, who, found, task, argv, query)
    except DanluError as error:
        await _refuse(socket, error.text)
        return
    try:
        halves = (
            _input(socket, connection.terminal),
            _output(socket, connection),
            _watch(socket, Recheck(desk.identity, who.name), connection.terminal, found.owner),
        )
        await together(socket, desk.streams, *halves)
    finally:
        await desk.terminals.leave(connection)


async def _connect(
    desk: Desk, who: Caller, job: Job, task: Task | None, argv: list[str], query: ExecQuery
) -> TerminalClient:
    """Connect to a kept terminal, or to a new one."""
    if query.terminal is not None:
        return desk.terminals.back(query.terminal, who.name, job.id, query.offset)
    assert task is not None
    assert desk.services.ports.shells is not None
    with desk.terminals.room_for(who.name):
        await in_thread(desk.services.jobs.visits.enters, who, job)
        size = (query.cols, query.rows) if query.tty else None
        shell = await desk.services.ports.shells.exec(job.attempt_id, task, argv, size)
        return desk.terminals.add(shell, who.name, job.id, query.keep)


async def _output(socket: WebSocket, connection: TerminalClient) -> None:
    terminal = connection.terminal
    if terminal.kept:
        await _say(socket, {"terminal": terminal.id, "offset": connection.seen})
    async for data in connection.read():
        await socket.send_bytes(data)
    if terminal.ended:
        await _say(socket, {"exit": await terminal.shell.wait()})
    else:
        await _refuse(socket, Words("this terminal was opened in another window", "该终端已在别处打开"))


async def _input(socket: WebSocket, terminal: Terminal) -> None:
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        data = message.get("bytes")
        if data is not None:
            if data:  # an empty frame is no end of input; {"eof": true} is
                # Without this, nobody would notice that the client has left.
                async with asyncio.timeout(_PATIENCE_S):
                    await terminal.shell.write(data)
        else:
            try:
                if not await _control(terminal, message.get("text")):
                    return
            except ValueError:
                await _refuse(socket, _USAGE)
                return


async def _watch(socket: WebSocket, recheck: Recheck, terminal: Terminal, owner: str) -> None:
    """Returns when the person may no longer use this terminal."""
    while True:
        await asyncio.sleep(min(_LOOK_S, HEARTBEAT_S))
        if not recheck.due(HEARTBEAT_S):
            continue
        try:
            await checked_again(socket, Permission.JOB_EXEC, owner)
        except Unavailable:
            continue  # the database is unavailable for a moment: the client keeps its permissions
        except DanluError as error:
            terminal.kept = False
            await _refuse(socket, error.text)
            return


async def _control(terminal: Terminal, text: Any) -> bool:
    """Carry out a control message; returns whether to continue. ValueError for an unknown message."""
    try:
        said = json.loads(text)
    except (TypeError, RecursionError) as error:
        raise ValueError from error
    match said:
        case {"resize": [int(columns), int(rows)]} if 0 < columns <= 1000 and 0 < rows <= 1000:
            terminal.shell.resize(columns, rows)
        case {"eof": True}:
            await terminal.shell.write(b"")
        case {"close": True}:
            terminal.kept = False
            return False
        case _:
            raise ValueError
    return True


def _find(desk: Desk, who: Caller, ref: str) -> Job:
    job = desk.services.jobs.jobs.get(who, ref)
    require(who, Permission.JOB_EXEC, job.owner)
    return job


def _task(job: Job, name: str | None) -> Task:
    """The running task of that name; without a name, the first that runs."""
    tasks = job.attempt.tasks if job.attempt else ()
    running = [task for task in tasks if task.state is TaskState.RUNNING]
    if name is not None and all(name not in (task.name, task.run) for task in tasks):
        raise NotFound(say("the job has no task '{name}'", "该任务没有名为“{name}”的子任务", name=name))
    for task in running:
        if name in (None, task.name, task.run):
            return task
    raise WrongState(
        say(
            "{name} is {state}; a shell can be opened only in a running task",
            "{name} {state}，只能进入运行中的子任务",
            name=job.title,
            state=STATES[job.state],
        )
    )


def _argv(command: str | None) -> list[str]:
    if command is None:
        return SHELL
    try:
        argv = json.loads(command)
    except (ValueError, RecursionError):
        argv = None
    if not isinstance(argv, list) or not argv or not all(isinstance(part, str) for part in argv):
        message = Words(
            'command must be a JSON list of strings, such as ["ls", "-l"]',
            'command 应为由文本组成的 JSON 列表，例如 ["ls", "-l"]',
        )
        raise Invalid((FieldError(("query", "command"), "bad_form", message, command),))
    # Escapes in the JSON may contain characters that the check of the query did not see.
    if mistake := check_text(argv, ("query", "command")):
        raise Invalid((mistake,))
    return argv


async def _refuse(socket: WebSocket, sentence: Words) -> None:
    await _say(socket, {"error": sentence.en, "text": words(sentence)})
    await socket.close(_WRONG)


async def _say(socket: WebSocket, what: dict[str, Any]) -> None:
    await socket.send_text(json.dumps(what))
