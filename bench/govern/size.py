"""How large the organisation is, and what everybody in it is called."""

from __future__ import annotations

from dataclasses import dataclass

HOUR = 3_600_000
DAY = 24 * HOUR
MODELS = ("A100", "H100", "RTX3090", "V100")
_SHARES = (4, 3, 2, 1)
"""Of ten nodes, so many have each model."""


@dataclass(frozen=True)
class Size:
    """As many jobs run as there are nodes: some share one, others have eight. `sorts` is how many sorts of jobs
    (of a person, in a project, of a class, on a model) are at work in any one hour of the past."""

    nodes: int = 10_000
    queued: int = 20_000
    ended: int = 70_000
    users: int = 2_000
    groups: int = 20
    projects: int = 50
    quotas: int = 200
    flavors: int = 160
    days: int = 90
    sorts: int = 1_000
    audit: int = 200_000
    requests: int = 500

    @property
    def jobs(self) -> int:
        return self.nodes + self.queued + self.ended

    def nodes_of(self, model: str) -> int:
        return self.nodes * _SHARES[MODELS.index(model)] // sum(_SHARES)

    @property
    def virtual_nodes(self) -> str:
        return ",".join(f"{self.nodes_of(model)}x8x{model}" for model in MODELS)


# A block of 200 nodes is filled by 200 jobs, and every model has whole blocks.
QUICK = Size(
    nodes=2_000, queued=400, ended=1_000, users=200, groups=4, projects=8, quotas=20, flavors=24,
    days=8, sorts=50, audit=2_000, requests=40,
)  # fmt: skip


def user(number: int) -> str:
    return f"user{number:04d}"


def group(number: int) -> str:
    return f"team-{number:02d}"


def project(number: int) -> str:
    return f"project-{number:02d}"
