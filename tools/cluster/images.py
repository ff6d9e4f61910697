"""The images of the test cluster: a sandbox, busybox, and Debian's Python with this checkout's runtime in it, also with
Open MPI."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tools.cluster.archive import WORLD_WRITABLE, Image, Layer, write_archive
from tools.cluster.mpi_layer import ensure_mpi_layer
from tools.cluster.node import SANDBOX_IMAGE
from tools.cluster.python_layer import ensure_python_layer
from tools.dev.places import ROOT
from tools.dev.stamps import digest_of_files

BUSYBOX_IMAGE = "danlu.test/busybox:1"
PYTHON_IMAGE = "danlu.test/python:3.11"
MPI_IMAGE = "danlu.test/mpi:1"
BUSYBOX = Path("/usr/bin/busybox")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Ends at once when told to, and reaps what a shared process namespace leaves behind.
PAUSE = "trap 'exit 0' TERM INT; while :; do sleep 86400 & wait $!; done"
# The parts of Danlu that run inside a task, with all they import.
INSIDE_TASKS = ("__init__.py", "domain", "ports", "runtime", "sdk")


def write_images(folder: Path) -> list[Path]:
    """Archives of all images, ready to be imported."""
    folder.mkdir(parents=True, exist_ok=True)
    base, mpi = ensure_python_layer(), ensure_mpi_layer()
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        busybox, danlu = Path(scratch, "busybox"), Path(scratch, "danlu")
        write_busybox_layer(busybox)
        write_danlu_layer(danlu)
        environment = {"PATH": PATH}
        python = {**environment, "PYTHONPATH": "/opt/danlu", "PYTHONUNBUFFERED": "1"}
        images = [
            Image(SANDBOX_IMAGE, (busybox,), ("/bin/sh", "-c", PAUSE), environment),
            Image(BUSYBOX_IMAGE, (busybox,), ("/bin/sh",), environment),
            Image(PYTHON_IMAGE, (busybox, base, danlu), ("python3",), python),
            Image(MPI_IMAGE, (busybox, base, mpi, danlu), ("python3",), python),
        ]
        archives = []
        for image in images:
            archive = folder / (image.name.split("/")[1].replace(":", "-") + ".tar")
            write_archive(image, archive)
            archives.append(archive)
    return archives


def images_digest() -> str:
    """Changes when an image would."""
    names = ("archive.py", "debian_layer.py", "images.py", "mpi_layer.py", "python_layer.py")
    recipes = [Path(__file__).with_name(name) for name in names]
    return digest_of_files([*recipes, *danlu_files()], ROOT)


def write_busybox_layer(path: Path) -> None:
    applets = subprocess.run([BUSYBOX, "--list"], check=True, capture_output=True, text=True).stdout.split()
    with Layer(path) as layer:
        for name in ("bin", "etc", "opt", "usr", "usr/bin", "var"):
            layer.folder(name)
        layer.folder("root", 0o700)
        layer.folder("tmp", WORLD_WRITABLE)
        layer.file("bin/busybox", BUSYBOX.read_bytes(), 0o755)
        for applet in sorted(set(applets) - {"busybox"}):
            layer.link(f"bin/{applet}", "busybox")
        layer.link("usr/bin/env", "../../bin/busybox")
        layer.file("etc/passwd", b"root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/tmp:/bin/sh\n")
        layer.file("etc/group", b"root:x:0:\nnogroup:x:65534:\n")


def write_danlu_layer(path: Path) -> None:
    source = ROOT / "src"
    with Layer(path) as layer:
        folders = {"opt/danlu"}
        for file in sorted(danlu_files()):
            name = f"opt/danlu/{file.relative_to(source).as_posix()}"
            folder = name.rpartition("/")[0]
            if folder not in folders:
                folders.add(folder)
                layer.folder(folder)
            layer.file(name, file.read_bytes())


def danlu_files() -> Iterator[Path]:
    package = ROOT / "src" / "danlu"
    for part in INSIDE_TASKS:
        yield from [package / part] if part.endswith(".py") else (package / part).rglob("*.py")
