"""Sample people, projects and jobs, created through the same use cases as real ones."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from danlu.control.demo.history import made_up
from danlu.control.jobs.jobs import Jobs
from danlu.control.people.rights import Rights
from danlu.control.people.sign_in import Authentication
from danlu.domain.audit import ITSELF, Entry
from danlu.domain.errors import Invalid
from danlu.domain.ids import make_id
from danlu.domain.job import Time
from danlu.domain.members import MemberRole, Membership
from danlu.domain.node import Node
from danlu.domain.people import UserRole
from danlu.domain.templates import Template
from danlu.ports.accounts import PeopleStore
from danlu.ports.governance import MemberStore, TemplateStore
from danlu.ports.past import PastLogs, PastStore
from danlu.ports.store import JobQuery, JobStore

DEMO_NODES = "2x8xA100,4x8xRTX3090"
DEMO_PROJECTS = ("vision", "nlp", "speech")
_MEMBERS: Mapping[str, Mapping[str, MemberRole]] = {
    "vision": {"lin": MemberRole.CREATOR, "chen": MemberRole.MEMBER},
    "nlp": {"wang": MemberRole.CREATOR, "chen": MemberRole.MEMBER, "lin": MemberRole.VIEWER},
    "speech": {"sara": MemberRole.CREATOR},
}
_PEOPLE = {"lin": "Lin Mei 林梅", "wang": "Wang Hao 王浩", "sara": "Sara Novak", "chen": "Chen Jun 陈俊"}

_TEMPLATES = {
    "resnet50-imagenet": "ResNet-50 on ImageNet, 8 GPUs",
    "llm-sft-7b": "Fine-tune a 7B model on two nodes",
}
"""Jobs whose files are kept as templates too, shared with their projects."""

_TRAIN = """\
import math, os, random, sys, time
random.seed(os.environ.get("SEED", "7"))
steps, pause, fail_at = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
env = os.environ
print("rank", env["DANLU_RANK"], "of", env["DANLU_WORLD_SIZE"], "on GPUs", env["DANLU_GPUS"], flush=True)
for step in range(1, steps + 1):
    loss = 2.3 * math.exp(-step / steps * 3) + random.random() * 0.08
    print(f"step {step:5d}/{steps}  loss {loss:.4f}  lr {3e-4 * (1 - step / steps):.2e}", flush=True)
    if step == fail_at:
        sys.exit("RuntimeError: the loss is not a number at step %d; lower the learning rate" % step)
    time.sleep(pause)
print("saved model.pt", flush=True)
"""


class PastAndJobs(JobStore, PastStore, Protocol):
    """What was run, and what is made up to have been."""


class MembersAndJobs(MemberStore, PeopleStore, JobStore, TemplateStore, Protocol):
    """Who belongs where, what they run, and what they start from."""


def seed_history(
    store: PastAndJobs, logs: PastLogs, nodes: Sequence[Node], now: Time, staff: str, score_time: int
) -> None:
    """Make up three weeks of history in a database that has none."""
    if store.page(JobQuery(limit=1)).total:
        return
    past = made_up(nodes, now, staff, score_time)
    if past is not None and store.remember(past):
        logs.keep(past.logs)


def seed_demo(people: Authentication, jobs: Jobs, store: MembersAndJobs, now: Time) -> None:
    """Create what is missing; a second start adds nothing."""
    for name, display in _PEOPLE.items():
        if store.user(name) is None:
            people.make_user(name, UserRole.ENGINEER, display)
    for project, roles in _MEMBERS.items():
        if not store.members(project):
            _fill(store, project, roles, now)
    _keep_templates(store, now)
    rights = Rights(store)
    for owner, file, start in _jobs():
        user = store.user(owner)
        if user is not None and store.find(owner, file["name"]) is None:
            with contextlib.suppress(Invalid):  # the nodes are others than the demonstration's own
                jobs.create(rights.caller(user), file, start=start)


def _keep_templates(store: MembersAndJobs, now: Time) -> None:
    for number, (owner, file, _) in enumerate(_jobs()):
        if file["name"] in _TEMPLATES and store.find_template(owner, file["name"]) is None:
            about, job = _TEMPLATES[file["name"]], {key: file[key] for key in file if key != "name"}
            name = file["name"]
            kept = Template(
                make_id(now, number), owner, name, about, file["project"], file["kind"], now, now, job
            )
            store.add_template(kept, now, by=Entry(ITSELF, "created", ""))


def _fill(store: MembersAndJobs, project: str, roles: Mapping[str, MemberRole], now: Time) -> None:
    members = [Membership(project, user, role, now, ITSELF) for user, role in roles.items()]
    store.edit_members(project, lambda _: members, now, by=Entry(ITSELF, "member_set", ""))


def _jobs() -> list[tuple[str, dict[str, Any], bool]]:
    def train(
        name: str, project: str, gpus: float, model: str, steps: int, pause: float,
        *, nodes: int = 1, fail_at: int = 0, **more: Any,
    ) -> dict[str, Any]:  # fmt: skip
        return {
            "kind": "training",
            "name": name,
            "project": project,
            "command": ["python3", "-u", "-c", _TRAIN, str(steps), str(pause), str(fail_at)],
            "resources": {"cpus": max(1, int(gpus)) * 4, "memory": "2GiB", "gpus": gpus, "gpu": model},
            "nodes": nodes,
            **more,
        }

    return [
        ("lin", train("resnet50-imagenet", "vision", 8, "A100", 400, 2, expected_time="20m"), True),
        ("lin", train("vit-small-ablation", "vision", 4, "RTX3090", 300, 3), True),
        ("wang", train("bert-pretrain-zh", "nlp", 8, "A100", 900, 2, nodes=2, max_time="12h"), True),
        ("wang", train("tokenizer-stats", "nlp", 0.5, "RTX3090", 12, 0.5), True),
        ("wang", train("bert-lr-too-high", "nlp", 2, "RTX3090", 40, 0.2, fail_at=9), True),
        ("sara", train("whisper-finetune", "speech", 8, "RTX3090", 500, 2), True),
        ("sara", train("speaker-embed", "speech", 1, "RTX3090", 25, 0.4), True),
        ("chen", train("llm-sft-7b", "nlp", 8, "A100", 600, 2, nodes=2), True),
        ("chen", train("yolo-nano-export", "vision", 1, "A100", 8, 0.3), True),
        (
            "chen",
            {"kind": "workspace", "name": "chen-notebook", "resources": {"gpus": 1, "gpu": "RTX3090"}},
            True,
        ),
        ("chen", train("draft-experiment", "public", 2, "A100", 100, 1), False),
    ]
