"""Adds and starts jobs without end, telling the id of each when it is kept."""

from __future__ import annotations

import sys

from danlu.store.sql import SqlStore
from tests.contracts.store.building import added, queued


def main() -> None:
    store = SqlStore.open(sys.argv[1])
    while True:
        job = queued(store, added(store))
        print(job.id, flush=True)


if __name__ == "__main__":
    main()
