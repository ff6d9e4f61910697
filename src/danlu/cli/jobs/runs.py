"""`danlu runs`: the runs of a job's name."""

from __future__ import annotations

import click

from danlu.cli.session import CliSession, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.jobs import known_job
from danlu.cli.shared.options import job_argument, json_option
from danlu.cli.shared.show import Cells
from danlu.sdk import models
from danlu.sdk.http.paths import segment


@click.command()
@job_argument()
@json_option
@pass_session
def runs(session: CliSession, job: str, as_json: bool) -> None:
    """List the runs of a job, the latest first: NAME is the latest one, NAME#2 the second."""
    found = known_job(session, job, lambda: session.listing(models.JobRow, f"jobs/{segment(job)}/runs"))
    if as_json:
        print_json({"items": [row.raw for row in found.items]})
        return
    rows: list[Cells] = [
        [
            str(one.run),
            one.id,
            show.state(one.state),
            show.ago(one.created_at),
            show.took(one.started_at, one.ended_at),
            show.reason(one.reason),
        ]
        for one in found.told
    ]
    show.table(["RUN", "ID", "STATE", "AGE", "RAN", "WHY"], rows, right=("RUN",))
