"""What the routes serve from: the control plane's verbs and the ports they read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from danlu.control.accounts import Accounts
from danlu.control.audit import Audit
from danlu.control.budgets import Budgets
from danlu.control.bulk_accounts import BulkAccounts
from danlu.control.clusters import Clusters
from danlu.control.decisions import Decisions
from danlu.control.flavors import Flavors
from danlu.control.groups import Groups
from danlu.control.jobs import Jobs
from danlu.control.keys import Keys
from danlu.control.members import Members
from danlu.control.metrics import TrainingMetrics
from danlu.control.node_moves import NodeMoves
from danlu.control.nodes import Nodes
from danlu.control.people import People
from danlu.control.proposals import Proposals
from danlu.control.provider_sign_in import ProviderSignIn
from danlu.control.queue import Queue
from danlu.control.quotas import Quotas
from danlu.control.registry import Registry
from danlu.control.reports import Reports
from danlu.control.requests import Requests
from danlu.control.resources import Panel
from danlu.control.stacks import TaskStacks
from danlu.control.standing import Standings
from danlu.control.trends import Trends
from danlu.control.upkeep import Upkeep
from danlu.control.visits import Visits
from danlu.ports.clock import Clock
from danlu.ports.code import CodeStore
from danlu.ports.engine import Interactive
from danlu.ports.examples import Examples
from danlu.ports.logs import LogFollower, LogReader
from danlu.ports.store import Store
from danlu.ports.usage import UsageReader
from danlu.wire.settings import Settings


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
