"""`danlu up`: a complete Danlu on this machine."""

from __future__ import annotations

import gc
import ipaddress
import os
import sys
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Iterator, Mapping, Sequence

import click

from danlu.cli.session import note
from danlu.cli.shared.exit_codes import WRONG_USE
from danlu.cli.shared.files import print_hint
from danlu.cli.shared.show import width
from danlu.cli.system.effective import settings_file, where_from
from danlu.cli.system.parts import SERVER, importing
from danlu.cli.words import language, own_command, speak, spoken
from danlu.domain.words import Words, plain
from danlu.sdk.http.config import Context, path, save_context
from danlu.sdk.http.errors import BadConfig

if TYPE_CHECKING:
    from danlu.bootstrap import Ready
    from danlu.files.settings import Settings

STARTED = time.monotonic()
SIGN_IN, DATA = Words("sign in once", "登录一次"), Words("data", "数据目录")


@click.command()
@click.option("--host", help="Address to listen on (default 127.0.0.1).")
@click.option("--port", type=int, help="Port to listen on (default 8910; 0 takes a free one).")
@click.option("--data", type=click.Path(file_okay=False), help="Data directory.")
@click.option(
    "--virtual-nodes", metavar="SPEC", help="Simulate several nodes on this machine: 2x8xA100,4x8xRTX3090."
)
@click.option(
    "--engine", help="local runs tasks on this machine; simulated runs nothing; none: clusters only."
)
@click.option("--isolation", help="auto, sandbox or process.")
@click.option(
    "--network", help="What tasks reach: none, registries, all, or shared (the machine's own network)."
)
@click.option(
    "--database", metavar="URL", help="A PostgreSQL address instead of SQLite in the data directory."
)
@click.option(
    "--public-url", metavar="URL", help="The address at which people reach this server, if not host and port."
)
@click.option("--python", metavar="PATH", help="The Python environment of jobs with image host.")
@click.option(
    "--demo",
    is_flag=True,
    default=None,
    help="Create sample people, projects, jobs and three weeks of made-up history to explore.",
)
@click.option(
    "--print-settings", is_flag=True, help="Print every setting with its value and what set it, and exit."
)
def up(print_settings: bool, **options: object) -> None:
    """Run Danlu on this machine: API, console, scheduler and jobs in one process.

    Settings without an option are read from danlu.toml in the current directory, or from the file that DANLU_SETTINGS
    names, and from variables (DANLU_PORT for port); --print-settings lists them all.
    """
    with running():
        from danlu import bootstrap

        settings = chosen(options, print_settings)
        warn_of(settings.host)
        bootstrap.take_own_ids(settings)
        bootstrap.Danlu(settings).run(_greet)
        click.echo(speak("Danlu stopped. Running jobs continue.", "丹炉已停止。运行中的任务不受影响。"))


def chosen(options: Mapping[str, object], print_settings: bool) -> Settings:
    """The settings in force; with --print-settings, prints them and exits."""
    from danlu import bootstrap

    settings, origins = bootstrap.settings_and_origins(options)
    if "virtual_nodes" in options:
        check_nodes(settings.virtual_nodes, options)
    if print_settings:
        click.echo(where_from(bootstrap.settings_place()))
        click.echo(settings_file(settings, origins))
        click.get_current_context().exit()
    return settings


@contextmanager
def running() -> Iterator[None]:
    """Runs something that needs the server's parts; its refusals become messages. Its environment may hold passwords:
    tasks of the same user must not read them."""
    from danlu.runtime.isolation import linux

    with suppress(OSError):
        linux.keep_to_itself()
    with importing(SERVER), _nothing_to_collect():
        from danlu import bootstrap  # noqa: F401 (loaded here, where its absence has words)
        from danlu.domain.errors import DanluError, Invalid

    try:
        yield
    except Invalid as error:
        for mistake in error.errors:
            hint = spoken(mistake.hint) if mistake.hint else None
            _print_mistake(mistake.loc, spoken(mistake.text), hint)
        raise SystemExit(WRONG_USE) from None
    except DanluError as error:
        raise click.ClickException(spoken(error.text)) from error


@contextmanager
def _nothing_to_collect() -> Iterator[None]:
    """What is loaded here stays: looking for garbage in it, now or later, would be a fifth of the start."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def check_nodes(text: str | None, options: Mapping[str, object]) -> None:
    """Checked before anything starts: nodes are created only after the data directory is locked."""
    from danlu.domain.words import BadValue
    from danlu.engines.virtual import virtual_nodes

    if text is None:
        return
    try:
        virtual_nodes(text)
    except BadValue as error:
        variable = "DANLU_VIRTUAL_NODES"
        said_by = variable if variable in os.environ else "virtual_nodes"
        place = "--virtual-nodes" if options.get("virtual_nodes") is not None else said_by
        _print_mistake((place,), spoken(error.text), None)
        raise SystemExit(WRONG_USE) from None


def _print_mistake(loc: Sequence[object], message: str, hint: str | None) -> None:
    """`danlu.toml: port: what is wrong`, the hint below."""
    first, rest = loc[:1], ".".join(map(str, loc[1:]))
    place = ": ".join([*map(str, first), *([rest] if rest else [])])
    note(f"{place}: {message}" if place else message)
    print_hint(hint)


def warn_of(host: str) -> None:
    try:
        safe = ipaddress.ip_address(host).is_loopback
    except ValueError:
        safe = host == "localhost"
    if not safe:
        click.secho(
            speak(
                "Warning: {host} is not loopback. Passwords and tokens travel unencrypted: put TLS in front.",
                "警告：{host} 不是本机回环地址，密码和令牌会以明文传输，请在前面配置 TLS。",
                host=host,
            ),
            fg="yellow",
            err=True,
        )


def say_fact(label: Words, told: str, colour: str | None = None) -> None:
    """A line below the greeting: what it is, and the fact in a column of its own."""
    name = spoken(label)
    click.secho(f"  {name}{' ' * (15 - width(name))}{told}", fg=colour)


def _greet(ready: Ready) -> None:
    _remember(ready)
    took = time.monotonic() - STARTED
    click.secho(speak("Danlu is ready at {url}", "丹炉已就绪：{url}", url=ready.url), bold=True, nl=False)
    click.echo(speak("   ({took} s)", "（{took} 秒）", took=f"{took:.1f}"))
    if ready.sign_in_link:
        say_fact(SIGN_IN, ready.sign_in_link)
    say_fact(DATA, str(ready.data))
    say_fact(Words("nodes", "节点"), _shown(ready.nodes))
    say_fact(Words("tasks run", "子任务"), spoken(ready.isolation.text))
    for lack in ready.isolation.lacking:
        lacking = speak("{text}; to mend it: {fix}", "{text}；解决办法：{fix}", text=lack.text, fix=lack.fix)
        say_fact(Words("missing", "缺少"), plain(lacking), "yellow")
    if ready.demo:
        say_fact(
            Words("demonstration", "演示"),
            speak(
                "people, projects, jobs and three weeks of history, made up; the nodes are virtual",
                "含示例用户、项目组、任务和三周的模拟历史；节点为虚拟节点",
            ),
        )
    say_fact(Words("try", "试一试"), f"{own_command()} run -- echo hello")
    click.echo(
        speak("Ctrl-C stops Danlu; running jobs continue.", "按 Ctrl-C 停止丹炉；运行中的任务不受影响。")
    )
    sys.stdout.flush()


def _remember(ready: Ready) -> None:
    """A convenience: a failure here does not stop the server."""
    try:
        save_context(Context("local", ready.url, ready.token))
    except (BadConfig, OSError) as error:
        why = (
            error.said(language())
            if isinstance(error, BadConfig)
            else speak(
                "{path} cannot be written: {why}", "无法写入 {path}：{why}", path=path(), why=error.strerror
            )
        )
        warning = speak(
            "Warning: {why}. Until it is repaired, 'danlu' cannot find this server.",
            "警告：{why}。修复之前，danlu 命令找不到该服务器。",
            why=plain(why.rstrip(".。")),
        )
        click.secho(warning, fg="yellow", err=True)


def _shown(nodes: tuple[str, ...]) -> str:
    return ", ".join(nodes[:6]) + (f" and {len(nodes) - 6} more" if len(nodes) > 6 else "")
