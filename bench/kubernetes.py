"""`./dev bench kubernetes [section…] [--quick]`: Danlu on a real cluster, on hollow nodes, and on a very large one.

A cluster is started for it, unless `DANLU_TEST_CLUSTER` names the folder of one that is up. CPU time is what counts on
a shared machine; wall times are of this run, with everything that a cluster needs on the same cores."""

from __future__ import annotations

import argparse
import statistics
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from bench.kube import gangs as hollow
from bench.kube import latency as real
from bench.kube import scale as large
from bench.table import Table, spread
from tests.kubernetes.conftest import wait_for_account
from tests.kubernetes.kube import Kube
from tests.kubernetes.places import Place, find_place

_JOBS, _JOBS_QUICK = 20, 3


def main() -> int:
    sections: dict[str, Callable[[Table, Ground], None]] = {
        "latency": latency, "gangs": gangs, "scale": scale,
    }  # fmt: skip
    parser = argparse.ArgumentParser(prog="./dev bench kubernetes", description=__doc__)
    parser.add_argument("sections", nargs="*", choices=[[], *sections], default=[])
    parser.add_argument("--quick", action="store_true", help="small loads: whether it works, not how fast")
    options = parser.parse_args()
    table = Table("./dev bench kubernetes")
    with ExitStack() as stack:
        ground = Ground(options.quick, stack)
        for name in options.sections or sections:
            print(f"{name} …", flush=True)
            sections[name](table, ground)
    print("\n" + table.render())
    return 0


class Ground:
    """The cluster to measure on, started when it is first needed; `quick` means small loads."""

    def __init__(self, quick: bool, stack: ExitStack) -> None:
        self.quick, self._stack = quick, stack
        self._place: Place | None = None

    @property
    def place(self) -> Place:
        if self._place is None:
            print("  a cluster …", flush=True)
            self._place = self._stack.enter_context(find_place())
            assert self._place.own is not None, "this is measured on a cluster of one's own: unset KUBECONFIG"
        return self._place


def latency(table: Table, ground: Ground) -> None:
    """submit → running with a real kubelet, one job at a time."""
    with namespace(ground.place) as kube:
        seen = real.measure(kube, ground.place, _JOBS_QUICK if ground.quick else _JOBS)
    bare = f"the same pod by a bare request: {spread(seen.bare)}"
    table.add("submit → running on a real node", spread(seen.running), "", bare)
    table.add("… submit → its pod is there", spread(seen.before))
    table.add("… pod there → running, by the cluster itself", spread(seen.cluster))
    table.add("… running → Danlu says so", spread(seen.after))
    ours = [before + after for before, after in zip(seen.before, seen.after, strict=True)]
    table.add("… so our own share", spread(ours))
    table.add("CPU of Danlu per job, its whole life", f"{seen.cpu_ms:.0f} ms")
    table.add("CPU of Danlu between jobs", f"{seen.idle * 100:.1f} % of a core")


def gangs(table: Table, ground: Ground) -> None:
    """Gangs on nodes that only the API server believes in; everything else is real."""
    load = hollow.QUICK if ground.quick else hollow.Load()
    place = ground.place
    assert place.own is not None
    with namespace(place) as kube, hollow.nodes_for(place.own, kube, load) as nodes:
        print(f"  {load.nodes} hollow nodes are ready", flush=True)
        by_address = hollow.measure_ours(place.own, kube, nodes, load, dns=False)
        by_name = hollow.measure_ours(place.own, kube, nodes, load, dns=True)
        bare = hollow.measure_bare(kube, nodes, load)
    size = f"gang of {load.tasks}"
    for seen, kind in ((by_address, "addresses told"), (by_name, "names by DNS")):
        _tell_gangs(table, f"{size}, {kind}", seen, bare)


def _tell_gangs(table: Table, words: str, seen: hollow.Figures, bare: hollow.PeerFigures) -> None:
    walls = [one.wall_s * 1000 for one in bare.gangs]
    cpu = statistics.median(one.cpu_s for one in bare.gangs) * 1000
    ours = [one * 1000 for one in seen.wall]
    table.add(f"{words}: start → all reported running", spread(ours), "", f"bare loop: {spread(walls)}")
    table.add("… our CPU until then", f"{seen.cpu_share * 1000:.0f} ms", "100 ms", f"bare loop: {cpu:.0f} ms")
    table.add("… our CPU for its whole life", f"{statistics.median(seen.cpu_whole) * 1000:.0f} ms")
    kinds = ", ".join(f"{what} {count / seen.tasks:.2f}" for what, count in seen.requests.most_common())
    table.add("… API requests per task, whole life", f"{seen.requests_per_task:.1f} ({kinds})", "10")
    table.add(
        f"… pods per second, {seen.load.gangs} gangs at once",
        f"{seen.pods_per_s:.0f}",
        "",
        f"bare loop: {bare.pods_per_s:.0f}",
    )


def scale(table: Table, ground: Ground) -> None:
    """A whole control plane over one large cluster."""
    size = large.QUICK if ground.quick else large.Size()
    costs = large.measure(size)
    others, ours = size.pods - size.gangs * size.tasks, size.gangs * size.tasks
    words = f"{size.nodes:,} nodes, {others:,} pods of others"
    table.add(
        f"{words}: first reading",
        f"{costs.sync['cpu']:.1f} s CPU, {costs.sync['wall']:.1f} s",
    )
    table.add(
        "… memory before and after", f"{costs.sync['memory_before']:.0f} → {costs.sync['memory']:.0f} MB"
    )
    table.add(
        f"{size.gangs} gangs submitted → all {ours:,} tasks run",
        f"{costs.fill['cpu'] / ours * 1000:.1f} ms CPU per task, {costs.fill['wall']:.1f} s",
    )
    table.add("idle with all of them", _core(costs.idle))
    table.add(f"{size.changes_per_s:.0f} pods change per second", _core(costs.busy))
    table.add("a step of the control plane, nothing to do", f"{costs.step['step'] * 1000:.1f} ms CPU")
    table.add("inventory()", f"{costs.step['inventory'] * 1e6:.0f} µs CPU")


def _core(usage: dict[str, float]) -> str:
    return f"{usage['cpu_per_s'] * 100:.1f} % of a core, {usage['memory']:.0f} MB"


@contextmanager
def namespace(place: Place) -> Iterator[Kube]:
    """One of our own, which goes with everything in it."""
    name = f"bench-{uuid.uuid4().hex[:8]}"
    with Kube(place.kubeconfig, name) as kube:
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
        kube.http.post("/api/v1/namespaces", json=body).raise_for_status()
        try:
            wait_for_account(kube)
            yield kube
        finally:
            kube.http.delete(f"/api/v1/namespaces/{name}")


if __name__ == "__main__":
    sys.exit(main())
