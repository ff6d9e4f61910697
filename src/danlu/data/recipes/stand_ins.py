"""The stand-in of each recipe."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

from danlu.data.recipes.cifar import cifar10
from danlu.data.recipes.coco import coco2017
from danlu.data.recipes.imagenet import imagenet
from danlu.domain.datasets.recipes import RECIPES, schema_of

SCHEMA = "danlu.json"
_MAKERS: Mapping[str, Callable[[int], Iterator[tuple[str, bytes]]]] = {
    "cifar10": cifar10,
    "coco2017": coco2017,
    "imagenet": imagenet,
}


def files_of(recipe: str, stand_in: int) -> Iterator[tuple[str, bytes]]:
    """What Danlu itself writes of a set: its schema, and so many images in place of the original (0: none)."""
    told = json.dumps(schema_of(RECIPES[recipe], stand_in), indent=2, ensure_ascii=False)
    yield SCHEMA, told.encode() + b"\n"
    if stand_in:
        yield from _MAKERS[recipe](stand_in)
