"""What the tests need from the operating system: looked for, installed with apt when root, else named."""

from __future__ import annotations

import functools
import os
import platform
import shutil
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.dev.places import cache
from tools.dev.stamps import alone
from tools.dev.steps import Stop, run_step


@dataclass(frozen=True)
class Need:
    """Something from outside Python: how it is found, and the Debian package that brings it."""

    what: str
    package: str
    commands: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def is_there(self) -> bool:
        by_command = any(shutil.which(command) for command in self.commands)
        return by_command or any(any(Path("/").glob(pattern)) for pattern in self.files)


POSTGRESQL = Need("PostgreSQL server", "postgresql", ("initdb",), ("usr/lib/postgresql/*/bin/initdb",))
CHROMIUM = Need("Chromium", "chromium", ("chromium",), ("usr/bin/chromium",))
FONTS = Need("Chinese fonts", "fonts-noto-cjk", (), ("usr/share/fonts/**/NotoSansCJK*",))
BUBBLEWRAP = Need("bubblewrap", "bubblewrap", ("bwrap",))
UIDMAP = Need("newuidmap and newgidmap", "uidmap", ("newuidmap",))
IPROUTE = Need("iproute2", "iproute2", ("ip",))
IPTABLES = Need("iptables", "iptables", ("iptables",))
OPENMPI = Need("Open MPI", "openmpi-bin", ("mpirun",))
COMPILER = Need("C compiler", "gcc", ("cc",))
ERASURE_CODE = Need(
    "liberasurecode, which Swift needs",
    "liberasurecode-dev",
    (),
    ("usr/include/liberasurecode/erasurecode.h",),
)
NFS_CLIENT = Need("libnfs", "libnfs13", (), ("usr/lib/*/libnfs.so.13", "usr/lib/libnfs.so.13"))
NFS_SERVER = Need("NFS server", "nfs-ganesha", (), ("usr/bin/ganesha.nfsd", "usr/sbin/ganesha.nfsd"))
NFS_SERVER_FILES = Need("its part for files", "nfs-ganesha-vfs", (), ("usr/lib/*/ganesha/libfsalvfs.so",))
OPENSSH = Need("OpenSSH server", "openssh-server", (), ("usr/sbin/sshd",))
OPENSSH_CLIENT = Need("OpenSSH client", "openssh-client", ("ssh",))

KUBERNETES = (
    Need("etcd", "etcd-server", ("etcd",)),
    Need("containerd", "containerd", ("containerd",)),
    Need("runc", "runc", ("runc",)),
    Need("CNI plugins", "containernetworking-plugins", (), ("usr/lib/cni/bridge",)),
    Need("static busybox", "busybox-static", (), ("usr/share/doc/busybox-static",)),
    Need("ip", "iproute2", ("ip",)),
    Need("nsenter", "util-linux", ("nsenter",)),
    Need("openssl", "openssl", ("openssl",)),
)
KUBERNETES_BUILD = (
    Need("Go compiler", "golang-go", ("go",)),
    Need("make", "make", ("make",)),
    Need("rsync", "rsync", ("rsync",)),
    Need("jq", "jq", ("jq",)),
    Need("dpkg-source", "dpkg-dev", ("dpkg-source",)),
    Need(
        "reflect2 for Go",
        "golang-github-modern-go-reflect2-dev",
        (),
        ("usr/share/gocode/src/github.com/modern-go/reflect2/reflect2.go",),
    ),
)


APT = {"DEBIAN_FRONTEND": "noninteractive"}
# Somebody else, such as the machine's own upgrades, may be installing.
_PATIENCE = "DPkg::Lock::Timeout=600"


def is_root_on_debian() -> bool:
    try:
        system = platform.freedesktop_os_release().get("ID")
    except OSError:
        system = None
    return os.geteuid() == 0 and system == "debian"


_apt = threading.Lock()


@contextmanager
def apt_alone() -> Iterator[None]:
    """apt can be used by one process at a time, whichever checkout it is started from."""
    with _apt, alone("apt", among=cache()):
        yield


def can_install() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def missing_needs(needs: Iterable[Need]) -> list[Need]:
    return [need for need in dict.fromkeys(needs) if not need.is_there()]


def ensure_needs(needs: Iterable[Need]) -> None:
    with apt_alone():
        missing = missing_needs(needs)
        if not missing:
            return
        if not can_install():
            raise Stop(missing_sentence(missing))
        refresh_lists()
        install(missing)
        still = missing_needs(missing)
        if still:
            raise Stop(missing_sentence(still))


@functools.cache
def refresh_lists() -> None:
    """They are empty or out of date on a new machine, where an install alone would fail; within `apt_alone`."""
    run_step("Refresh apt's lists", ["apt-get", "update"], env=APT)


def install(needs: Iterable[Need]) -> None:
    packages = [need.package for need in needs]
    command = ["apt-get", "-o", _PATIENCE, "install", "-y", "--no-install-recommends", *packages]
    run_step(f"Install {', '.join(packages)}", command, env=APT)


def missing_sentence(missing: list[Need]) -> str:
    lines = [f"  {need.what} (Debian package {need.package})" for need in missing]
    packages = " ".join(need.package for need in missing)
    return "\n".join(
        ["these are missing on this machine:", *lines, f"As root on Debian: apt-get install {packages}"]
    )
