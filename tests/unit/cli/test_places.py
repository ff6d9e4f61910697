"""Places in volumes as people write them."""

from __future__ import annotations

import click
import pytest

from danlu.cli.files.places import PLACE


@pytest.mark.parametrize(
    ("text", "volume", "path"),
    [
        ("data", "data", ""),
        ("data:", "data", ""),
        ("data:/", "data", ""),
        ("data:/a//b/./c/", "data", "a/b/c"),
        ("lin:image.net-1:/a", "lin:image.net-1", "a"),
        ("personal:/x:y", "personal", "x:y"),
        ("data:/two\nlines", "data", "two\nlines"),
        ("data:/-rf", "data", "-rf"),
    ],
)
def test_a_place_is_a_volume_and_a_path(text: str, volume: str, path: str) -> None:
    assert PLACE.convert(text, None, None) == (volume, path)


@pytest.mark.parametrize("text", ["", "/a", "a/b", "data:/../x", "A:/x", "a:b:c:/x", "./data"])
def test_anything_else_is_told(text: str) -> None:
    with pytest.raises(click.BadParameter):
        PLACE.convert(text, None, None)
