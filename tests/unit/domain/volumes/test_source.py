"""Addresses of buckets: what they mean, and what is none."""

from __future__ import annotations

import pytest

from danlu.domain.volumes.source import BucketAddress, Login, checked_endpoint
from danlu.domain.words import BadValue


@pytest.mark.parametrize(
    ("said", "bucket", "prefix"),
    [
        ("s3://data", "data", ""),
        ("s3://data/", "data", ""),
        ("s3://data/a/b", "data", "a/b/"),
        ("s3://data//a//", "data", "a/"),
    ],
)
def test_an_address_is_a_bucket_and_what_is_below_a_folder(said: str, bucket: str, prefix: str) -> None:
    found = BucketAddress.parse(said, region="eu-west-1")
    assert (found.bucket, found.prefix) == (bucket, prefix)
    assert found.endpoint == "https://s3.eu-west-1.amazonaws.com"
    assert BucketAddress.parse(str(found), found.endpoint, found.region) == found


@pytest.mark.parametrize(
    "said",
    ["data", "s3:/data", "https://data", "s3://", "s3://A", "s3://a", "s3://x/../y", "s3://data/new\nline", "s3://data/" + "k" * 1024],
)  # fmt: skip
def test_what_is_no_address_is_refused(said: str) -> None:
    with pytest.raises(BadValue):
        BucketAddress.parse(said)


@pytest.mark.parametrize(
    "said",
    ["host", "ftp://host", "http://", "http://me:you@host", "http://host/path", "http://host?x", "http://host:x", "http://a\nb"],
)  # fmt: skip
def test_an_endpoint_is_a_scheme_a_host_and_perhaps_a_port(said: str) -> None:
    assert checked_endpoint("https://S3.Example.org:9000") == "https://s3.example.org:9000"
    assert checked_endpoint("http://[::1]:1") == "http://[::1]:1"
    with pytest.raises(BadValue):
        checked_endpoint(said)


def test_a_login_does_not_show_its_secret() -> None:
    assert "hush" not in repr(Login("key", "hush"))
