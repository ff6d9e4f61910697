"""Sockets that belong to another network namespace than the process that holds them."""

from __future__ import annotations

import ctypes
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CLONE_NEWNET = 0x40000000


def listen_in(namespace: Path, address: str, port: int = 0) -> socket.socket:
    """A listening socket inside the namespace; the caller's own threads stay where they are."""
    # A namespace is entered by single threads, and a socket keeps the one it was made in.
    with ThreadPoolExecutor(max_workers=1) as visitor:
        return visitor.submit(_listen, namespace, address, port).result()


def _listen(namespace: Path, address: str, port: int) -> socket.socket:
    descriptor = os.open(namespace, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if ctypes.CDLL(None, use_errno=True).setns(descriptor, CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"cannot enter {namespace}")
    finally:
        os.close(descriptor)
    return socket.create_server((address, port))
