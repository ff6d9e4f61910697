"""A stand-in of ImageNet: folders of JPEGs, one for each of ten classes, and a folder for validation."""

from __future__ import annotations

import random
from collections.abc import Iterator

from danlu.data.recipes.jpeg import Colour, jpeg
from danlu.domain.datasets.classes import IMAGENET_SOME

_SIDES = (6, 8, 10)
"""In squares: images of the original differ in size too."""


def imagenet(count: int) -> Iterator[tuple[str, bytes]]:
    """Paths and files: five sixths for training."""
    chance = random.Random("imagenet")
    classes = list(IMAGENET_SOME)
    shades = [_shade(number) for number in range(len(classes))]
    validation = count // 6
    for at in range(count - validation):
        number = at % len(classes)
        name = classes[number]
        yield f"train/{name}/{name}_{at // len(classes) + 1}.JPEG", _image(chance, shades[number])
    for at in range(validation):
        shade = shades[at % len(classes)]
        yield f"val/ILSVRC2012_val_{at + 1:08}.JPEG", _image(chance, shade)


def _shade(number: int) -> Colour:
    return (40 + 19 * number, 220 - 19 * number, (number * 97) % 200 + 28)


def _image(chance: random.Random, shade: Colour) -> bytes:
    height, width = chance.choice(_SIDES), chance.choice(_SIDES)
    return jpeg([[_near(chance, shade) for _ in range(width)] for _ in range(height)])


def _near(chance: random.Random, shade: Colour) -> Colour:
    red, green, blue = (max(0, min(255, level + chance.randrange(-25, 26))) for level in shade)
    return (red, green, blue)
