"""What Open MPI's launcher needs to find the tasks of a gang: variables, a host file, and a frame around every rank."""

from __future__ import annotations

import os
import shlex
import socket
import sys

from danlu.runtime.gang.gang import GangSeats

# So many seconds after one rank went, mpirun kills those that still save their work: the task's grace is over first.
_LONG = 600

LAUNCHERS = frozenset(
    {"mpirun", "mpiexec", "orterun", "orted", "prterun", "prte", "prted", "mpirun.openmpi", "mpiexec.openmpi"}
)

_RANK = """\
danlu_lead={lead} danlu_own={own} danlu_home={home} danlu_ranks={ranks}
danlu_rank=${{OMPI_COMM_WORLD_RANK-${{PMIX_RANK-?}}}}
case "$PWD" in
  "$danlu_lead" | "$danlu_lead"/*) cd "$danlu_own${{PWD#"$danlu_lead"}}" || cd "$danlu_own" ;;
  "$danlu_home") cd "$danlu_own" ;;
esac
trap : HUP INT TERM USR1 USR2
echo "+ $danlu_rank" >"$danlu_ranks"
env {kept} "$@"
danlu_code=$?
echo "- $danlu_rank $danlu_code" >"$danlu_ranks"
exit "$danlu_code"
"""
"""Runs one rank in its own task's directory, and tells the agent of its beginning and its end."""


def write_host_file(path: str, gang: GangSeats) -> None:
    """One line `host slots=n` for each task that runs ranks. Tasks go by their names, which the agent knows; mpirun
    knows itself only by the name of its machine."""
    with open(path, "w", encoding="utf-8") as file:
        for seat in gang.seats:
            if seat.slots:
                name = socket.gethostname() if seat == gang.mine else seat.name
                file.write(f"{name} slots={seat.slots}\n")


def write_rank_script(path: str, ranks: str, lead_directory: str) -> None:
    """`ranks` is the pipe to tell; what mpirun was started in stands for this task's own directory."""
    own, temporary = os.getcwd(), os.environ.get("TMPDIR")
    # Shared memory is told apart by the name of the machine, which tasks may share.
    memory = f"OMPI_MCA_btl_vader_backing_directory={os.path.dirname(path)}"
    usual = ["-u", "TMPDIR"] if temporary is None else [f"TMPDIR={temporary}"]
    text = _RANK.format(
        lead=shlex.quote(lead_directory),
        own=shlex.quote(own),
        home=shlex.quote(os.environ.get("HOME", own)),
        ranks=shlex.quote(ranks),
        kept=" ".join(map(shlex.quote, [*usual, memory])),
    )
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def variables(gang: GangSeats, place: str) -> tuple[dict[str, str], dict[str, str]]:
    """For mpirun and its daemons in this task: what people may set otherwise, and what must be so. `place` is a
    directory of this task's own. Open MPI 5 reads those of PRRTE."""
    agent = f"{sys.executable} -I {os.path.join(place, 'agent')}"  # split at spaces by Open MPI
    hosts = os.path.join(place, "hostfile")
    rank = f"/bin/sh {os.path.join(place, 'rank')}"
    usual = {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "PRTE_ALLOW_RUN_AS_ROOT": "1",
        "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_hwloc_base_binding_policy": "none",
        "PRTE_MCA_hwloc_default_binding_policy": "none",
        "OMPI_MCA_orte_default_hostfile": hosts,
        "PRTE_MCA_prte_default_hostfile": hosts,
    }
    if gang.on_loopback:
        usual["OMPI_MCA_oob_tcp_if_include"] = usual["OMPI_MCA_btl_tcp_if_include"] = "lo"
        usual["OMPI_MCA_mpi_yield_when_idle"] = "1"
    needed = {
        # Sockets are told apart by the name of the machine, which tasks may share.
        "TMPDIR": place,
        "DANLU_HOSTFILE": hosts,
        "OMPI_MCA_plm_rsh_agent": agent,
        "OMPI_MCA_plm_rsh_no_tree_spawn": "1",
        "OMPI_MCA_plm_rsh_pass_environ_mca_params": "0",
        "OMPI_MCA_orte_fork_agent": rank,
        "OMPI_MCA_odls_base_sigkill_timeout": str(_LONG),
        "OMPI_MCA_if_base_do_not_resolve": "1",
        "PRTE_MCA_plm_ssh_agent": agent,
        "PRTE_MCA_plm_ssh_no_tree_spawn": "1",
        "PRTE_MCA_plm_ssh_pass_environ_mca_params": "0",
        "PRTE_MCA_prte_do_not_resolve": "1",
    }
    return usual, needed
