"""How a further command begins, is fed and ends inside a container: a few lines of shell and what they say; pure.

The API runs a command and carries its bytes, but tells no process number, cannot end it and knows no end of input.
All that is done by a POSIX shell in front of it, which is there anyway: tasks are started by one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

_SURROUNDINGS = """\
echo $$
if [ -z "${DANLU_MASTER_ADDR-}" ] && [ -s "${DANLU_HOSTS-}" ]; then
  read -r DANLU_MASTER_ADDR rest <"$DANLU_HOSTS"
  export DANLU_MASTER_ADDR
fi
"""
# The size is told here too, for what is told by the API may come after the command's first look.
_ON_TERMINAL = f"""{_SURROUNDINGS}stty cols "$1" rows "$2" 2>/dev/null
shift 2
TERM=xterm-256color
export TERM
exec "$@"
"""
# The reader of the input is left behind on purpose: the command's end must not wait for it, and it ends with the visit.
# The shell itself holds on to stderr (4), for containerd closes the input of what has closed an output.
_ON_PIPES = f"""{_SURROUNDINGS}exec 3<&0 4>&2 2>/dev/null
{{ while IFS= read -r line <&3 && [ "$line" != . ]; do printf "$line"; done 4>&- & }} | "$@" 2>&1 3<&- 4>&-
"""
_END = """\
kill "-$1" "-$2" || exit 0
for moment in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  sleep 0.1 || sleep 1
  kill -0 "-$2" || exit 0
done
kill -KILL "-$2"
"""
_SPECIAL = re.compile(rb"[^A-Za-z0-9 _/:,;=+]")
_END_OF_INPUT = b".\n"
_PIECE = 16 * 1024

NOT_RUN, LOST = 126, 255
"""Exit codes of a command that could not be run, and of one that nothing more was heard of."""


def entering(argv: Sequence[str], tty: tuple[int, int] | None) -> list[str]:
    """What to run for a visitor's command, on a terminal of that size or on pipes.

    Its first line of output is the number of its group of processes; after that, on pipes, both streams are one."""
    if tty is None:
        return ["/bin/sh", "-c", _ON_PIPES, "danlu", *argv]
    return ["/bin/sh", "-c", _ON_TERMINAL, "danlu", *map(str, tty), *argv]


def ending(group: int, *, tty: bool) -> list[str]:
    """What ends such a command and all it started: a signal, two seconds, and a signal that cannot be ignored."""
    # An interactive shell ignores SIGTERM, but not the hang-up of its terminal.
    return ["/bin/sh", "-c", _END, "danlu", "HUP" if tty else "TERM", str(group)]


def typed(data: bytes, *, tty: bool) -> Iterator[bytes]:
    """Input for the command, in portions; no data is the end of input."""
    if tty:
        yield from (data[at : at + _PIECE] for at in range(0, len(data), _PIECE)) if data else (b"\x04",)
        return
    for at in range(0, len(data), _PIECE):
        yield _SPECIAL.sub(_octal, data[at : at + _PIECE]) + b"\n"
    if not data:
        yield _END_OF_INPUT


def exit_code(status: bytes) -> tuple[int, str]:
    """How the command ended, by the `Status` object that comes last; with the API's words if it was never run."""
    try:
        said = json.loads(status)
        causes = (said.get("details") or {}).get("causes") or []
    except (ValueError, AttributeError):
        return NOT_RUN, status.decode("utf-8", "replace")
    if said.get("status") == "Success":
        return 0, ""
    for cause in causes:
        if cause.get("reason") == "ExitCode" and str(cause.get("message", "")).isdigit():
            return int(cause["message"]), ""
    return NOT_RUN, str(said.get("message") or said.get("reason") or "")


def _octal(special: re.Match[bytes]) -> bytes:
    return b"\\%03o" % special.group()[0]
