"""A stand-in of COCO 2017: images with coloured boxes, and annotations that tell where they are."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from danlu.data.recipes.jpeg import SQUARE, Colour, jpeg
from danlu.domain.datasets.classes import COCO

_SIDES = (12, 16, 20)
_AT = "2017-01-01 00:00:00"
_INFO = {
    "description": "stand-in of COCO 2017",
    "url": "",
    "version": "1.0",
    "year": 2017,
    "contributor": "",
    "date_created": "2017/01/01",
}
_LICENCES = [{"url": "", "id": 1, "name": "made up"}]
Found = dict[str, Any]


def coco2017(count: int) -> Iterator[tuple[str, bytes]]:
    """Paths and files: five sixths for training. Annotations come last, as they tell of all images."""
    chance = random.Random("coco2017")
    validation = count // 6
    numbers = iter(range(1, count * 3 + count + 1))
    for split, size, first in (("train", count - validation, 1), ("val", validation, count - validation + 1)):
        told = _Annotations()
        for at in range(first, first + size):
            name = f"{at:012}.jpg"
            yield f"{split}2017/{name}", told.image(chance, at, name, numbers)
        yield f"annotations/instances_{split}2017.json", told.instances()
        yield f"annotations/captions_{split}2017.json", told.captions()


class _Annotations:
    """What the annotations of one split tell."""

    def __init__(self) -> None:
        self._images: list[Found] = []
        self._boxes: list[Found] = []
        self._captions: list[Found] = []

    def image(self, chance: random.Random, number: int, name: str, numbers: Iterator[int]) -> bytes:
        height, width = chance.choice(_SIDES), chance.choice(_SIDES)
        ground = chance.randrange(90, 160)
        squares: list[list[Colour]] = [[(ground, ground, ground)] * width for _ in range(height)]
        seen = []
        # One in each strip of the image: they never cover each other.
        for strip in range(chance.randrange(1, 4)):
            kind = COCO[chance.randrange(len(COCO))]
            self._box(chance, squares, strip, kind, number, next(numbers))
            seen.append(kind[2])
        self._images.append(
            {
                "license": 1,
                "file_name": name,
                "coco_url": "",
                "height": height * SQUARE,
                "width": width * SQUARE,
                "date_captured": _AT,
                "flickr_url": "",
                "id": number,
            }
        )
        caption = f"A grey room with a {' and a '.join(seen)}."
        self._captions.append({"image_id": number, "id": next(numbers), "caption": caption})
        return jpeg(squares)

    def _box(
        self,
        chance: random.Random,
        squares: list[list[Colour]],
        strip: int,
        kind: tuple[int, str, str],
        image: int,
        number: int,
    ) -> None:
        rows = len(squares) // 3
        height, width = chance.randrange(2, rows + 1), chance.randrange(2, len(squares[0]) // 2)
        top = strip * rows + chance.randrange(rows - height + 1)
        left = chance.randrange(len(squares[0]) - width + 1)
        for row in squares[top : top + height]:
            row[left : left + width] = [_colour(kind[0])] * width
        x, y, w, h = (float(SQUARE * side) for side in (left, top, width, height))
        self._boxes.append(
            {
                "segmentation": [[x, y, x + w, y, x + w, y + h, x, y + h]],
                "area": w * h,
                "iscrowd": 0,
                "image_id": image,
                "bbox": [x, y, w, h],
                "category_id": kind[0],
                "id": number,
            }
        )

    def instances(self) -> bytes:
        categories = [{"supercategory": above, "id": number, "name": name} for number, above, name in COCO]
        return self._file({"annotations": self._boxes, "categories": categories})

    def captions(self) -> bytes:
        return self._file({"annotations": self._captions})

    def _file(self, more: Found) -> bytes:
        return json.dumps({"info": _INFO, "licenses": _LICENCES, "images": self._images, **more}).encode()


def _colour(category: int) -> Colour:
    """Bright, and far from grey; its own for each category."""
    return (255 * (category % 2), 40 + category * 5 % 200, 255 - 255 * (category % 2) - category)
