"""`danlu up`: a whole Danlu on this machine."""

from __future__ import annotations

import ipaddress
import json
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from danlu.sdk.config import Context, save_context

if TYPE_CHECKING:
    from danlu.bootstrap import Ready

STARTED = time.monotonic()


@click.command()
@click.option("--host", help="Address to listen on (default 127.0.0.1).")
@click.option("--port", type=int, help="Port to listen on (default 8910; 0 takes a free one).")
@click.option("--data", type=click.Path(file_okay=False), help="Data directory.")
@click.option("--virtual-nodes", metavar="SPEC", help="Pose as several nodes: 2x8xA100,4x8xRTX3090.")
@click.option("--engine", help="local runs tasks on this machine; simulated runs nothing.")
@click.option("--isolation", help="auto, sandbox or process.")
@click.option(
    "--database", metavar="URL", help="A PostgreSQL address instead of SQLite in the data directory."
)
@click.option("--public-url", metavar="URL", help="How people reach this server, when not by host and port.")
@click.option("--python", metavar="PATH", help="The Python environment that jobs find as image host.")
@click.option("--demo", is_flag=True, default=None, help="Seed people, projects and jobs to look at.")
@click.option("--print-settings", is_flag=True, help="Show every setting with its value, and leave.")
def up(print_settings: bool, **options: Any) -> None:
    """Run Danlu on this machine: API, console, scheduler and jobs in one."""
    try:
        from danlu import bootstrap
    except ImportError as error:
        raise click.ClickException(
            f"the server's parts are not installed ({error.name}); run: pip install 'danlu[server]'"
        ) from error
    from danlu.domain.errors import DanluError

    try:
        settings = bootstrap.load_settings(options)
        if print_settings:
            click.echo(_table(settings))
            return
        _warn(settings.host)
        bootstrap.Danlu(settings).run(_greet)
    except DanluError as error:
        for mistake in error.errors:
            click.echo(f"{'.'.join(map(str, mistake.loc))}: {mistake.message}", err=True)
        raise click.ClickException(error.detail) from error


def _warn(host: str) -> None:
    try:
        safe = ipaddress.ip_address(host).is_loopback
    except ValueError:
        safe = host == "localhost"
    if not safe:
        click.secho(
            f"Warning: {host} is not loopback. Passwords and tokens travel unencrypted: put TLS in front.",
            fg="yellow",
            err=True,
        )


def _greet(ready: Ready) -> None:
    save_context(Context("local", ready.url, ready.token))
    took = time.monotonic() - STARTED
    click.secho(f"Danlu is ready at {ready.url}", bold=True, nl=False)
    click.echo(f"   ({took:.1f} s)")
    if ready.sign_in_link:
        click.echo(f"  sign in once   {ready.sign_in_link}")
    click.echo(f"  data           {ready.data}")
    click.echo(f"  nodes          {_shown(ready.nodes)}; tasks run as {ready.isolation}")
    if ready.demo:
        click.echo("  demonstration  people, projects and jobs were made up; the nodes are virtual")
    click.echo("  try            danlu run -- echo hello")
    click.echo("Ctrl-C stops Danlu; running jobs go on.")
    sys.stdout.flush()


def _shown(nodes: tuple[str, ...]) -> str:
    return ", ".join(nodes[:6]) + (f" and {len(nodes) - 6} more" if len(nodes) > 6 else "")


def _table(settings: Any) -> str:
    values = settings.model_dump(mode="json")
    lines = []
    for name, field in type(settings).model_fields.items():
        lines.append(f"# {field.description}\n{name} = {json.dumps(values[name], ensure_ascii=False)}")
    return "\n\n".join(lines)
