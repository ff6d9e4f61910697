"""The entry: which command is meant, and every failure as a sentence and an exit code."""

from __future__ import annotations

import sys
from typing import Sequence

import click

from danlu.cli.group import LazyGroup
from danlu.cli.session import CliSession
from danlu.cli.words import language

SECTIONS = {
    "Run jobs": {
        "run": "danlu.cli.jobs.run:run",
        "submit": "danlu.cli.jobs.submit:submit",
        "create": "danlu.cli.jobs.submit:create",
        "start": "danlu.cli.jobs.life:start",
        "stop": "danlu.cli.jobs.life:stop",
        "restart": "danlu.cli.jobs.life:restart",
        "reset": "danlu.cli.jobs.life:reset",
        "clone": "danlu.cli.jobs.life:clone",
        "edit": "danlu.cli.jobs.edit:edit",
        "rm": "danlu.cli.jobs.life:rm",
        "env": "danlu.cli.jobs.environments:env",
        "example": "danlu.cli.jobs.examples:example",
        "template": "danlu.cli.templates:template",
        "volume": "danlu.cli.volumes:volume",
        "files": "danlu.cli.files.commands:files",
        "dataset": "danlu.cli.datasets.commands:dataset",
        "import": "danlu.cli.transfers.commands:import_",
        "transfer": "danlu.cli.transfers.commands:transfer",
        "cp": "danlu.cli.copying.commands:cp",
        "sync": "danlu.cli.copying.commands:sync",
    },
    "Inspect jobs": {
        "ls": "danlu.cli.jobs.ls:ls",
        "show": "danlu.cli.jobs.look:show",
        "why": "danlu.cli.queue.why:why",
        "queue": "danlu.cli.queue.queue:queue",
        "order": "danlu.cli.queue.queue:order",
        "score": "danlu.cli.queue.score:score",
        "logs": "danlu.cli.jobs.logs:logs",
        "get": "danlu.cli.jobs.files:get",
        "keep": "danlu.cli.jobs.files:keep",
        "outputs": "danlu.cli.jobs.outputs:outputs",
        "metrics": "danlu.cli.jobs.metrics:metrics",
        "compare": "danlu.cli.jobs.compare:compare",
        "top": "danlu.cli.usage.top:top",
        "events": "danlu.cli.jobs.events:events",
        "exec": "danlu.cli.jobs.exec:exec_",
        "runs": "danlu.cli.jobs.runs:runs",
        "stacks": "danlu.cli.jobs.stacks:stacks",
        "nodes": "danlu.cli.machines.nodes:nodes",
        "resources": "danlu.cli.usage.resources:resources",
        "trends": "danlu.cli.usage.trends:trends",
        "framework": "danlu.cli.jobs.frameworks:framework",
    },
    "Govern": {
        "project": "danlu.cli.projects.projects:project",
        "request": "danlu.cli.projects.requests:request",
        "priority": "danlu.cli.rules.priorities:priority",
        "cluster": "danlu.cli.machines.clusters:cluster",
        "pool": "danlu.cli.rules.pools:pool",
        "flavor": "danlu.cli.flavors.flavors:flavor",
        "limit": "danlu.cli.rules.limits:limit",
        "quota": "danlu.cli.quotas.quotas:quota",
        "pin": "danlu.cli.queue.queue:pin",
        "unpin": "danlu.cli.queue.queue:unpin",
        "cordon": "danlu.cli.machines.nodes:cordon",
        "uncordon": "danlu.cli.machines.nodes:uncordon",
        "drain": "danlu.cli.machines.upkeep:drain",
        "move": "danlu.cli.machines.upkeep:move",
        "maintenance": "danlu.cli.machines.maintenance:maintenance",
        "label": "danlu.cli.machines.nodes:label",
        "audit": "danlu.cli.audit:audit",
    },
    "People and access": {
        "login": "danlu.cli.system.login:login",
        "context": "danlu.cli.system.login:context",
        "me": "danlu.cli.people.keys:me",
        "password": "danlu.cli.people.password:password",
        "token": "danlu.cli.people.tokens:token",
        "key": "danlu.cli.people.keys:key",
        "user": "danlu.cli.people.users:user",
        "group": "danlu.cli.people.groups:group",
    },
    "Danlu itself": {
        "up": "danlu.cli.system.up:up",
        "server": "danlu.cli.system.halves:server",
        "controller": "danlu.cli.system.halves:controller",
        "doctor": "danlu.cli.system.doctor:doctor",
        "sim": "danlu.cli.system.sim:sim",
        "schema": "danlu.cli.system.about:schema",
        "version": "danlu.cli.system.about:version",
        "completion": "danlu.cli.system.about:completion",
    },
}


@click.group(cls=LazyGroup, sections=SECTIONS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--context", metavar="NAME", help="Use this context, one of those that 'danlu context ls' lists."
)
@click.option("--url", metavar="URL", help="Use the Danlu server at this address.")
@click.pass_context
def cli(ctx: click.Context, context: str | None, url: str | None) -> None:
    """Danlu shares GPU machines among people who train models.

    Start with 'danlu up' to run Danlu on this machine, or 'danlu login URL' to use a server.
    """
    ctx.ensure_object(CliSession).choose(url, context)


def main(args: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; nothing but a debugging session shows a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if language() == "zh":
        from danlu.cli.shared.click_words import speak_chinese

        speak_chinese()
    session = CliSession()
    words = list(sys.argv[1:] if args is None else args)
    try:
        code = cli.main(words, prog_name="danlu", standalone_mode=False, obj=session)
        sys.stdout.flush()
    except BaseException as error:
        from danlu.cli.shared.failures import report  # words for what went wrong

        return report(error, session)
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    sys.exit(main())
