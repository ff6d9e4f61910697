"""A real NFS server for tests, which needs root: nfs-ganesha, version 4 alone, exporting a folder on loopback."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

_PATIENCE_S = 60
_READY = b"NFS SERVER INITIALIZED"
_CONFIGURATION = """
NFS_CORE_PARAM {{ NFS_Port = {port}; Bind_addr = 127.0.0.1; Protocols = 4; Enable_NLM = false; Enable_RQUOTA = false; }}
NFSV4 {{ Graceless = true; RecoveryRoot = "{place}/recovery"; }}
EXPORT {{ Export_Id = 1; Path = {place}/export; Pseudo = /export; Access_Type = RW;
  Squash = No_Root_Squash; SecType = sys; Protocols = 4; Attr_Expiration_Time = 0; FSAL {{ Name = VFS; }} }}
LOG {{ Default_Log_Level = EVENT; }}
"""


@dataclass
class NfsServer:
    """What is below `export` is served as `nfs://127.0.0.1:PORT/export`."""

    place: Path
    port: int
    process: subprocess.Popen[bytes] | None = None
    _numbers: Iterator[int] = field(default_factory=count)

    @property
    def export(self) -> Path:
        return self.place / "export"

    def folder(self) -> Path:
        """A fresh folder that everybody may read."""
        made = self.export / f"test-{next(self._numbers)}"
        made.mkdir()
        made.chmod(0o755)
        return made

    def address(self, folder: Path) -> str:
        return f"nfs://127.0.0.1:{self.port}/{folder.relative_to(self.place)}"

    def start(self) -> None:
        log = self.place / "log"
        log.unlink(missing_ok=True)
        program = shutil.which("ganesha.nfsd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/bin")
        files = {"-f": self.place / "conf", "-p": self.place / "pid", "-L": log}
        options = [word for name, path in files.items() for word in (name, str(path))]
        self.process = subprocess.Popen(
            [program or "ganesha.nfsd", "-F", *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.place,
            start_new_session=True,
        )
        deadline = time.monotonic() + _PATIENCE_S
        while not (log.exists() and _READY in log.read_bytes()):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(0.05)
            if self.process.returncode is not None or time.monotonic() > deadline:
                raise RuntimeError(f"nfs-ganesha did not start:\n{log.read_text() if log.exists() else ''}")

    def kill(self) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def stop(self) -> None:
        self.kill()
        shutil.rmtree(self.place, ignore_errors=True)


def start_nfs() -> NfsServer:
    """Make and start a server; the caller stops it."""
    place = Path(tempfile.mkdtemp(prefix="danlu-nfs-"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        server = NfsServer(place, free.getsockname()[1])
    for name in ("export", "recovery"):
        (place / name).mkdir(mode=0o755)
    (place / "conf").write_text(_CONFIGURATION.format(port=server.port, place=place))
    try:
        server.start()
    except BaseException:
        server.stop()
        raise
    return server
