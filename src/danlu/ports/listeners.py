"""Who keeps a server's listening socket while it restarts."""

from __future__ import annotations

import socket
from typing import Protocol


class ListenerKeeper(Protocol):
    """Both may find nobody to keep anything: then a restart has to bind anew."""

    def find(self, host: str, port: int) -> socket.socket | None:
        """The socket of the last server on this address."""

    def keep(self, host: str, listener: socket.socket) -> None:
        """Hold on to a socket that listens, now and when this process is gone."""
