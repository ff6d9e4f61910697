"""The routes, one module per subject."""

from danlu.server.route import Routes
from danlu.server.routes import (
    code,
    events,
    jobs,
    live,
    logs,
    nodes,
    queue,
    ruled,
    session,
    system,
    tokens,
    users,
)
from danlu.server.routes import exec as exec_

ALL: tuple[Routes, ...] = (
    session.routes,
    jobs.routes,
    logs.routes,
    exec_.routes,
    queue.routes,
    nodes.routes,
    *ruled.subjects,
    users.routes,
    tokens.routes,
    code.routes,
    events.routes,
    live.routes,
    system.routes,
)
