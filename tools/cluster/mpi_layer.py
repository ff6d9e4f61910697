"""Debian's Open MPI and mpi4py as a layer upon Python's."""

from __future__ import annotations

from pathlib import Path

from tools.cluster.debian_layer import DebianLayer

PACKAGES = (
    "openmpi-bin",
    "openmpi-common",
    "libopenmpi3",
    "python3-mpi4py",
    "libhwloc15",
    "libevent-core-2.1-7",
    "libevent-pthreads-2.1-7",
    "libpmix2",
    "libmunge2",
    "libudev1",
)
# Kinds of networks that no test has, whose libraries would be most of the layer.
NOT_NEEDED = (
    "usr/share/doc",
    "usr/share/man",
    *(f"usr/lib/*/openmpi/lib/openmpi3/mca_{kind}.so" for kind in ("*_ofi", "*_ucx", "*_openib", "mtl_psm*")),
    "usr/lib/*/openmpi/lib/openmpi3/mca_reachable_netlink.so",
)


def ensure_mpi_layer() -> Path:
    """The layer's tar file, made when the cache has none."""
    return DebianLayer("mpi", PACKAGES, "1", NOT_NEEDED, finish_mpi).ensure()


def finish_mpi(root: Path) -> None:
    for name in ("mpirun", "mpiexec"):
        (root / "usr/bin" / name).symlink_to("orterun")
