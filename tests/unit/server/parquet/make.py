"""Makes the samples beside this file, with pyarrow 26: python tests/unit/server/parquet/make.py"""

from __future__ import annotations

import datetime as dt
import decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 6
HERE = Path(__file__).parent

table = pa.table(
    {
        "id": pa.array([0, 1, None, 3, 4, 5], pa.int64()),
        "big": pa.array([2**64 - 1] * ROWS, pa.uint64()),
        "loss": [1.5, 0.5, float("nan"), 0.25, 0.0, -1.0],
        "label": ["猫", "dog", "dog", "猫", None, "dog"],
        "good": [True, False, True, None, True, False],
        "raw": [bytes([at, 255]) for at in range(ROWS)],
        "day": [dt.date(2026, 11, 18)] * ROWS,
        "at": pa.array([dt.datetime(2026, 11, 18, 8, 0, 0, 500_000)] * ROWS, pa.timestamp("ns")),
        "zoned": pa.array([dt.datetime(2026, 11, 18, 8)] * ROWS, pa.timestamp("ms", tz="UTC")),
        "price": [decimal.Decimal("-1.25")] * ROWS,
        "tokens": [[1, 2], [], None, [None], [3], [4, 5, 6]],
        "half": pa.array([1.5] * ROWS, pa.float16()),
        "box": [{"x": 1}] * ROWS,
    }
)
plain = {"write_statistics": False, "store_schema": False}
for codec in ("snappy", "gzip", "zstd", "brotli", "lz4", "none"):
    pq.write_table(
        table,
        HERE / f"{codec}.parquet",
        compression=codec,
        data_page_version="2.0" if codec in ("zstd", "none") else "1.0",
        use_dictionary=codec in ("snappy", "zstd", "lz4"),
        row_group_size=4 if codec == "zstd" else 100,
        **plain,
    )
pq.write_table(
    pa.table(
        {
            "steps": list(range(0, 900, 3)),
            "words": [f"prefix-{at}" for at in range(300)],
            "lengths": ["x" * (at % 4) for at in range(300)],
            "floats": [at / 4 for at in range(300)],
        }
    ),
    HERE / "encodings.parquet",
    use_dictionary=False,
    column_encoding={
        "steps": "DELTA_BINARY_PACKED",
        "words": "DELTA_BYTE_ARRAY",
        "lengths": "DELTA_LENGTH_BYTE_ARRAY",
        "floats": "BYTE_STREAM_SPLIT",
    },
    **plain,
)
