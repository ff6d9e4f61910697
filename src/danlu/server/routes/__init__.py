"""The routes, one module per subject."""

from danlu.server.route import Routes
from danlu.server.routes import (
    clusters,
    code,
    events,
    jobs,
    live,
    logs,
    me,
    nodes,
    queue,
    resources,
    ruled,
    session,
    system,
    tokens,
    usage,
    users,
)
from danlu.server.routes import exec as exec_

ALL: tuple[Routes, ...] = (
    session.routes,
    me.routes,
    jobs.routes,
    logs.routes,
    exec_.routes,
    queue.routes,
    nodes.routes,
    usage.routes,
    resources.routes,
    clusters.routes,
    *ruled.subjects,
    users.routes,
    tokens.routes,
    code.routes,
    events.routes,
    live.routes,
    system.routes,
)
