"""Where the processes of a running pod are: a few lines of shell that look around inside it, and what they say.

Only what the image has can be used: with `py-spy` in it the stacks of Python processes are told, with nothing but a
shell what /proc says."""

from __future__ import annotations

import asyncio

from danlu.domain.errors import Unavailable
from danlu.domain.words import say
from danlu.engines.kubernetes.api.channels import Channels
from danlu.engines.kubernetes.ways.shell import OUTPUT, STATUS, Enter, exec_params
from danlu.engines.kubernetes.ways.visit import exit_code

_LONGEST = 1 << 20
_PATIENCE_S = 20.0
_FAREWELL_S = 0.1
"""Abandoned TLS connections take a moment to close."""

SCRIPT = """\
exec 2>/dev/null
spy=$(command -v py-spy)
limit=
if command -v timeout >/dev/null; then limit='timeout 8'; fi
aside=' '
lacking=
for folder in /proc/[0-9]*; do
  pid=${folder#/proc/}
  if [ "$pid" = 1 ] || [ "$pid" = $$ ]; then continue; fi
  parent= state= threads=
  while read -r name first rest; do
    case $name in
      PPid:) parent=$first ;;
      State:) state=$first ;;
      Threads:) threads=$first ;;
    esac
  done <"$folder/status"
  command=$(tr '\\000\\n' '  ' <"$folder/cmdline")
  case $state in ''|Z|X) continue ;; esac
  case "$aside $$ " in *" $parent "*) continue ;; esac
  case $command in *danlu_keeper*|*danlu.runtime.report_files*) aside="$aside$pid "; continue ;; esac
  if [ -z "$command" ]; then command=$(cat "$folder/comm"); fi
  where=$(cat "$folder/wchan")
  case $state in
    R) state=running ;;
    S) state=sleeping ;;
    D) state='waiting for a device' ;;
    T) state=stopped ;;
    t) state='held by a debugger' ;;
  esac
  if [ "${where:-0}" != 0 ]; then state="$state in $where"; fi
  printf 'process %s: %.300s\\n%s; threads: %s\\n' "$pid" "$command" "$state" "$threads"
  program=$(readlink "$folder/exe")
  case ${program##*/} in
    python*)
      if [ -n "$spy" ]; then $limit "$spy" dump --pid "$pid" 2>&1; else lacking=yes; fi ;;
  esac
  echo
done
if [ -n "$lacking" ]; then
  echo 'Install py-spy in the image to see the stacks of Python processes here.'
fi
"""
"""Leaves out itself and Danlu's own helper processes."""


async def read_stacks(enter: Enter, task_name: str) -> str:
    """What each process of a task is doing; Unavailable when nothing is heard in time."""
    said = bytearray()
    try:
        async with asyncio.timeout(_PATIENCE_S):
            channels = await enter(exec_params(["/bin/sh", "-c", SCRIPT], tty=False, stdin=False))
            try:
                trouble = await _listen(channels, said)
            finally:
                await channels.close()
    except TimeoutError as error:
        if not said:
            raise Unavailable(
                say(
                    "the stacks of {task_name} cannot be taken: its node does not answer",
                    "无法获取 {task_name} 的调用栈：其节点没有响应",
                    task_name=task_name,
                )
            ) from error
        trouble = "the rest did not arrive in time"
    finally:
        await asyncio.sleep(_FAREWELL_S)
    if trouble and not said:
        raise Unavailable(
            say(
                "the stacks of {task_name} cannot be taken: {trouble}",
                "无法获取 {task_name} 的调用栈：{trouble}",
                task_name=task_name,
                trouble=trouble,
            )
        )
    return said.decode("utf-8", "replace") + (f"({trouble})\n" if trouble else "")


async def _listen(channels: Channels, said: bytearray) -> str:
    """All that is printed, into `said`; what went wrong, if anything."""
    while (message := await channels.receive()) is not None:
        channel, data = message
        if channel == OUTPUT:
            said += data[: _LONGEST - len(said)]
        elif channel == STATUS and data:
            return exit_code(data)[1]
    return "the connection to the task was lost"
