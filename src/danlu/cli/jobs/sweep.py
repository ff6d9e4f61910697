"""`danlu run --sweep`: one job file, run once for each combination of values."""

from __future__ import annotations

import click

from danlu.cli.jobs.submit import UploadProgress, name_accepted
from danlu.cli.session import CliSession, note
from danlu.cli.shared import files, show
from danlu.cli.shared.files import Places
from danlu.cli.shared.options import key_value
from danlu.cli.shared.show import Cells
from danlu.cli.words import speak
from danlu.sdk.code.jobfile import LocatedJobFile
from danlu.sdk.code.sweep import swept
from danlu.sdk.http.errors import DanluError, Invalid
from danlu.sdk.models import Job

_COMPARED = 10


def run_sweep(
    session: CliSession,
    job: LocatedJobFile,
    options: Places,
    pairs: tuple[str, ...],
    *,
    replace: bool,
    dry_run: bool,
) -> None:
    if not pairs or replace:
        raise click.UsageError(
            speak(
                "--dry-run needs --sweep, and --replace does not go with it",
                "--dry-run 需要与 --sweep 一起使用；--sweep 不能与 --replace 同时使用",
            )
        )
    name_accepted(job)
    over = {name: values.split(",") for name, values in key_value(pairs, "--sweep").items()}
    chosen = [values for values, _ in swept(job.data, over)]
    if dry_run:
        show.table(list(over), [list(values.values()) for values in chosen])
        return
    made: list[Job] = []
    try:
        for one in session.client.sweep(job.data, over, job.folder, UploadProgress()):
            made.append(one)
    except Invalid as error:
        raise files.refuse(job, error, options) from None
    except DanluError:
        _told_of(made, chosen)
        note(
            speak(
                "Submitted {made} of {all} runs; the rest was refused:",
                "已提交 {all} 次运行中的 {made} 次，其余被拒绝：",
                made=len(made),
                all=len(chosen),
            )
        )
        raise
    _told_of(made, chosen)
    if len(made) < 2:
        return
    compared = " ".join(f"{one.name}#{one.run}" for one in made[:_COMPARED])
    note(speak("Compare them: danlu compare {runs}", "对比：danlu compare {runs}", runs=compared))


def _told_of(made: list[Job], chosen: list[dict[str, str]]) -> None:
    rows: list[Cells] = [
        [f"{one.name}#{one.run}", *values.values(), one.id, show.state(one.state)]
        for one, values in zip(made, chosen)
    ]
    if rows:
        show.table(["RUN", *chosen[0], "ID", "STATE"], rows)
