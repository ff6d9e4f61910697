"""`danlu schema`, `danlu version`, `danlu completion`: about Danlu itself."""

from __future__ import annotations

import click

from danlu import __version__
from danlu.cli.session import CliSession, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.options import WordParam, json_option
from danlu.cli.system.parts import SCHEDULER, importing
from danlu.cli.words import language, speak

FILES = ("job", "state")
SHELLS = ("bash", "zsh", "fish")
_WHERE = {
    "bash": 'Put this into ~/.bashrc:  eval "$(danlu completion bash)"',
    "zsh": 'Put this into ~/.zshrc:  eval "$(danlu completion zsh)"',
    "fish": "danlu completion fish > ~/.config/fish/completions/danlu.fish",
}


@click.command()
@click.argument("file", type=WordParam(FILES), default="job", metavar="[job|state]")
@pass_session
def schema(session: CliSession, file: str) -> None:
    """Print the JSON Schema of the job file, or of the state file of 'danlu sim decide', for editors."""
    if file == "state":
        with importing(SCHEDULER):
            from danlu.simulator.decide import schema as state_schema

        print_json(state_schema())
        return
    print_json(session.do("GET", "schema/job"))


@click.command()
@json_option
@pass_session
def version(session: CliSession, as_json: bool) -> None:
    """Print the version of this program, and of the server if it answers."""
    from danlu.sdk.http.errors import DanluError, Unreachable

    http = session.new_http(timeout=2)
    url = http.target.url
    answer = None
    problem = ""
    try:
        answer = http.json("GET", "version")
    except DanluError as error:
        problem = show.words(error.why_text) if isinstance(error, Unreachable) else error.said(language())
    if as_json:
        print_json({"client": __version__, "server": answer, "url": url})
        return
    show.echo(f"danlu {__version__}")
    show.echo(
        speak("server {version} at {url}", "服务端 {version}（{url}）", version=answer["version"], url=url)
        if answer
        else speak("server at {url}: {problem}", "服务端 {url}：{problem}", url=url, problem=problem)
    )


@click.command()
@click.argument("shell", type=WordParam(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script for a shell (bash, zsh, fish)."""
    from click.shell_completion import get_completion_class

    from danlu.cli.main import cli

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(f"# {_WHERE[shell]}")
    click.echo(kind(cli, {}, "danlu", "_DANLU_COMPLETE").source())
