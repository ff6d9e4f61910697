"""Makes some files of features, or reads them: `features.py make FOLDER`, `features.py read FOLDER`."""

import json
import math
import pathlib
import sys

FILES, ROWS = 8, 500


def make(folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(FILES):
        rows = ({"id": number * ROWS + row, "value": math.sin(number * ROWS + row)} for row in range(ROWS))
        (folder / f"{number:03}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    print(f"made {FILES} files of {ROWS} rows")


def read(folder: pathlib.Path) -> None:
    rows = [
        json.loads(line) for file in sorted(folder.glob("*.jsonl")) for line in file.read_text().splitlines()
    ]
    print(f"read {len(rows)} rows, mean {sum(row['value'] for row in rows) / len(rows):.4f}")


if __name__ == "__main__":
    {"make": make, "read": read}[sys.argv[1]](pathlib.Path(sys.argv[2]))
