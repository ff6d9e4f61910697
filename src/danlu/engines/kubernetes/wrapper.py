"""The few lines of shell that stand between a container's start and the task's own command.

They run in whatever image people bring, so they use nothing but what is everywhere: a POSIX shell, `env`, and `sleep`
and `cat` where addresses are waited for."""

from __future__ import annotations

from collections.abc import Sequence

HOSTS = "/run/danlu/hosts"
ADDRESSES_COME, ADDRESSES_KNOWN = "wait", "go"

SCRIPT = f"""\
trap 'exit 143' TERM
if [ "$1" = {ADDRESSES_COME} ]; then
  until [ -s "$DANLU_HOSTS" ]; do sleep 0.1 2>/dev/null || sleep 1; done
  read -r DANLU_MASTER_ADDR rest <"$DANLU_HOSTS"
  export DANLU_MASTER_ADDR
  {{ cat "$DANLU_HOSTS" >>/etc/hosts; }} 2>/dev/null
fi
shift
if env --default-signal=INT,QUIT true 2>/dev/null; then
  env --default-signal=INT,QUIT /bin/sh -c 'exec "$@"' danlu "$@" &
else
  (trap - INT QUIT; exec "$@") &
fi
child=$!
trap 'again=1; if [ $$ = 1 ]; then kill -TERM -1; else kill -TERM $child; fi' TERM
code=
while :; do
  again=
  wait $child
  now=$?
  if [ -z "$code" ] || [ $now != 127 ]; then code=$now; fi
  if [ -z "$again" ] || [ $now != 143 ]; then break; fi
done
sleep 0.1 2>/dev/null
exit $code
"""
"""Takes one of the words above, then the command.

What a shell runs in the background ignores SIGINT, and so would everything a workspace starts: GNU's `env` undoes
that, or bash; elsewhere it stays so. As process 1 it passes SIGTERM on to everything in the container. A `wait` that
SIGTERM interrupts answers 143, like one whose command ended by SIGTERM: only a further `wait` tells, and that answers
127 when there is nothing left to wait for. It stays a moment after its command: what a container leaves in its pipes
when it exits, containerd may drop instead of logging it."""


def wrapped(command: str | Sequence[str], *, addresses_come: bool) -> list[str]:
    """What a container runs for a task; `addresses_come` when the hosts file is filled only after its start."""
    argv = ["/bin/sh", "-c", command] if isinstance(command, str) else list(command)
    word = ADDRESSES_COME if addresses_come else ADDRESSES_KNOWN
    return ["/bin/sh", "-c", SCRIPT, "danlu", word, *argv]
