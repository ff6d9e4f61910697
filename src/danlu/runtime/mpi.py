"""Runs a task of an MPI gang: the first one runs the command, in all others an agent starts what mpirun asks for."""

from __future__ import annotations

import contextlib
import os
import socket
import sys

from danlu.runtime.gang import agents
from danlu.runtime.gang.following import follow
from danlu.runtime.gang.gang import read_gang
from danlu.runtime.gang.leading import Lead
from danlu.runtime.gang.post import Post, Unfit, say
from danlu.runtime.isolation import linux


def main(command: list[str]) -> int:
    """The task's exit code. SIGTERM comes to this process alone, which tells all others but mpirun and its daemons."""
    try:
        gang, secret = read_gang(os.environ), agents.secret_of(os.environ)
    except (ValueError, agents.UntrustedPeer) as error:
        say(str(error))
        return 1
    linux.become_subreaper()
    if gang.on_loopback and socket.gethostname() != gang.mine.name:
        # Open MPI takes ranks on hosts of one name for neighbours that share memory.
        with contextlib.suppress(OSError):
            linux.own_host_name(gang.mine.name)
    try:
        with contextlib.closing(Post(gang, secret)) as post:
            return Lead(post).run(command) if gang.leads else follow(post)
    except Unfit as error:
        say(str(error))
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
