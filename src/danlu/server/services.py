"""What the routes serve from: the control plane's verbs and the ports they read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from danlu.control.audit import Audit
from danlu.control.flavors.flavors import Flavors
from danlu.control.jobs.jobs import Jobs
from danlu.control.jobs.metrics import TrainingMetrics
from danlu.control.jobs.proposals import Proposals
from danlu.control.jobs.reports import Reports
from danlu.control.jobs.stacks import TaskStacks
from danlu.control.jobs.visits import Visits
from danlu.control.machines.clusters import Clusters
from danlu.control.machines.node_moves import NodeMoves
from danlu.control.machines.nodes import Nodes
from danlu.control.machines.upkeep import Upkeep
from danlu.control.people.accounts import Accounts
from danlu.control.people.bulk_accounts import BulkAccounts
from danlu.control.people.groups import Groups
from danlu.control.people.provider_sign_in import ProviderSignIn
from danlu.control.people.sign_in import People
from danlu.control.people.ssh_keys import Keys
from danlu.control.plane.decisions import Decisions
from danlu.control.projects.members import Members
from danlu.control.projects.requests import Requests
from danlu.control.queue.queue import Queue
from danlu.control.queue.standing import Standings
from danlu.control.quotas.budgets import Budgets
from danlu.control.quotas.quotas import Quotas
from danlu.control.rules.registry import Registry
from danlu.control.usage.panel import Panel
from danlu.control.usage.trends import Trends
from danlu.files.settings import Settings
from danlu.ports.clock import Clock
from danlu.ports.code import CodeStore
from danlu.ports.engine import Interactive
from danlu.ports.examples import Examples
from danlu.ports.logs import LogFollower, LogReader
from danlu.ports.store import Store
from danlu.ports.usage import UsageReader


@dataclass(frozen=True, slots=True)
class Services:
    """Everything a server needs; `shells` is None where nothing can be run inside tasks. `half` says which of Danlu's
    halves this process is: server, or up for both; `decisions` is None where nothing is decided."""

    audit: Audit
    visits: Visits
    clock: Clock
    jobs: Jobs
    people: People
    accounts: Accounts
    bulk_accounts: BulkAccounts
    groups: Groups
    keys: Keys
    provider_sign_in: ProviderSignIn
    journey_key: bytes
    nodes: Nodes
    moves: NodeMoves
    upkeep: Upkeep
    clusters: Clusters
    registry: Registry
    flavors: Flavors
    proposals: Proposals
    members: Members
    requests: Requests
    standings: Standings
    quotas: Quotas
    budgets: Budgets
    queue: Queue
    panel: Panel
    trends: Trends
    store: Store
    logs: LogReader
    follower: LogFollower
    usage: UsageReader
    metrics: TrainingMetrics
    reports: Reports
    shells: Interactive | None
    stacks: TaskStacks
    code: CodeStore
    examples: Examples
    settings: Settings
    version: str
    half: Literal["up", "server"] = "up"
    decisions: Decisions | None = None
