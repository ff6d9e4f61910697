"""`danlu server` and `danlu controller`: the two halves of a Danlu that runs as several processes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Callable

import click

from danlu.cli.system.up import DATA, SIGN_IN, chosen, running, say_fact, warn_of
from danlu.cli.words import speak
from danlu.domain.words import Words

if TYPE_CHECKING:
    from danlu.bootstrap import ControllerStarted, Serving

_Command = Callable[..., object]


def _shared_options(command: _Command) -> _Command:
    """The options that both halves share."""
    for option in (
        click.option(
            "--print-settings",
            is_flag=True,
            help="Print every setting with its value and what set it, and exit.",
        ),
        click.option(
            "--public-url", metavar="URL", help="The address at which people and tasks reach the servers."
        ),
        click.option("--engine", help="What runs tasks besides clusters: local, simulated or none."),
        click.option(
            "--database", metavar="URL", help="The PostgreSQL address that all servers and controllers share."
        ),
        click.option(
            "--data",
            type=click.Path(file_okay=False),
            help="The data directory that all servers and controllers share.",
        ),
        click.option("--host", help="Address to listen on (default 127.0.0.1)."),
    ):
        command = option(command)
    return command


@click.command()
@_shared_options
@click.option("--port", type=int, help="Port to listen on (default 8910; 0 takes a free one).")
def server(print_settings: bool, **options: object) -> None:
    """Serve API and console; any number of servers may share one PostgreSQL. 'danlu controller' runs the jobs."""
    with running():
        from danlu import bootstrap

        settings = chosen(options, print_settings)
        warn_of(settings.host)
        bootstrap.take_own_ids(settings)
        bootstrap.ApiServer(settings).run(_greet_server)
        click.echo(
            speak(
                "This server stopped. Jobs and other servers continue.",
                "该服务端已停止。任务和其他服务端不受影响。",
            )
        )


@click.command()
@_shared_options
@click.option(
    "--controller-port", type=int, help="Port for health checks (default 8911; 0 takes a free one)."
)
@click.option(
    "--virtual-nodes", metavar="SPEC", help="Simulate several nodes on this machine: 2x8xA100,4x8xRTX3090."
)
@click.option("--isolation", help="auto, sandbox or process.")
@click.option(
    "--network", help="What tasks reach: none, registries, all, or shared (the machine's own network)."
)
@click.option("--python", metavar="PATH", help="The Python environment of jobs with image host.")
def controller(print_settings: bool, **options: object) -> None:
    """Schedule and run jobs for the servers on one PostgreSQL; one controller leads, others stand by."""
    with running():
        from danlu import bootstrap

        settings = chosen(options, print_settings)
        bootstrap.take_own_ids(settings)
        bootstrap.ControllerProcess(settings).run(_greet_controller)
        click.echo(
            speak("This controller stopped. Running jobs continue.", "该控制端已停止。运行中的任务不受影响。")
        )


def _greet_server(serving: Serving) -> None:
    click.secho(
        speak("Danlu's server is ready at {url}", "丹炉服务端已就绪：{url}", url=serving.url), bold=True
    )
    if serving.sign_in_link:
        say_fact(SIGN_IN, serving.sign_in_link)
    say_fact(DATA, str(serving.data))
    click.echo(
        speak(
            "Ctrl-C stops this server; running jobs continue.",
            "按 Ctrl-C 停止该服务端；运行中的任务不受影响。",
        )
    )
    sys.stdout.flush()


def _greet_controller(standing: ControllerStarted) -> None:
    click.secho(
        speak(
            "Danlu's controller is on standby, and takes over when no other leads",
            "丹炉控制端处于备用状态，没有其他主控时自动接管",
        ),
        bold=True,
    )
    say_fact(Words("health", "健康检查"), f"{standing.url}/readyz")
    say_fact(DATA, str(standing.data))
    click.echo(
        speak(
            "Ctrl-C stops this controller; running jobs continue.",
            "按 Ctrl-C 停止该控制端；运行中的任务不受影响。",
        )
    )
    sys.stdout.flush()
