"""Parts of Danlu that may not be installed."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator

import click

from danlu.cli.words import speak
from danlu.domain.words import Words

SERVER = Words("the server's parts", "服务端的组件")
SCHEDULER = Words("the scheduler's parts", "调度器的组件")


@contextmanager
def importing(what: Words) -> Iterator[None]:
    """Imports of what only a server needs; a clear error if it is missing."""
    try:
        yield
    except ImportError as error:
        raise click.ClickException(
            speak(
                "{what} are not installed ({name}); run: pip install 'danlu[server]'",
                "未安装{what}（{name}）；请运行：pip install 'danlu[server]'",
                what=what,
                name=error.name,
            )
        ) from error
