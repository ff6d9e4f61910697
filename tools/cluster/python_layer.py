"""Debian's Python as a layer of an image, compiled once."""

from __future__ import annotations

from pathlib import Path

from tools.cluster.debian_layer import DebianLayer
from tools.dev.steps import run_step

PACKAGES = (
    "python3.11",
    "python3.11-minimal",
    "libpython3.11-minimal",
    "libpython3.11-stdlib",
    "libc6",
    "libgcc-s1",
    "libcrypt1",
    "libssl3",
    "zlib1g",
    "libbz2-1.0",
    "liblzma5",
    "libexpat1",
    "libffi8",
    "libsqlite3-0",
    "libdb5.3",
    "libuuid1",
    "libreadline8",
    "libncursesw6",
    "libtinfo6",
    "netbase",
)
NOT_NEEDED = ("usr/share", "usr/lib/*-linux-gnu/gconv", "etc/python3.11")


def ensure_python_layer() -> Path:
    """The layer's tar file, made when the cache has none."""
    return DebianLayer("python", PACKAGES, "1", NOT_NEEDED, finish_python).ensure()


def finish_python(root: Path) -> None:
    (root / "usr/bin/python3").symlink_to("python3.11")
    # Unchecked: the files never change, and looking each one up would cost every start a little.
    how = ["-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", "/usr/lib/python3.11"]
    compile_all = ["chroot", str(root), "/usr/bin/python3.11", *how]
    run_step("Compile Python's library", compile_all, env={"PYTHONPATH": ""})
