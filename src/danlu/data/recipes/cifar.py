"""A stand-in of CIFAR-10 in its Python form: what reads the original with `pickle` and NumPy reads this."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator, Sequence

from danlu.domain.datasets.classes import CIFAR10

_FOLDER = "cifar-10-batches-py"
_PIXELS = 32 * 32
_COLOURS = ((60, 120, 220), (200, 40, 40), (90, 200, 230), (230, 150, 60), (120, 90, 40))
_MORE = ((160, 120, 90), (40, 180, 60), (110, 60, 20), (30, 60, 120), (220, 200, 40))
"""What most of an image of a class is like."""
_NOISE = 96


def cifar10(count: int) -> Iterator[tuple[str, bytes]]:
    """Paths and files: five batches for training and one for testing, as large as the others."""
    chance = random.Random("cifar10")
    tables = [[_table(level) for level in colour] for colour in (*_COLOURS, *_MORE)]
    names = [name.encode() for name in CIFAR10.values()]
    for number in range(6):
        test = number == 5
        size = count // 6 + (number < count % 6)
        labels = [at % 10 for at in range(size)]
        chance.shuffle(labels)
        data = b"".join(_image(chance, tables[label]) for label in labels)
        files = [b"%s_s_%06d.png" % (names[label], number * 10_000 + at) for at, label in enumerate(labels)]
        title = b"testing batch 1 of 1" if test else b"training batch %d of 5" % (number + 1)
        name = "test_batch" if test else f"data_batch_{number + 1}"
        yield f"{_FOLDER}/{name}", _batch(title, labels, data, files)
    yield f"{_FOLDER}/batches.meta", _meta(names, count // 6)


def _table(level: int) -> bytes:
    """Noise, around what the class is like."""
    return bytes(max(0, min(255, level + noise * _NOISE // 256 - _NOISE // 2)) for noise in range(256))


def _image(chance: random.Random, tables: Sequence[bytes]) -> bytes:
    return b"".join(chance.randbytes(_PIXELS).translate(table) for table in tables)


# ── pickles as Python 2 wrote them: text is bytes, so that `encoding` means what it does with the original ──────


def _batch(title: bytes, labels: Sequence[int], data: bytes, files: Sequence[bytes]) -> bytes:
    parts = (
        (b"batch_label", _text(title)),
        (b"labels", _list([_number(label) for label in labels])),
        (b"data", _array(len(labels), data)),
        (b"filenames", _list([_text(name) for name in files])),
    )
    return _dictionary(parts)


def _meta(names: Sequence[bytes], size: int) -> bytes:
    parts = (
        (b"num_cases_per_batch", _number(size)),
        (b"label_names", _list([_text(name) for name in names])),
        (b"num_vis", _number(3 * _PIXELS)),
    )
    return _dictionary(parts)


def _dictionary(parts: Sequence[tuple[bytes, bytes]]) -> bytes:
    return b"\x80\x02}(" + b"".join(_text(key) + value for key, value in parts) + b"u."


def _list(values: Sequence[bytes]) -> bytes:
    return b"](" + b"".join(values) + b"e"


def _number(value: int) -> bytes:
    return b"J" + struct.pack("<i", value)


def _text(value: bytes) -> bytes:
    if len(value) < 256:
        return b"U" + bytes((len(value),)) + value
    return b"T" + struct.pack("<I", len(value)) + value


def _array(rows: int, data: bytes) -> bytes:
    """A NumPy array of bytes, rows of 3072: made empty, then given its state."""
    kind = b"cnumpy\ndtype\n(U\x02u1K\x00K\x01tR(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"
    made = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(K\x00tU\x01btR"
    shape = b"(" + _number(rows) + _number(3 * _PIXELS) + b"t"
    return made + b"(K\x01" + shape + kind + b"\x89" + _text(data) + b"tb"
