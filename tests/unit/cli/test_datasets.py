"""Datasets on the command line."""

from __future__ import annotations

import pytest

from tests.fakes.http_server import FakeServer
from tests.unit.cli.conftest import Danlu

LINEAGE = {
    "nodes": [
        {"id": "place:a", "kind": "place", "name": "lin:raw:/a", "owner": "", "ref": None, "at": None},
        {
            "id": "version:1",
            "kind": "version",
            "name": "lin:set@v1",
            "owner": "lin",
            "ref": "lin:set@v1",
            "at": None,
        },
        {"id": "job:7", "kind": "job", "name": "", "owner": "chen", "ref": None, "at": None},
    ],
    "edges": [
        {"source": "place:a", "target": "version:1", "kind": "made"},
        {"source": "version:1", "target": "job:7", "kind": "read"},
    ],
}


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", ["place lin:raw:/a", "─ made →", "version lin:set@v1", "─ read →", "job chen"]),
        ("zh", ["位置 lin:raw:/a", "─ 生成 →", "版本 lin:set@v1", "─ 读取 →", "任务 chen"]),
    ],
)
def test_the_lineage_is_told_in_the_readers_language(
    danlu: Danlu, server: FakeServer, monkeypatch: pytest.MonkeyPatch, language: str, says: list[str]
) -> None:
    monkeypatch.setenv("DANLU_LANG", language)
    server.on("GET", "datasets/set/lineage", LINEAGE)
    told = danlu("dataset", "lineage", "set")
    assert told.code == 0, told
    assert [part for part in says if part not in told.out] == []
