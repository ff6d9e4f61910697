"""Credentials of clusters: one file each in `secrets/clusters/` of the data directory, readable by Danlu alone."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import tempfile
from pathlib import Path

from danlu.domain.errors import DiskFull, Unavailable
from danlu.domain.words import Words, say
from danlu.ports.clusters import ClusterCredentials


class FileClusterSecrets:
    """Implements ports.clusters.ClusterSecrets. Any thread and any process: a file is there whole or not at all."""

    def __init__(self, root: Path) -> None:
        self._root = root / "clusters"

    def access(self, name: str) -> ClusterCredentials | None:
        try:
            kept = json.loads(self._path(name).read_bytes())
        except (
            FileNotFoundError,
            ValueError,
        ):  # unreadable credentials count as missing: they must be given again
            return None
        except OSError as error:
            raise _unusable(name, Words("read", "读取"), error) from error
        return ClusterCredentials(kept.get("kubeconfig"), kept.get("context"))

    def keep(self, name: str, access: ClusterCredentials) -> None:
        text = json.dumps({"kubeconfig": access.kubeconfig, "context": access.context})
        try:
            self._root.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._write(name, text.encode())
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise DiskFull(
                    Words(
                        "the server's disk is full; free some space and try again",
                        "服务端磁盘空间不足，请腾出空间后重试",
                    )
                ) from error
            raise _unusable(name, Words("written", "写入"), error) from error

    def remove(self, name: str) -> None:
        self._path(name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self._root / f"{name}.json"

    def _write(self, name: str, content: bytes) -> None:
        handle, draft = tempfile.mkstemp(dir=self._root, prefix=".draft-")  # readable by its owner alone
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, self._path(name))
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(draft)


def _unusable(name: str, verb: Words, error: OSError) -> Unavailable:
    return Unavailable(
        say(
            "the credentials of cluster {name} cannot be {verb} in the data directory: {strerror}",
            "无法在数据目录中{verb}集群 {name} 的凭据：{strerror}",
            name=name,
            verb=verb,
            strerror=error.strerror,
        )
    )
