"""Whatever is sent, the answer is one the document promises: no 5xx, no other status, no other shape."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from schemathesis import checks

from danlu.control import templates
from danlu.domain.rules import KubernetesCluster
from danlu.domain.volumes.volume import VolumeKind
from danlu.ports.clusters import ClusterCredentials
from danlu.server.openapi import bare_app, document
from tests.effort import rounds
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, World, job_file, served, world
from tests.fakes.shells import Shells
from tests.live import PATIENCE

EXAMPLES = rounds(10, 30)
KNOWN = {
    "job": ["known-job", "running-job", "own-job"],
    "name": [ENGINEER, VIEWER, OTHER, "a100-0", "public", "normal", "default", "lab", f"user:{ENGINEER}"],
    "digest": ["0" * 64, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    "id": ["0000000000000"],
    "user": [ADMINISTRATOR, ENGINEER, "nobody"],
    "provider": ["corp"],
    "key": ["0" * 20, "nothing"],
    "file": ["danlu.whl"],
    "template": ["known", f"{ADMINISTRATOR}:known", "nothing"],
    "volume": ["known", f"{ADMINISTRATOR}:known", "nothing", "personal"],
    "dataset": ["known", f"{ADMINISTRATOR}:known", "nothing"],
    "version": ["v1", "latest", "1", "good", "v0", "nothing"],
    "tag": ["good", "latest", "v1"],
    "act": ["0000000000000", "nothing"],
    "entry": ["0" * 12 + "-" + "0" * 16, "nothing"],
    "transfer": ["0000000000000", "nothing"],
    "schedule": ["0000000000000", "nothing"],
    "upload": ["0" * 32, "nothing"],
    "mount": ["0", "7", "nothing"],
    "recipe": ["cifar10", "imagenet", "nothing"],
}
ALSO_NAMES = {
    f"/api/v1/{path}"
    for path in (
        "jobs/check",
        "clusters/check",
        "users/invite",
        "users/bulk",
        "quotas/bulk",
        "transfers/schedules",
    )
}
ALSO_NAMES |= {f"/api/v1/flavors/{question}" for question in ("offers", "recommend", "generate", "delete")}
ALSO_NAMES |= {
    f"/api/v1/{path}" for path in ("nodes/move", "nodes/cordon", "nodes/drain", "maintenance/preview")
}
"""A job may be named "check": such an address takes the methods of a job as well."""
JOB_FILES = {"submit_job", "check_job", "edit_job"}

schema = schemathesis.openapi.from_dict(document(bare_app()))

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
sizes = st.sampled_from(["1GiB", "0B", "99999999999999TiB", "1" * 400 + "GiB", "-1GiB", 5, "", "1.5MB"])
times = st.sampled_from(["1s", "6h", "0s", "1" * 400 + "d", "99999999999d", 7, "soon"])
numbers = st.sampled_from([0, 1, 0.5, 8, -1, 1e308, 10**30, 0.0001, "2", None])
resources = st.fixed_dictionaries(
    {}, optional={"cpus": numbers, "memory": sizes, "gpus": numbers, "gpu": anything, "shm": sizes}
)
job_files = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["training", "workspace", "service", "job"]),
        "name": st.from_regex(r"[A-Za-z0-9_-]{4,20}", fullmatch=True) | st.text(max_size=70),
        "command": st.just("true") | st.lists(st.text(), max_size=3) | anything,
    },
    optional={
        "project": st.just("public") | st.text(),
        "description": st.text(),
        "image": st.just("host") | st.text(),
        "code": st.fixed_dictionaries(
            {}, optional=dict.fromkeys(("path", "archive", "git", "ref"), anything)
        ),
        "resources": resources | anything,
        "nodes": st.integers() | anything,
        "roles": st.lists(
            st.fixed_dictionaries(
                {"name": st.sampled_from(["ps", "worker", "Ü"])},
                optional={"replicas": st.integers(), "min": st.integers(), "resources": resources},
            ),
            max_size=3,
        ),
        "env": st.dictionaries(st.sampled_from(["A", "DANLU_X", "1x", ""]), st.text(), max_size=2),
        "node_selector": st.dictionaries(st.text(), st.text(), max_size=2),
        "expected_time": times,
        "max_time": times,
        "checkpoint": st.fixed_dictionaries({}, optional={"path": st.text(), "grace": times}),
        "on": st.dictionaries(st.sampled_from(["task_failed", "node_lost", "rain"]), anything, max_size=2),
        "restarts": st.integers() | anything,
        "preemptible": anything,
        "apps": anything,
    },
)


def named(context: schemathesis.HookContext) -> Any:
    assert context.operation is not None
    return context.operation.definition.raw["operationId"]


@schemathesis.serializer("application/gzip")
def as_it_is(context: schemathesis.SerializationContext, value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


@schema.hook
def before_generate_body(context: schemathesis.HookContext, strategy: Any) -> Any:
    if named(context) in JOB_FILES:
        return job_files | strategy
    return strategy


@schema.hook
def map_path_parameters(context: schemathesis.HookContext, parameters: Any) -> Any:
    """Half of what is asked for exists."""
    for name, value in (parameters or {}).items():
        pick = sum(map(ord, str(value)))
        if pick % 2:
            parameters[name] = KNOWN[name][pick % len(KNOWN[name])]
    return parameters


@schema.hook
def map_headers(context: schemathesis.HookContext, headers: Any) -> Any:
    """Headers that frame a message are read by the HTTP parser, not by us, and it refuses control characters."""
    for name, value in list((headers or {}).items()):
        if name.lower() in ("content-length", "transfer-encoding", "connection", "upgrade", "expect", "host"):
            del headers[name]
        elif isinstance(value, str):
            headers[name] = "".join(letter for letter in value if " " <= letter <= "~")
    return headers


@schema.hook
def map_query(context: schemathesis.HookContext, query: Any) -> Any:
    """A followed log has no end to wait for; following is tested elsewhere."""
    if query and named(context) == "read_logs":
        query.pop("follow", None)
    return query


@schema.hook
def filter_query(context: schemathesis.HookContext, query: Any) -> bool:
    """Addresses of many kilobytes are refused before anybody reads them."""
    return len(urlencode(query or {}, errors="surrogatepass")) < 8_000


@schema.hook
def filter_body(context: schemathesis.HookContext, body: Any) -> bool:
    """So are bodies of a megabyte and more: 413, whatever else is wrong with them."""
    size = len(body) if isinstance(body, bytes) else len(json.dumps(body, default=str))
    return size < 1 << 20


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    away = {"name": "corp", "issuer": "http://127.0.0.1:9", "client_id": "danlu"}
    root = tmp_path_factory.mktemp("world")
    with world(root, inspectable=Shells(), sign_in_attempts=100_000, oidc=[away]) as made:
        caller = made.caller(ADMINISTRATOR)
        made.jobs.create(caller, job_file("known-job"), start=True)
        made.jobs.create(caller, job_file("running-job", env={"SIMULATED_RUN_FOR": "1h"}), start=True)
        made.jobs.create(caller, job_file("own-job"))
        made.services.rooms(templates.build).create(caller, "known", job_file("known-job"))
        made.services.volumes.create(caller, "known", VolumeKind.BLOCK, 2**30)
        made.services.datasets.datasets.create(caller, "known")
        made.services.machines.clusters.add(caller, KubernetesCluster("lab"), ClusterCredentials())
        stop = threading.Event()
        loop = threading.Thread(target=made.controller.run, args=(stop,))
        loop.start()
        try:
            yield made
        finally:
            stop.set()
            made.controller.wake()
            loop.join()


@pytest.fixture(scope="module")
def url(here: World) -> Iterator[str]:
    with served(here.app) as address:
        yield address


@schema.exclude(operation_id="stream_events").parametrize()
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@pytest.mark.timeout(110)
def test_every_answer_is_a_promised_one(case: schemathesis.Case[Any], here: World, url: str) -> None:
    # What a job file, a cursor or a password must be is more than a schema can say.
    excluded = [checks.positive_data_acceptance]
    if case.operation.path in ALSO_NAMES:
        excluded.append(checks.allow_header_conformance)
    case.call_and_validate(
        base_url=url, headers=here.bearer(ADMINISTRATOR), excluded_checks=excluded, timeout=PATIENCE
    )
