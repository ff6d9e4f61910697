"""Places of a copy as people write them: one grammar for this machine, volumes, buckets and the web."""

from __future__ import annotations

import pytest

from danlu.sdk.copying.places import BUCKET, LOCAL, VOLUME, WEB, place_of
from danlu.sdk.http.errors import BadPlace


@pytest.mark.parametrize(
    ("text", "kind", "root", "path", "pattern"),
    [
        ("photos", LOCAL, "", "photos", ""),
        ("./data:/x", LOCAL, "", "./data:/x", ""),
        ("/a/b", LOCAL, "", "/a/b", ""),
        ("/a/*.jpg", LOCAL, "", "/a", "*.jpg"),
        ("/*.jpg", LOCAL, "", "/", "*.jpg"),
        ("vol:data/train", VOLUME, "data", "train", ""),
        ("vol:data", VOLUME, "data", "", ""),
        ("vol:lin:data/train", VOLUME, "lin:data", "train", ""),
        ("vol:lin:data:/train", VOLUME, "lin:data", "train", ""),
        ("data:/train//x/.", VOLUME, "data", "train/x", ""),
        ("lin:data:/train", VOLUME, "lin:data", "train", ""),
        ("data:/a/**/b", VOLUME, "data", "a", "**/b"),
        (r"data:/a\*/b", VOLUME, "data", "a*/b", ""),
        ("s3://bucket/a/b", BUCKET, "bucket", "a/b", ""),
        ("s3://bucket", BUCKET, "bucket", "", ""),
        ("s3:bucket/a", BUCKET, "bucket", "a", ""),
        ("s3://bucket/a/*.tar", BUCKET, "bucket", "a", "*.tar"),
        ("https://host/a?b=c", WEB, "https://host/a?b=c", "a", ""),
    ],
)
def test_a_place_is_read_as_it_is_written(text: str, kind: str, root: str, path: str, pattern: str) -> None:
    assert place_of(text)[:4] == (kind, root, path, pattern)


@pytest.mark.parametrize("text", ["", "vol:a/../../b", "data:/../x", "s3://", "s3:///x", "a\0b"])
def test_what_is_no_place_is_told_with_the_ways_to_write_one(text: str) -> None:
    with pytest.raises(BadPlace, match="s3://BUCKET/prefix"):
        place_of(text)


def test_a_slash_at_the_end_says_that_a_folder_is_meant() -> None:
    assert [place_of(one).is_folder for one in ("vol:data/x/", "data:/x", "s3://bucket/x/", "x/")] == [
        True,
        False,
        True,
        True,
    ]
