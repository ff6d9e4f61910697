"""`danlu files`: all its commands."""

from __future__ import annotations

import click

from danlu.cli.files.change import files_cp, files_mkdir, files_mv, files_rm
from danlu.cli.files.look import files_cat, files_head, files_link, files_ls, files_restore, files_trash
from danlu.cli.files.send import files_get, files_put
from danlu.cli.group import HelpfulGroup


@click.group(cls=HelpfulGroup)
def files() -> None:
    """Files of volumes: list, upload, download, move, copy and delete them.

    A place is VOLUME:/path for a volume of yours, OWNER:VOLUME:/path for one that is shared with you; personal:/ and
    archive:/ are your own directories."""


for _command in (
    files_ls,
    files_cat,
    files_head,
    files_link,
    files_put,
    files_get,
    files_mkdir,
    files_mv,
    files_cp,
    files_rm,
    files_trash,
    files_restore,
):
    files.add_command(_command)
