"""What can be seen of the machine that a server runs on, for whoever judges how safe that is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class PlaceKind(StrEnum):
    """What lies there: the data directory, secrets in it, the settings file, Danlu's own code, or the Python
    environment that tasks run in."""

    DATA = "data"
    SECRET = "secret"
    SETTINGS = "settings"
    CODE = "code"
    PYTHON = "python"


@dataclass(frozen=True, slots=True)
class PlaceFact:
    """Who may use a file or folder: mode bits and owner, of the thing itself and not of what a link leads to."""

    kind: PlaceKind
    path: str
    mode: int
    uid: int


@dataclass(frozen=True, slots=True)
class DiskSpace:
    """Of the data directory, in bytes. Below the reserve nothing starts on its machine; 0 is none."""

    total: int
    free: int
    reserve: int = 0


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """`uid` is the user that runs this server. `kernel` and `bubblewrap` are versions; None where there is none or it
    does not say. `settings_secrets` are the keys of the settings file that hold a password."""

    uid: int
    kernel: tuple[int, ...] | None
    bubblewrap: tuple[int, ...] | None
    disk: DiskSpace
    places: tuple[PlaceFact, ...] = ()
    settings_secrets: tuple[str, ...] = ()


class MachineProbe(Protocol):
    def space(self) -> DiskSpace: ...

    def look(self) -> MachineFacts:
        """As it is now. Changes nothing, follows no links, and looks at a bounded number of files."""
