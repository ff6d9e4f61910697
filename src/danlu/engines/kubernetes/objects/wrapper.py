"""The few lines of shell that stand between a container's start and the task's own command.

They run in whatever image people bring, so they use nothing but what is everywhere: a POSIX shell, `env`, and `sleep`
and `cat` where addresses are waited for."""

from __future__ import annotations

from collections.abc import Sequence

HOSTS = "/run/danlu/hosts"
ADDRESSES_COME, ADDRESSES_KNOWN = "wait", "go"

# The task's own folder is not looked in for modules: people's may be called as ours are.
_REPORT = (
    "import sys; sys.path[:] = [place for place in sys.path if place]; "
    "from danlu.runtime.report_files import main; sys.exit(main(sys.argv[1:]))"
)

SCRIPT = f"""\
trap 'exit 143' TERM
danlu_keeper=
if [ "$1" = {ADDRESSES_COME} ]; then
  until [ -s "$DANLU_HOSTS" ]; do sleep 0.1 2>/dev/null || sleep 1; done
  read -r DANLU_MASTER_ADDR rest <"$DANLU_HOSTS"
  export DANLU_MASTER_ADDR
  danlu_own=$(cat /etc/hosts 2>/dev/null)
  danlu_told=$(cat "$DANLU_HOSTS")
  if {{ cat "$DANLU_HOSTS" >>/etc/hosts; }} 2>/dev/null; then
    (
      trap - TERM
      while sleep 2; do
        now=$(cat "$DANLU_HOSTS")
        if [ "$now" != "$danlu_told" ]; then
          danlu_told=$now
          printf '%s\\n' "$danlu_own" "$now" >/etc/hosts
        fi
      done
    ) </dev/null >/dev/null 2>&1 &
    danlu_keeper=$!
  fi
fi
shift
danlu_early=
trap 'danlu_early=1' TERM
if env --default-signal=INT,QUIT true 2>/dev/null; then
  env --default-signal=INT,QUIT /bin/sh -c 'exec "$@"' danlu "$@" &
else
  (trap - INT QUIT; exec "$@") &
fi
child=$!
danlu_asked=
danlu_pass_on() {{
  again=1 danlu_asked=1
  if [ $$ = 1 ] && [ -z "$DANLU_PASSES_ON" ]; then kill -TERM -1; else kill -TERM $child; fi
}}
trap danlu_pass_on TERM
if [ -n "$danlu_early" ]; then danlu_pass_on; fi
danlu_reporter=
if [ -n "$DANLU_TASK_TOKEN" ] && command -v python3 >/dev/null 2>&1; then
  (trap '' USR1; exec python3 -c '{_REPORT}' $child) </dev/null >/dev/null 2>&1 &
  danlu_reporter=$!
fi
code=
while :; do
  again=
  wait $child
  now=$?
  if [ -z "$code" ] || [ $now != 127 ]; then code=$now; fi
  if [ -z "$again" ] || [ $now != 143 ]; then break; fi
done
if [ -n "$danlu_keeper" ]; then kill $danlu_keeper 2>/dev/null; fi
if [ -n "$danlu_reporter" ] && kill -USR1 $danlu_reporter 2>/dev/null && [ -z "$danlu_asked" ]; then
  (sleep 5; kill -KILL $danlu_reporter) </dev/null >/dev/null 2>&1 &
  wait $danlu_reporter 2>/dev/null
fi
sleep 0.1 2>/dev/null
exit $code
"""
"""Takes one of the words above, then the command.

Where addresses are waited for, names are kept in /etc/hosts as long as the task runs: one that is started again comes
back with another address. An image that does not run as root has no names then.

Where the image has Danlu in it, what the task writes for TensorBoard is reported. That is waited for at the end, for a
while, but not of a task that was asked to leave: its grace may be over.

What a shell runs in the background ignores SIGINT, and so would everything a workspace starts: GNU's `env` undoes
that, or bash; elsewhere it stays so. As process 1 it passes SIGTERM on to everything in the container. A `wait` that
SIGTERM interrupts answers 143, like one whose command ended by SIGTERM: only a further `wait` tells, and that answers
127 when there is nothing left to wait for. A SIGTERM that comes while the command is being started is passed on once it
is: it may have begun, and has its grace. It stays a moment after its command: what a container leaves in its pipes
when it exits, containerd may drop instead of logging it."""


def wrapped(command: str | Sequence[str], *, addresses_come: bool) -> list[str]:
    """What a container runs for a task; `addresses_come` when the hosts file is filled only after its start."""
    argv = ["/bin/sh", "-c", command] if isinstance(command, str) else list(command)
    word = ADDRESSES_COME if addresses_come else ADDRESSES_KNOWN
    return ["/bin/sh", "-c", SCRIPT, "danlu", word, *argv]
