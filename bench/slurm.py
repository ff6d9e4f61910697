"""`./dev bench slurm`: deciding and taking jobs in, beside Slurm's controller in the same run.

`empty` starts jobs on free nodes; `full` refills places (50 of 100 nodes', else 100) in a full cluster
while two jobs per node wait."""

from __future__ import annotations

import os
import sys

from bench.peers import slurm_figures
from bench.slurm_ours import ours_decision, ours_submissions
from bench.table import Table
from bench.workload import scenario
from tools.dev.steps import Stop
from tools.dev.system import Need, ensure_needs

_SIZES = (100, 1_000, 5_000)
_NEEDS = (
    Need("Slurm's controller", "slurmctld", ("slurmctld",)),
    Need("Slurm's commands", "slurm-client", ("sbatch",)),
    Need("ip", "iproute2", ("ip",)),
    Need("namespaces", "util-linux", ("unshare",)),
)


def main() -> int:
    try:
        ensure_needs(_NEEDS)
        if os.geteuid() != 0:
            raise Stop("namespaces of Slurm's own need root; run ./dev bench slurm as root.")
    except Stop as stop:
        print(f"danlu: {stop}", file=sys.stderr)
        return 1
    table = Table("./dev bench slurm")
    for nodes in [int(word) for word in sys.argv[1:]] or _SIZES:
        print(f"{nodes:,} nodes …", flush=True)
        deciding(table, nodes)
    print("submissions …", flush=True)
    submitting(table)
    print("\n" + table.render())
    return 0


def deciding(table: Table, nodes: int) -> None:
    theirs = slurm_figures.decisions(scenario(nodes))
    each = [refill.each for refill in theirs.refills]
    spread = (
        f"{_ms(min(each))} to {_ms(max(each))}, {theirs.full.backfilled} of {theirs.full.started} by backfill"
    )
    rows = {
        "empty": (False, theirs.empty, f"{_ms(theirs.empty_whole)} with the rest of slurmctld"),
        "full": (True, theirs.full.each, f"median of {len(each)}, {spread}"),
    }
    for state, (full, figure, more) in rows.items():
        ours = ours_decision(nodes, full)
        aim = "5 times less" if nodes >= 1_000 else ""
        cheapest = min(each) if full else figure
        said = f"{_ms(ours)}: {figure / ours:.1f} times less, {cheapest / ours:.1f} than its cheapest"
        table.add(f"CPU per start, {state}, {nodes:,} nodes", said, aim, f"Slurm {_ms(figure)}; {more}")
    round_cpu = _ms(theirs.backfill / theirs.rounds) if theirs.rounds else "none came"
    table.add(
        f"CPU of a round of backfill, full, {nodes:,} nodes",
        "part of every decision above",
        "",
        f"Slurm {round_cpu}, mean of {theirs.rounds}, the first 1,000 jobs at most",
    )


def submitting(table: Table) -> None:
    count = 2_000
    ours, theirs = ours_submissions(count), slurm_figures.submissions(100, count)
    table.add(
        "submissions per second, 4 clients, 100 nodes",
        f"{ours.per_second:.0f} ({_ms(ours.cpu_each)} CPU of the server each)", "",
        f"Slurm {theirs.per_second:.0f} ({_ms(theirs.cpu_each)} CPU of slurmctld each)",
    )  # fmt: skip


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"


if __name__ == "__main__":
    sys.exit(main())
