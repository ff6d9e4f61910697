"""Many small files are read from the node's own disk; only the result is kept."""

import os
import pathlib
import time

SCRATCH = pathlib.Path(os.environ.get("SCRATCH", "/scratch"))
KEPT = pathlib.Path(os.environ.get("DANLU_PERSONAL_DIR", "."))
FILES, SIZE = 2_000, 4_096


def unpack() -> None:
    """Where an archive of a volume would be unpacked: here the files are made up."""
    for number in range(FILES):
        (SCRATCH / f"{number:05}.bin").write_bytes(os.urandom(SIZE))


def read_all() -> float:
    """The mean of all bytes, as a stand-in for training."""
    total = sum(sum(path.read_bytes()) for path in SCRATCH.glob("*.bin"))
    return total / (FILES * SIZE)


def main() -> None:
    began = time.perf_counter()
    unpack()
    print(f"unpacked {FILES} files in {time.perf_counter() - began:.2f} s")
    for epoch in range(3):
        began = time.perf_counter()
        mean = read_all()
        print(f"epoch {epoch}: mean {mean:.2f}, {FILES / (time.perf_counter() - began):,.0f} files/s")
    (KEPT / "local-disk.txt").write_text(f"{mean:.4f}\n")


if __name__ == "__main__":
    main()
