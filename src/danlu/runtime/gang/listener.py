"""The agent's listener: accepts requests from the gang's other tasks only."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import socket
import subprocess
import threading
from typing import Any, Callable, Mapping

from danlu.runtime.gang import agents
from danlu.runtime.gang.gang import AgentSeat

_MOST_AT_ONCE = 256
_LAST_WORDS = 0.5


class GangListener:
    """Answers on the seat's port, each request in a thread of its own, until closed."""

    def __init__(
        self,
        seat: AgentSeat,
        secret: bytes,
        doings: Mapping[str, Callable[[agents.TrustedConnection, dict[str, Any]], None]],
    ) -> None:
        """`doings` has a function for each request; the line is closed when it returns. OSError when the port is
        taken."""
        self._secret, self._doings = secret, doings
        self._room = threading.Semaphore(_MOST_AT_ONCE)
        self._socket = _listen(seat)
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        # Closing alone would leave a thread that waits for connections waiting.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _accept(self) -> None:
        while True:
            self._room.acquire()
            try:
                connection, _ = self._socket.accept()
            except OSError as error:
                if error.errno in (errno.EBADF, errno.EINVAL):
                    return
                self._room.release()
                continue
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with contextlib.suppress(agents.Gone, agents.UntrustedPeer, OSError):
                line, request = agents.answer(connection, self._secret)
                doing = self._doings.get(str(request.get("do")))
                if doing is not None:
                    doing(line, request)
        finally:
            connection.close()
            self._room.release()


def run(line: agents.TrustedConnection, request: dict[str, Any], env: Mapping[str, str]) -> None:
    """Run a command line here as rsh would: its output and its exit code go back. The shell outlives SIGTERM, as the
    daemon must that it starts; ranks hear it, for daemons undo that."""
    process = subprocess.Popen(
        ["/bin/sh", "-c", f"trap '' TERM\n{request['line']}"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(env),
    )
    pumps = [
        threading.Thread(target=_pump, args=(line, kind, stream), daemon=True)
        for kind, stream in ((agents.OUT, process.stdout), (agents.ERR, process.stderr))
    ]
    for pump in pumps:
        pump.start()
    code = process.wait()
    for pump in pumps:
        pump.join(_LAST_WORDS)  # a daemon that it left behind may keep them open
    line.tell(agents.EXIT, code if code >= 0 else 128 - code)


def _pump(line: agents.TrustedConnection, kind: int, stream: Any) -> None:
    with contextlib.suppress(agents.Gone, ValueError, OSError):
        for data in iter(lambda: stream.read1(65536), b""):
            line.send(kind, data)


def _listen(seat: AgentSeat) -> socket.socket:
    """At the seat's own address where that is a number; names may lead elsewhere from within, so there at all."""
    try:
        version = ipaddress.ip_address(seat.host).version
    except ValueError:
        both = socket.has_dualstack_ipv6()
        family = socket.AF_INET6 if both else socket.AF_INET
        return socket.create_server(("", seat.port), family=family, dualstack_ipv6=both)
    family = socket.AF_INET6 if version == 6 else socket.AF_INET
    return socket.create_server((seat.host, seat.port), family=family)
