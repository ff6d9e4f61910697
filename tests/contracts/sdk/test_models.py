"""The SDK's dataclasses are what the API says: what a schema describes is read into the types that a class names."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

import danlu.sdk
from danlu.sdk import models
from danlu.sdk.models.reading import read
from tests.typed import is_typed
from tools.dev.sdk_classes import BASES, CLASSES, DEFAULTS, MAY_LACK, NEVER_NONE, PLAIN

PAIRS = {name: schema or name for classes in CLASSES.values() for name, schema in classes.items()}
SPELLED = {"class": "job_class"}  # a word of the language in Python
TIMES = "2035-01-01T00:00:00.000Z"


@pytest.fixture(scope="session")
def schemas() -> dict[str, Any]:
    said = subprocess.run([sys.executable, "-m", "danlu.server.openapi"], capture_output=True, check=True)
    found: dict[str, Any] = json.loads(said.stdout)["components"]["schemas"]
    return found


@pytest.mark.parametrize("name", PAIRS)
def test_an_answer_is_read_whole_and_into_the_types_that_its_class_names(
    name: str, schemas: dict[str, Any]
) -> None:
    answer = example({"$ref": f"#/{PAIRS[name]}"}, schemas)
    kind = getattr(danlu.sdk, name)
    read_back = read(kind, {**answer, "of_a_newer_server": 1})
    assert {field.name for field in dataclasses.fields(kind)} == {SPELLED.get(key, key) for key in answer}
    assert is_typed(read_back, kind)
    assert written(read_back) == answer


@pytest.mark.parametrize("name", ["Group", "Token"])
def test_a_class_of_a_whole_answer_holds_what_lists_have_of_it(name: str, schemas: dict[str, Any]) -> None:
    row = example({"$ref": f"#/{name}"}, schemas)
    assert written(read(getattr(models, name), row)).items() >= row.items()


@pytest.mark.parametrize("name", PAIRS)
def test_an_answer_of_an_older_server_is_read_too(name: str) -> None:
    kind = getattr(models, name)
    assert is_typed(read(kind, {}), kind)


def test_what_is_said_of_fields_is_said_of_fields_that_there_are() -> None:
    known = {f"{name}.{field.name}" for name in PAIRS for field in dataclasses.fields(getattr(models, name))}
    assert known >= {*PLAIN, *NEVER_NONE, *MAY_LACK, *DEFAULTS}


@pytest.mark.parametrize(("name", "base"), BASES.items())
def test_a_class_that_is_another_with_more_inherits_it(name: str, base: str) -> None:
    assert issubclass(getattr(models, name), getattr(models, base))


# ── an answer, and what it is read into ──────────────────────────────────────────────────────────────


def example(about: Mapping[str, Any], schemas: dict[str, Any]) -> Any:
    """Something that the schema allows, with everything in it that may be there."""
    if "$ref" in about:
        about = schemas[about["$ref"].rpartition("/")[2]]
    if "anyOf" in about:
        return example(next(one for one in about["anyOf"] if one.get("type") != "null"), schemas)
    if "properties" in about:
        return {key: example(one, schemas) for key, one in about["properties"].items()}
    if "enum" in about:
        return about["enum"][0]
    if about.get("type") == "array":
        return [example(about["items"], schemas)] * 2
    if about.get("type") == "object":
        inner = about.get("additionalProperties")
        return {"key": example(inner, schemas) if isinstance(inner, dict) else "anything"}
    if about.get("format") == "date-time":
        return TIMES
    return {"string": "words", "integer": 7, "number": 2.5, "boolean": True}.get(about.get("type", ""), "any")


def written(value: Any) -> Any:
    """What was read, as it came."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        back = {"job_class": "class"}
        return {
            back.get(field.name, field.name): written(getattr(value, field.name))
            for field in dataclasses.fields(value)
        }
    if isinstance(value, tuple):
        return [written(one) for one in value]
    if isinstance(value, Mapping):
        return {key: written(one) for key, one in value.items()}
    return value
