"""The reference page of the command line, from the commands themselves."""

from __future__ import annotations

import click

from danlu.cli.main import cli

_INTRO = """# The command line

`danlu COMMAND --help` shows the same on a terminal. JOB is an id, or the name of one of your own jobs.

Commands that read print a table on a terminal and plain aligned text in a pipe; `--json` prints the server's answer.
`NO_COLOR` turns colour off. The server's address comes from `--url` or `--context`, else from `DANLU_URL` and
`DANLU_TOKEN`, else from `config.toml` in `DANLU_CONFIG_DIR` (`~/.config/danlu`), which `danlu login` and
`danlu up` write. `DANLU_CA_FILE` names the certificate authority of a server with a self-signed certificate.
Help, headings, values and sentences are in English or Chinese, also in a pipe: by `DANLU_LANG` (`en`, `zh`),
else by the locale (`LC_ALL`, `LC_MESSAGES`, `LANG`). On a terminal, control characters are shown as `?`;
logs keep their colours. `DANLU_DEBUG=1` shows the traceback of an unexpected error.

Named resources (project, priority, pool, flavor, limit, cluster, maintenance, group) have the same verbs:
`ls`, `show`, `create`, `edit` and `rm`; editing a quota creates it. The former verbs `add` and `set`
still work and print the new one. `group add-members` and `group remove-members` change who is in a group;
`group rm` removes the group.

| exit code | means |
|---|---|
| 0 | done |
| 1 | the command failed |
| 2 | usage error: a misspelt command or option, a job file with mistakes |
| 3 | not signed in, or not allowed |
| 4 | not found |
| 5 | the server cannot be reached |

`danlu run` exits as the job did: its exit code, 128 + n for signal n, 137 out of memory, 130 after Ctrl-C.
"""


def render() -> str:
    """The whole page; `./dev docs` writes it and `./dev check` compares it."""
    context = click.Context(cli, info_name="danlu")
    lines = [_INTRO]
    for title, section in cli.sections.items():
        lines.append(f"## {title}\n")
        for name in section:
            command = cli.get_command(context, name)
            if command is not None and not command.hidden:
                lines += _command(command, context, name)
    return "\n".join(lines).rstrip() + "\n"


def _command(command: click.Command, parent: click.Context, name: str) -> list[str]:
    context = click.Context(command, info_name=name, parent=parent)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    lines = [f"### {context.command_path}\n", f"`{usage}`\n", _sentences(command.help or ""), ""]
    options = [param for param in command.params if isinstance(param, click.Option) and not param.hidden]
    if options:
        lines += ["| option | |", "|---|---|", *(_option(option, context) for option in options), ""]
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            if found is not None and not found.hidden:
                lines += _command(found, context, child)
    return lines


def _option(option: click.Option, context: click.Context) -> str:
    spelled, meaning = option.get_help_record(context) or ("", "")
    return f"| `{spelled.replace('|', ' or ')}` | {meaning.replace('|', ' or ')} |"


def _sentences(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
