"""All routes, in the order in which they are matched and documented."""

from danlu.server.audit import routes as audit
from danlu.server.datasets import files as dataset_files
from danlu.server.datasets import recipes as dataset_recipes
from danlu.server.datasets import routes as datasets
from danlu.server.datasets import versions as dataset_versions
from danlu.server.environments import routes as environments
from danlu.server.events import routes as events
from danlu.server.events import socket as live
from danlu.server.flavors import routes as flavors
from danlu.server.jobs import code, examples, files, frameworks, logs, metrics, reports, stacks, task_mounts
from danlu.server.jobs import exec as exec_
from danlu.server.jobs import routes as jobs
from danlu.server.machines import clusters, upkeep
from danlu.server.machines import routes as nodes
from danlu.server.outputs import routes as outputs
from danlu.server.people import groups, me, oidc, session, tokens
from danlu.server.people import routes as users
from danlu.server.people import ssh_keys as keys
from danlu.server.projects import requests
from danlu.server.projects import routes as projects
from danlu.server.queue import routes as queue
from danlu.server.quotas import routes as quotas
from danlu.server.route import Routes
from danlu.server.rules import routes as ruled
from danlu.server.system import client
from danlu.server.system import routes as system
from danlu.server.templates import routes as templates
from danlu.server.transfers import routes as transfers
from danlu.server.usage import panel as resources
from danlu.server.usage import routes as usage
from danlu.server.usage import trends
from danlu.server.volumes import copying, links, trash, uploads
from danlu.server.volumes import files as volume_files
from danlu.server.volumes import routes as volumes

ALL: tuple[Routes, ...] = (
    session.routes,
    oidc.routes,
    me.routes,
    jobs.routes,
    logs.routes,
    files.routes,
    exec_.routes,
    stacks.routes,
    outputs.routes,
    queue.routes,
    nodes.routes,
    upkeep.routes,
    upkeep.windows,
    usage.routes,
    metrics.routes,
    reports.routes,
    task_mounts.routes,
    resources.routes,
    trends.routes,
    clusters.routes,
    flavors.routes,
    frameworks.routes,
    projects.themselves,
    *ruled.subjects,
    projects.routes,
    requests.routes,
    quotas.routes,
    users.routes,
    groups.routes,
    keys.routes,
    environments.routes,
    audit.routes,
    tokens.routes,
    code.routes,
    examples.routes,
    templates.routes,
    volumes.routes,
    volume_files.routes,
    copying.routes,
    links.routes,
    trash.routes,
    uploads.routes,
    datasets.routes,
    dataset_versions.routes,
    dataset_files.routes,
    dataset_recipes.routes,
    transfers.routes,
    events.routes,
    live.routes,
    system.routes,
    client.routes,
)
