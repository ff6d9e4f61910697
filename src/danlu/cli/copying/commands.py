"""`danlu cp` and `danlu sync`: between this machine, volumes, buckets and the web."""

from __future__ import annotations

from typing import Any, Callable, Sequence, TypeVar

import click

from danlu.cli.copying.options import OrderedCommand, SizeParam, rules_of
from danlu.cli.copying.telling import Bar, ChangeTeller, end
from danlu.cli.session import CliSession, pass_session
from danlu.cli.shared.asking import confirm, must_ask, yes_option
from danlu.cli.shared.options import whole_folders
from danlu.cli.words import speak
from danlu.sdk.copying.copying import Copier
from danlu.sdk.copying.ends.sign_in import SignIn
from danlu.sdk.copying.options import CopyProgress, Differs, Options

_Command = TypeVar("_Command")


def _choices(command: _Command) -> _Command:
    """The options of both commands."""
    found: Any = command
    for option in reversed(
        (
            click.option("--include", metavar="PATTERN", multiple=True, help="Copy what matches."),
            click.option("--exclude", metavar="PATTERN", multiple=True, help="Leave out what matches."),
            click.option("--checksum", is_flag=True, help="Compare by reading both sides, not by time."),
            click.option("--follow", is_flag=True, help="Copy what links inside the source lead to."),
            click.option("--dry-run", is_flag=True, help="Only tell what would be done."),
            click.option(
                "--parallel",
                metavar="N",
                type=click.IntRange(1, 64),
                default=8,
                show_default=True,
                help="Files and parts of files on their way at once.",
            ),
            click.option(
                "--limit-rate", metavar="RATE", type=SizeParam(), help="Bytes a second, such as 20MiB."
            ),
            click.option("--endpoint", metavar="URL", default="", help="The address of the object store."),
            click.option(
                "--profile", metavar="NAME", default="", help="A profile of ~/.aws to sign in with."
            ),
            click.option("--region", metavar="NAME", default="", help="The region of the bucket."),
            click.option("--anonymous", is_flag=True, help="Read a public bucket without signing in."),
            click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON."),
        )
    ):
        found = option(found)
    return found  # type: ignore[no-any-return]


@click.command("cp", cls=OrderedCommand)
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@click.argument("target", metavar="TARGET")
@click.option("--overwrite", is_flag=True, help="Overwrite files that differ.")
@click.option("--skip-existing", is_flag=True, help="Leave files alone that are there, even if they differ.")
@click.option("--newer", is_flag=True, help="Overwrite files that are older than the source.")
@whole_folders
@_choices
@pass_session
def cp(
    session: CliSession,
    /,
    sources: Sequence[str],
    target: str,
    overwrite: bool,
    skip_existing: bool,
    newer: bool,
    **chosen: Any,
) -> None:
    """Copy files and folders between this machine, volumes, buckets and the web.

    A place is a local path, vol:NAME/path or NAME:/path or OWNER:NAME:/path in a volume, s3://BUCKET/prefix, or
    https://… (as a source). Folders are copied with all that is in them, into the folder TARGET itself; several
    sources go into it under their own names. Sources may have wildcards: * and ? within a name, ** across folders,
    [a-z], {a,b}.

    Of --include and --exclude, the first that matches decides; what none matches is copied, unless all are --include.

    Files that are there and have the same size and time are left alone: run a command again after a break, and it goes
    on. Exit code 1: some of it failed; 6: all of it."""
    if overwrite + skip_existing + newer > 1:
        raise click.UsageError(
            speak(
                "--overwrite, --skip-existing and --newer exclude each other",
                "--overwrite、--skip-existing 与 --newer 互斥",
            )
        )
    differs = Differs.OVERWRITE if overwrite else Differs.SKIP if skip_existing else Differs.REFUSE
    options = _options(Differs.NEWER if newer else differs, False, chosen)
    _run(session, options, chosen, None, lambda copying: copying.copy(sources, target))


@click.command("sync", cls=OrderedCommand)
@click.argument("source", metavar="SOURCE")
@click.argument("target", metavar="TARGET")
@click.option("--delete", is_flag=True, help="Delete from TARGET what SOURCE does not have.")
@whole_folders
@_choices
@yes_option
@pass_session
def sync(session: CliSession, /, source: str, target: str, delete: bool, yes: bool, **chosen: Any) -> None:
    """Make the folder TARGET like the folder SOURCE; places are written as for 'danlu cp'.

    What differs is overwritten. With --delete, what SOURCE does not have is deleted, after everything else is copied
    and only if nothing failed; from volumes it goes to the volume's trash. What is excluded stays. An empty source
    deletes nothing."""
    options = _options(Differs.OVERWRITE, delete, chosen)
    question = speak(
        "Delete from {target} what {source} does not have?",
        "从 {target} 删除 {source} 中没有的内容？",
        source=source,
        target=target,
    )
    asks = delete and not options.dry_run and must_ask(question, yes)

    def may_delete(count: int) -> bool:
        return not asks or confirm(
            speak(
                "Delete {count} files and folders from {target}?",
                "从 {target} 删除 {count} 个文件和目录？",
                count=count,
                target=target,
            ),
            abort=False,
        )

    _run(session, options, chosen, may_delete, lambda copying: copying.sync(source, target))


def _options(differs: Differs, delete: bool, chosen: dict[str, Any]) -> Options:
    return Options(
        rules_of(chosen),
        differs,
        chosen["checksum"],
        delete,
        chosen["dry_run"],
        chosen["follow"],
        chosen["parallel"],
        chosen["limit_rate"],
    )


def _run(
    session: CliSession,
    options: Options,
    chosen: dict[str, Any],
    may_delete: Callable[[int], bool] | None,
    act: Callable[[Copier], CopyProgress],
) -> None:
    as_json = chosen["as_json"]
    sign_in = SignIn(chosen["endpoint"], chosen["region"], chosen["profile"], chosen["anonymous"])
    progress = CopyProgress()
    teller = ChangeTeller(options.dry_run, as_json)
    with Bar(progress, quiet=options.dry_run) as bar:
        asked = bar.paused(may_delete) if may_delete else None
        copying = Copier(lambda: session.http, options, sign_in, progress, teller.told, asked)
        try:
            act(copying)
        except BaseException:
            bar.end()
            teller.broke_off(progress)
            raise
    end(progress, teller, session)
