"""The entry: which command is meant, and every failure as a sentence and an exit code."""

from __future__ import annotations

import sys
from typing import Sequence

import click

from danlu.cli.group import LazyGroup
from danlu.cli.session import Session

SECTIONS = {
    "Run something": {
        "run": "danlu.cli.run:run",
        "submit": "danlu.cli.submit:submit",
        "create": "danlu.cli.submit:create",
        "start": "danlu.cli.jobs:start",
        "stop": "danlu.cli.jobs:stop",
        "restart": "danlu.cli.jobs:restart",
        "reset": "danlu.cli.jobs:reset",
        "clone": "danlu.cli.jobs:clone",
        "edit": "danlu.cli.edit:edit",
        "rm": "danlu.cli.jobs:rm",
        "example": "danlu.cli.examples:example",
    },
    "Look at it": {
        "ls": "danlu.cli.ls:ls",
        "show": "danlu.cli.look:show",
        "why": "danlu.cli.look:why",
        "queue": "danlu.cli.queue:queue",
        "order": "danlu.cli.queue:order",
        "score": "danlu.cli.score:score",
        "logs": "danlu.cli.logs:logs",
        "metrics": "danlu.cli.metrics:metrics",
        "top": "danlu.cli.top:top",
        "events": "danlu.cli.events:events",
        "exec": "danlu.cli.exec:exec_",
        "stacks": "danlu.cli.stacks:stacks",
        "nodes": "danlu.cli.nodes:nodes",
        "resources": "danlu.cli.resources:resources",
        "trends": "danlu.cli.trends:trends",
        "framework": "danlu.cli.frameworks:framework",
    },
    "Govern": {
        "project": "danlu.cli.projects:project",
        "request": "danlu.cli.requests:request",
        "priority": "danlu.cli.priorities:priority",
        "cluster": "danlu.cli.clusters:cluster",
        "pool": "danlu.cli.pools:pool",
        "flavor": "danlu.cli.flavors:flavor",
        "limit": "danlu.cli.limits:limit",
        "quota": "danlu.cli.quotas:quota",
        "pin": "danlu.cli.queue:pin",
        "unpin": "danlu.cli.queue:unpin",
        "cordon": "danlu.cli.nodes:cordon",
        "uncordon": "danlu.cli.nodes:uncordon",
        "drain": "danlu.cli.upkeep:drain",
        "move": "danlu.cli.upkeep:move",
        "maintenance": "danlu.cli.maintenance:maintenance",
        "label": "danlu.cli.nodes:label",
        "audit": "danlu.cli.audit:audit",
    },
    "People and access": {
        "login": "danlu.cli.login:login",
        "context": "danlu.cli.login:context",
        "me": "danlu.cli.keys:me",
        "token": "danlu.cli.tokens:token",
        "key": "danlu.cli.keys:key",
        "user": "danlu.cli.users:user",
        "group": "danlu.cli.groups:group",
    },
    "Danlu itself": {
        "up": "danlu.cli.up:up",
        "server": "danlu.cli.halves:server",
        "controller": "danlu.cli.halves:controller",
        "sim": "danlu.cli.sim:sim",
        "schema": "danlu.cli.about:schema",
        "version": "danlu.cli.about:version",
        "completion": "danlu.cli.about:completion",
    },
}


@click.group(cls=LazyGroup, sections=SECTIONS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--context", metavar="NAME", help="Talk to this one of the places that 'danlu context ls' lists."
)
@click.option("--url", metavar="URL", help="Talk to the Danlu at this address.")
@click.pass_context
def cli(ctx: click.Context, context: str | None, url: str | None) -> None:
    """Danlu shares a pool of GPU machines among people who train models.

    Begin with 'danlu up' on this machine, or 'danlu login URL' to use another one.
    """
    ctx.ensure_object(Session).choose(url, context)


def main(args: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; nothing but a debugging session shows a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    session = Session()
    words = list(sys.argv[1:] if args is None else args)
    try:
        code = cli.main(words, prog_name="danlu", standalone_mode=False, obj=session)
        sys.stdout.flush()
    except BaseException as error:
        from danlu.cli.failures import report  # words for what went wrong

        return report(error, session)
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    sys.exit(main())
