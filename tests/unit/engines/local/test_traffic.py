"""Which interfaces count as a machine's network."""

from __future__ import annotations

from pathlib import Path

from danlu.engines.local.traffic import counted

HEAD = "Inter-|   Receive  |  Transmit\n face |bytes packets |bytes packets\n"


def table(tmp_path: Path, **interfaces: tuple[int, int]) -> tuple[Path, Path]:
    lines = [
        f"{name}: {got} 1 0 0 0 0 0 0 {sent} 2 0 0 0 0 0 0\n" for name, (got, sent) in interfaces.items()
    ]
    (tmp_path / "dev").write_text(HEAD + "".join(lines))
    for name in interfaces:
        (tmp_path / "net" / name).mkdir(parents=True)
    return tmp_path / "dev", tmp_path / "net"


def test_interfaces_with_a_device_count_and_what_only_passes_on_does_not(tmp_path: Path) -> None:
    dev, net = table(tmp_path, lo=(9, 9), eth0=(100, 10), ib0=(1_000, 20), docker0=(7, 7), danlu3=(8, 8))
    for name in ("eth0", "ib0"):
        (net / name / "device").mkdir()
    assert counted(dev, net) == (1_100, 30)


def test_in_a_container_all_count_that_lead_out(tmp_path: Path) -> None:
    dev, net = table(tmp_path, lo=(9, 9), eth0=(100, 10), br0=(7, 7), danlu3=(8, 8), tun0=(5, 5))
    (net / "br0" / "bridge").mkdir()
    (net / "tun0" / "tun_flags").touch()
    assert counted(dev, net) == (100, 10)


def test_where_nothing_leads_out_or_can_be_read_nothing_is_known(tmp_path: Path) -> None:
    assert counted(*table(tmp_path, lo=(9, 9))) is None
    assert counted(tmp_path / "missing", tmp_path / "net") is None
    (tmp_path / "dev").write_text(HEAD + "eth0: garbage\n")
    assert counted(tmp_path / "dev", tmp_path / "net") is None


def test_this_machine_is_read() -> None:
    known = counted()
    assert known is None or min(known) >= 0
