"""Addresses of NFS exports: what they mean, and what is none."""

from __future__ import annotations

import pytest

from danlu.domain.volumes.exports import NOBODY, ExportAddress
from danlu.domain.volumes.source import BucketAddress, VolumeOutside
from danlu.domain.words import BadValue


@pytest.mark.parametrize(
    ("said", "host", "port", "path", "who"),
    [
        ("nfs://nas/sets", "nas", 2049, "/sets", (NOBODY, NOBODY)),
        ("nfs://NAS.example.org:22049//sets//a/", "nas.example.org", 22049, "/sets/a", (NOBODY, NOBODY)),
        ("nfs://[fd00::1]:2050/sets?uid=1001&gid=7", "fd00::1", 2050, "/sets", (1001, 7)),
        ("nfs://[fd00::1]/sets?gid=7", "fd00::1", 2049, "/sets", (NOBODY, 7)),
    ],
)
def test_an_address_is_a_host_an_export_and_as_whom_it_is_read(
    said: str, host: str, port: int, path: str, who: tuple[int, int]
) -> None:
    found = ExportAddress.parse(said)
    assert (found.host, found.port, found.path) == (host, port, path)
    assert (found.uid, found.gid) == who
    assert found.is_somebody == (who != (NOBODY, NOBODY))
    assert ExportAddress.parse(str(found)) == found


@pytest.mark.parametrize(
    "said",
    [
        "nas", "nfs:/nas/x", "nfs://", "nfs://nas", "nfs://nas/", "nfs:///sets", "nfs://me@nas/x", "nfs://nas:0/x", "nfs://nas:65536/x",
        "nfs://nas:/x", "nfs://nas/../x", "nfs://nas/a/./b", "nfs://nas/new\nline", "nfs://nas/" + "k" * 769, "s3://nas/x",
        "nfs://nas/x?uid=0", "nfs://nas/x?uid=-1", "nfs://nas/x?uid=1&uid=2", "nfs://nas/x?uid=2147483648", "nfs://nas/x?nfsport=1",
        "nfs://nas/x?version=3", "nfs://nas/x?uid=1&", "nfs://fd00::1/x",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(said: str) -> None:
    with pytest.raises(BadValue):
        ExportAddress.parse(said)


def test_the_scheme_says_what_kind_of_place_it_is() -> None:
    assert isinstance(VolumeOutside("nfs://nas/sets").place, ExportAddress)
    assert isinstance(VolumeOutside("s3://data/").place, BucketAddress)
