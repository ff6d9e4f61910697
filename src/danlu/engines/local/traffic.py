"""What this machine's network has received and sent, by the counters of its interfaces."""

from __future__ import annotations

from pathlib import Path

_PROC, _SYS = Path("/proc/net/dev"), Path("/sys/class/net")
_OURS = "danlu"
_INNER = ("bridge", "tun_flags", "bonding")
"""What the kernel tells of an interface that only passes on what another counts too."""


def counted(table: Path = _PROC, interfaces: Path = _SYS) -> tuple[int, int] | None:
    """Bytes received and sent since the machine started; None if that cannot be known. Interfaces with a device behind
    them count; in a container none has one, and all count but loopback, Danlu's own and those that pass on."""
    try:
        lines = table.read_text("ascii", "replace").splitlines()[2:]
    except OSError:
        return None
    found: dict[str, tuple[int, int]] = {}
    for line in lines:
        name, _, rest = line.partition(":")
        words = rest.split()
        if len(words) >= 9 and words[0].isdigit() and words[8].isdigit():
            found[name.strip()] = (int(words[0]), int(words[8]))
    real = [name for name in found if (interfaces / name / "device").exists()]
    chosen = real or [name for name in found if _reaches_out(name, interfaces / name)]
    if not chosen:
        return None
    return sum(found[name][0] for name in chosen), sum(found[name][1] for name in chosen)


def _reaches_out(name: str, about: Path) -> bool:
    return name != "lo" and not name.startswith(_OURS) and not any((about / one).exists() for one in _INNER)
