"""Kubernetes' own programs, built once from Debian's source package and kept in the cache."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from tools.cluster.layout import ARCHITECTURE
from tools.dev.places import cache
from tools.dev.stamps import alone
from tools.dev.steps import Stop, run_step, say
from tools.dev.system import KUBERNETES_BUILD, ensure_needs

VERSION = "1.20.2"
PROGRAMS = ("kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kubemark")
REFLECT2 = "github.com/modern-go/reflect2"
SOURCES = """\
Types: deb-src
URIs: http://deb.debian.org/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
"""
# The build would otherwise ask git which version this is.
BUILD_ENVIRONMENT = {
    "CGO_ENABLED": "0",
    "KUBE_GIT_VERSION": f"v{VERSION}",
    "KUBE_GIT_COMMIT": "debian",
    "KUBE_GIT_TREE_STATE": "clean",
    "KUBE_GIT_MAJOR": VERSION.split(".")[0],
    "KUBE_GIT_MINOR": VERSION.split(".")[1],
    "KUBE_STATIC_OVERRIDES": "kubelet kubemark",
}


def ensure_programs() -> Path:
    """The folder with the programs; minutes when it has to be built, nothing after that."""
    if not is_built():
        with alone("kubernetes", among=cache()):
            if not is_built():
                build()
    return programs()


def programs() -> Path:
    return home() / "bin"


def home() -> Path:
    return cache() / f"kubernetes-{VERSION}"


def is_built() -> bool:
    return all((programs() / name).exists() for name in PROGRAMS)


def build() -> None:
    ensure_needs(KUBERNETES_BUILD)
    say(
        f"Kubernetes {VERSION} is built once from Debian's sources: this takes 5 to 10 minutes and 4 GiB of disk."
    )
    home().parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home().parent, prefix="kubernetes-build-") as scratch:
        tree = fetch_sources(Path(scratch))
        replace_reflect2(tree)
        made = compile_programs(tree)
        fresh = Path(scratch, "home", "bin")
        fresh.mkdir(parents=True)
        for name in PROGRAMS:
            shutil.move(made / name, fresh / name)
        shutil.rmtree(home(), ignore_errors=True)
        fresh.parent.rename(home())


def fetch_sources(scratch: Path) -> Path:
    """The unpacked source package, by lists of our own: the machine's settings of apt stay as they are."""
    parts, lists = scratch / "parts", scratch / "lists"
    parts.mkdir()
    (lists / "partial").mkdir(parents=True)
    (parts / "sources.sources").write_text(SOURCES)
    places = {"Dir::Etc::sourcelist": "/dev/null", "Dir::Etc::sourceparts": parts, "Dir::State::lists": lists}
    apt = ["apt-get", "-qq", "-o", "APT::Sandbox::User=root"]
    for name, place in places.items():
        apt += ["-o", f"{name}={place}"]
    run_step("Read Debian's list of sources", [*apt, "update"], cwd=scratch)
    run_step("Fetch Kubernetes' sources", [*apt, "source", "--download-only", "kubernetes"], cwd=scratch)
    package = next(scratch.glob("kubernetes_*.dsc"), None)
    if package is None or VERSION not in package.name:
        raise Stop(f"Debian's sources no longer contain Kubernetes {VERSION}.")
    # Its signature was checked with that of the list; the keys of single maintainers are not on the machine.
    unpack = ["dpkg-source", "--no-check", "-x", package.name, "tree"]
    run_step("Unpack Kubernetes' sources", unpack, cwd=scratch)
    return scratch / "tree"


def replace_reflect2(tree: Path) -> None:
    """The copy in the tree predates the compiler and crashes the API server; Debian packages a newer one."""
    old = tree / "vendor" / REFLECT2
    for file in [*old.glob("*.go"), *old.glob("*.s")]:
        file.unlink()
    new = Path("/usr/share/gocode/src") / REFLECT2
    for file in [*new.glob("*.go"), *new.glob("*.s")]:
        shutil.copy(file, old)


def compile_programs(tree: Path) -> Path:
    link = tree / ".go" / "src" / "k8s.io" / "kubernetes"
    link.parent.mkdir(parents=True)
    link.symlink_to(tree)
    env = {**BUILD_ENVIRONMENT, "GOPATH": str(tree / ".go")}
    what = " ".join(f"cmd/{name}" for name in PROGRAMS)
    run_step(f"Build Kubernetes {VERSION}", ["make", f"WHAT={what}"], cwd=tree, env=env)
    return tree / "_output" / "local" / "bin" / "linux" / ARCHITECTURE
