"""What a machine without clusters, provider or PostgreSQL does not use is not loaded."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from danlu.ports import supervision

HEAVY = (
    "aiohttp",
    "alembic",
    "cramjam",
    "cryptography",
    "danlu.engines.kubernetes",
    "danlu.server.http.provider",
    "danlu.store.sql.ear",
    "joserfc",
    "numpy",
    "psycopg",
    "pydantic.v1",  # FastAPI loads it with the first route that it builds
    "sqlalchemy.dialects.postgresql",
    "sqlalchemy.orm",
    "yaml",
)
UP = """
import json, os, signal, sys
from danlu import bootstrap
from pydantic import BaseModel
from danlu.server.http.models import Answer

def kinds(model):
    return [model, *(one for heir in model.__subclasses__() for one in kinds(heir))]

def tell(ready):
    built = [model.__name__ for model in kinds(BaseModel) if model.__pydantic_complete__]
    models = len(kinds(BaseModel)), len(kinds(Answer))
    with open(sys.argv[2], "w") as file:
        json.dump({"modules": sorted(sys.modules), "built": built, "models": models}, file)
    os.kill(os.getpid(), signal.SIGINT)

bootstrap.Danlu(bootstrap.load_settings({"data": sys.argv[1], "port": 0})).run(tell)
"""


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What a `danlu up` has loaded once it is ready, on a data directory that an earlier one has left."""
    root = tmp_path_factory.mktemp("loaded")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DANLU_")}
    env = {**kept, "DANLU_CONFIG_DIR": str(root / "config")}
    data, told = root / "data", root / "told"
    try:
        for _ in range(2):
            command = [sys.executable, "-c", UP, str(data), str(told)]
            subprocess.run(command, env=env, cwd=root, check=True, timeout=100)
        yield json.loads(told.read_text())
    finally:
        with contextlib.suppress(OSError):
            supervision.ask_launcher(str(data / "runs"), {"quit": True})


@pytest.mark.parametrize("module", HEAVY)
def test_a_server_that_does_not_use_it_has_not_loaded(ready: dict[str, Any], module: str) -> None:
    assert importlib.util.find_spec(module) is not None  # else the claim would be empty
    assert module not in ready["modules"]


def test_of_hundreds_of_models_only_those_of_the_settings_are_built(ready: dict[str, Any]) -> None:
    """Answers are for the document, and what is sent is read by what the first of its kind builds. FastAPI itself
    insists on a few of its own."""
    models, answers = ready["models"]
    assert models > 300
    assert answers > 100
    assert set(ready["built"]) <= {"Settings", "Schema", "Encoding", "Operation", "OAuthFlows"}
