"""The dashboard asks for nothing that a running Danlu does not export, and what is exported follows the conventions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from danlu.control.plane.leadership import Leadership
from danlu.ports.samples import TRAFFIC, Head, Sample, SampleFile
from danlu.server.figures.health import create_health_app
from danlu.telemetry.usage import network_path
from tests.fakes.server import ADMINISTRATOR, ENGINEER, World, job_file, served, world
from tests.integration.deploy.promql import named
from tools.dev.places import ROOT

DASHBOARD = json.loads((ROOT / "deploy" / "grafana" / "danlu.json").read_text())
FUNCTIONS = {"sum", "max", "min", "rate", "increase", "histogram_quantile", "clamp_min"}
BOUNDED = {
    *("state", "class", "model", "pool", "kind", "node"),
    *("method", "route", "status", "le"),
}
"""No label has a value for every person or job."""


def panels() -> list[dict[str, Any]]:
    return [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]


def expressions() -> Iterator[str]:
    for panel in panels():
        for target in panel["targets"]:
            yield target["expr"]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The labels of every series, as a server and a controller export them after some jobs ran."""
    with world(tmp_path_factory.mktemp("world")) as made:
        _live(made)
        found = _scraped(made.app)
        leadership = Leadership(made.store, "controller")
        leadership.take()
        decisions = made.services.process.decisions
        controller = create_health_app(made.store, leadership, made.services.ports.clock, lambda: decisions)
        for name, labels in _scraped(controller).items():
            found.setdefault(name, set()).update(labels)
    return found


def _measure_network(made: World) -> None:
    file = network_path(made.root / "usage" / "nodes")
    file.parent.mkdir(parents=True, exist_ok=True)
    network, now = SampleFile(str(file), Head(0, 15_000, TRAFFIC, ())), made.services.ports.clock.now()
    assert all(network.append(Sample(now - before, 0, 0)) for before in (15_000, 0))


def _live(made: World) -> None:
    _measure_network(made)
    sizes = {"runs": {"gpus": 2, "gpu": "A100"}, "waits": {"gpus": 8, "gpu": "A100"}, "notes": {"cpus": 1}}
    for name, size in sizes.items():
        file = job_file(name, resources=size, env={"SIMULATED_RUN_FOR": "1h"})
        if name == "waits":
            file["nodes"] = 2
        made.jobs.create(made.caller(ENGINEER), file, start=True)
        made.controller.step()
    with served(made.app) as url:
        for path in ("jobs", "nowhere"):
            httpx.get(f"{url}/api/v1/{path}", headers=made.bearer(ADMINISTRATOR))


def _scraped(app: Any) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    with served(app) as url:
        answer = httpx.get(f"{url}/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


@pytest.mark.parametrize("expression", sorted(set(expressions())))
def test_every_panel_asks_for_what_is_exported(exported: dict[str, set[str]], expression: str) -> None:
    asked = named(expression)

    assert asked.metrics, "an expression that names no metric"
    assert asked.functions <= FUNCTIONS
    for metric, labels in asked.metrics.items():
        assert metric in exported, f"{metric} is not exported"
        assert labels <= exported[metric], f"{metric} has no label {labels - exported[metric]}"
    assert any(asked.grouped <= exported[metric] for metric in asked.metrics), f"nothing has {asked.grouped}"


def test_legends_name_labels_that_are_left(exported: dict[str, set[str]]) -> None:
    for panel in panels():
        for target in panel["targets"]:
            asked = named(target["expr"])
            wanted = set(re.findall(r"{{(\w+)}}", target["legendFormat"]))
            assert wanted <= asked.grouped, f"{panel['title']}: {target['legendFormat']}"


def test_variables_ask_for_what_is_exported(exported: dict[str, set[str]]) -> None:
    (model,) = [one for one in DASHBOARD["templating"]["list"] if one["type"] == "query"]
    metric, label = re.fullmatch(r"label_values\((\w+), (\w+)\)", model["query"]["query"]).groups()  # type: ignore[union-attr]
    assert label in exported[metric]


def test_every_figure_of_danlu_is_on_the_dashboard(exported: dict[str, set[str]]) -> None:
    asked = {metric for expression in expressions() for metric in named(expression).metrics}
    shown = {re.sub(r"_(bucket|count|sum|total|created)$", "", name) for name in asked}
    ours = {re.sub(r"_(bucket|count|sum|total|created)$", "", name) for name in exported}
    assert ours - shown == set()


def test_names_say_units_and_labels_are_few(exported: dict[str, set[str]]) -> None:
    for name, labels in exported.items():
        assert re.fullmatch(r"danlu_[a-z_]+", name), name
        assert labels <= BOUNDED, f"{name} has {labels - BOUNDED}"
        assert not ("memory" in name and not name.endswith("_bytes")), name


def test_panels_do_not_overlap_and_have_rows() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert at["x"] + at["w"] <= 24
        assert not cells & taken, panel["title"]
        taken |= cells
    rows = [panel["title"] for panel in DASHBOARD["panels"] if panel["type"] == "row"]
    assert rows == ["Capacity", "Queue", "Jobs", "Nodes", "API and control plane"]
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


@pytest.mark.parametrize("wrong", ["sum(a", "a)", "a{b=~'c'}", "rate(a[])", "sum by (x} (a)"])
def test_what_is_no_expression_is_noticed(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"closes nothing|left open|no PromQL|no range"):
        named(wrong)


def test_a_renamed_metric_or_label_would_be_noticed(exported: dict[str, set[str]]) -> None:
    asked = named('sum by (model) (rate(danlu_gpu{modell="A100"}[5m]))')
    assert (asked.metrics, asked.grouped) == ({"danlu_gpu": {"modell"}}, {"model"})
    assert "danlu_gpu" not in exported
