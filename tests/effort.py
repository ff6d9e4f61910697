"""How far tests go that try many cases: a part on every push, with a seed that changes by the day; all with `--long`."""

from __future__ import annotations

import datetime
import os
import random

# Not called DANLU_…: a server refuses such a variable that it does not know.
LONG = bool(os.environ.get("TESTS_LONG"))


def rounds(few: int, all_of_them: int) -> int:
    """How many rounds of chaos, or examples of a property, this run tries."""
    return all_of_them if LONG else few


def seed() -> int:
    """The same for all tests of a day; `TESTS_SEED` brings back an earlier one."""
    return int(os.environ["TESTS_SEED"])


def chance_of(of: object = "") -> random.Random:
    """What happens by chance in one test, or in one round of it; pytest shows the seed when the test fails."""
    print(f"TESTS_SEED={seed()}")
    return random.Random(f"{seed()} {of}")


# Kept where pytest's workers look too: a run that goes on past midnight keeps its seed.
if not os.environ.get("TESTS_SEED"):
    os.environ["TESTS_SEED"] = str(datetime.datetime.now(datetime.UTC).toordinal())
