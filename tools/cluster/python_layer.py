"""Debian's Python as a layer of an image: its packages fetched, unpacked, compiled once, kept in the cache."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from tools.cluster.archive import Layer
from tools.dev.places import cache
from tools.dev.stamps import digest_of_text
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
# Raise it when what is done with the packages changes.
RECIPE = "1"
NOT_NEEDED = ("usr/share", "usr/lib/*-linux-gnu/gconv", "etc/python3.11")


def ensure_python_layer() -> Path:
    """The layer's tar file, made when the cache has none from these packages."""
    digest = digest_of_text(RECIPE, *PACKAGES)[:12]
    layer = cache() / "kubernetes-images" / f"python-{digest}.tar"
    if not layer.exists():
        layer.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=layer.parent, prefix="making-") as scratch:
            make_python_layer(Path(scratch)).rename(layer)
    return layer


def make_python_layer(scratch: Path) -> Path:
    debs, root, layer = scratch / "debs", scratch / "root", scratch / "layer.tar"
    debs.mkdir()
    root.mkdir()
    run_step("Refresh apt's lists", ["apt-get", "update"])
    # Without a sandbox user, who could not write into a folder of ours.
    fetch = ["apt-get", "-o", "APT::Sandbox::User=root", "download", "-qq", *PACKAGES]
    run_step("Fetch Debian's Python for the test images", fetch, cwd=debs)
    unpack = 'for deb in "$0"/*.deb; do dpkg-deb -x "$deb" "$1" || exit; done'
    run_step("Unpack Debian's Python", ["sh", "-c", unpack, debs, root])
    for pattern in NOT_NEEDED:
        for folder in root.glob(pattern):
            shutil.rmtree(folder)
    (root / "usr/bin/python3").symlink_to("python3.11")
    # Unchecked: the files never change, and looking each one up would cost every start a little.
    how = ["-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", "/usr/lib/python3.11"]
    compile_all = ["chroot", str(root), "/usr/bin/python3.11", *how]
    run_step("Compile Python's library", compile_all, env={"PYTHONPATH": ""})
    with Layer(layer) as tar:
        tar.tree(root)
    return layer
