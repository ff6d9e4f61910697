"""`danlu metrics`: the progress of a training, by the metrics it reports."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Iterable, Iterator, Mapping, Sequence, Tuple, Union

import click

from danlu.cli.group import near
from danlu.cli.session import Answer, CliSession, note, on_terminal, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.jobs import known_job, one_job
from danlu.cli.shared.options import job_argument, json_option
from danlu.cli.terms import term
from danlu.cli.words import speak
from danlu.domain.words import listed, plain, say
from danlu.sdk import models
from danlu.sdk.http.errors import NotFound
from danlu.sdk.http.paths import segment

EVERY_S = 3
LIVE = ("queued", "starting", "running", "stopping")
_BARS = "▁▂▃▄▅▆▇█"
_WIDEST = 40
_MOST = 5_000
"""The most points per series in one answer."""
NewValue = Tuple[int, int, str, str, Union[float, str]]


@click.command()
@job_argument()
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option(
    "-t",
    "--task",
    metavar="TASK",
    help="The task, such as worker-1; default: the first that reports metrics.",
)
@click.option("--attempt", type=click.IntRange(min=1), help="The attempt; default: all of them, joined.")
@click.option(
    "-f",
    "--follow",
    is_flag=True,
    help="Follow until the job has ended; prints CSV if the output is not a terminal.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print every value as CSV.")
@json_option
@pass_session
def metrics(
    session: CliSession,
    /,
    job: str,
    names: tuple[str, ...],
    follow: bool,
    as_csv: bool,
    as_json: bool,
    task: str | None,
    attempt: int | None,
) -> None:
    """Show the metrics that a training reports (danlu.log, TensorBoard), its speed, and what slows it down."""
    if as_json and (follow or as_csv):
        raise click.UsageError(
            speak(
                "--json cannot be combined with --follow or --csv.",
                "--json 不能与 --follow 或 --csv 同时使用。",
            )
        )
    watch = _Watch(session, one_job(session, job).told, names, {"task": task, "attempt": attempt})
    if as_json:
        print_json(watch.ask().raw)
    elif follow and (as_csv or not on_terminal()):
        watch.print_new()
    elif as_csv:
        _print_lines(session.client.metric_lines(watch.id, names, task, attempt))
    else:
        watch.show(again=follow)


class _Watch:
    """One job's metrics, asked for as often as needed."""

    def __init__(
        self, session: CliSession, job: models.Job, names: Sequence[str], which: Mapping[str, object]
    ) -> None:
        self._session, self._job = session, job
        self._names = list(names)
        self._asked = {**which, "name": self._names}
        self.id = job.id

    def ask(self, **more: object) -> Answer[models.JobMetrics]:
        path, query = f"jobs/{segment(self.id)}/metrics", {**self._asked, **more}
        return known_job(
            self._session, self.id, lambda: self._session.ask(models.JobMetrics, "GET", path, query)
        )

    def show(self, again: bool) -> None:
        while True:
            found = self.ask(points=_WIDEST)
            if again:
                click.clear()
            _show(self._named(found.told), self._job)
            if not again or not self._goes_on():
                return

    def print_new(self) -> None:
        """Every point that was not printed yet, in the order of time."""
        seen: dict[tuple[str, str], int] = {}
        _print_lines(["step,time,name,task,value\n"])
        while True:
            found = self.ask(points=_MOST, all_tasks=self._asked["task"] is None)
            rows = sorted(_new(found.told.series, seen), key=lambda row: row[1])
            _print_lines(_as_csv(rows))
            if not self._goes_on():
                return

    def _goes_on(self) -> bool:
        """A few seconds later, or when the server is back; False when the job had ended before the last look."""
        from danlu.cli.outage import later  # it takes the network along, which `danlu --help` needs not

        if self._job.state not in LIVE:
            return False
        self._job = later(lambda: one_job(self._session, self.id).told, EVERY_S, note)
        return True

    def _named(self, found: models.JobMetrics) -> models.JobMetrics:
        """The answer with only the requested names; NotFound lists the existing ones."""
        known = [one.name for one in found.names]
        for name in self._names:
            if known and name not in known:
                likely = near(name, known)
                instead = (
                    say("did you mean '{likely}'?", "你是想写“{likely}”吗？", likely=likely)
                    if likely
                    else say("there are: {known}", "现有：{known}", known=listed(known[:20]))
                )
                raise NotFound(
                    say(
                        "the job has no metric '{name}'; {instead}",
                        "任务没有指标“{name}”；{instead}",
                        name=name,
                        instead=instead,
                    )
                )
        wanted = self._names or known
        return replace(found, names=tuple(one for one in found.names if one.name in wanted))


def _show(found: models.JobMetrics, job: models.Job) -> None:
    if not found.names:
        note(
            speak(
                "{name} is {state} and has reported no metrics. A training reports them with "
                "'import danlu; danlu.log(step, loss=…)', or writes them for TensorBoard.",
                "{name} {state}，没有上报任何指标。训练可用 import danlu; danlu.log(step, loss=…) 上报，"
                "或写入 TensorBoard 文件。",
                name=job.title,
                state=term(job.state),
            )
        )
    else:
        _table(found)
    pace = _pace(found)
    if pace:
        show.echo(f"\n{pace}")
    if found.hint:
        note(show.words(found.hint))


def _table(found: models.JobMetrics) -> None:
    plotted = on_terminal()
    lines = {one.name: one.values for one in found.series}
    several = any(len(one.tasks) > 1 for one in found.names)
    columns = [
        "METRIC",
        "LAST",
        "STEP",
        *(["TASKS"] if several else []),
        *(["OVER STEPS"] if plotted else []),
    ]
    rows: list[show.Cells] = []
    for one in found.names:
        row: show.Cells = [one.name, value(one.last.value), f"{one.last.step:,}"]
        if several:
            row.append(str(len(one.tasks)))
        if plotted:
            row.append(show.Cell(spark(lines.get(one.name, ())), "blue"))
        rows.append(row)
    show.table(columns, rows, right=("LAST", "STEP", "TASKS"))


def _pace(found: models.JobMetrics) -> str:
    parts = []
    if found.latest_step is not None:
        whole = f"{found.total_steps:,}" if found.total_steps is not None else ""
        parts.append(
            speak(
                "step {step}{whole}",
                "第 {step} 步{whole}",
                step=f"{found.latest_step:,}",
                whole=say(" of {whole}", "（共 {whole} 步）", whole=whole) if whole else "",
            )
        )
    rate, over = found.throughput.steps_per_second, found.throughput.over_ms
    if rate is not None:
        parts.append(
            speak(
                "{rate} steps per second over {over}",
                "最近 {over}每秒 {rate} 步",
                rate=f"{rate:.3g}",
                over=show.span(over / 1000),
            )
        )
    if found.gpu.busy is not None:
        parts.append(speak("GPUs {busy} % busy", "GPU 利用率 {busy}%", busy=f"{found.gpu.busy:.0f}"))
    return speak(", ", "，").join(parts)


def value(told: float | None) -> str:
    """Five digits are enough."""
    return "nan" if told is None else f"{told:.5g}"


def spark(values: Sequence[float | None]) -> str:
    """A small plot from the lowest value to the highest; a gap where there is none."""
    known = [one for one in values if one is not None]
    if not known:
        return ""
    low, high = min(known), max(known)
    height = (high - low) or 1.0
    top = len(_BARS) - 1
    return "".join(" " if one is None else _BARS[round((one - low) / height * top)] for one in values)


def _new(series: Sequence[models.MetricSeries], seen: dict[tuple[str, str], int]) -> Iterator[NewValue]:
    for line in series:
        key = (line.name, line.task)
        after = seen.get(key, -1)
        for step, at, told in zip(line.steps, line.times, line.values):
            if at > after:
                seen[key] = max(seen.get(key, -1), at)
                yield (step, at, line.name, line.task, "nan" if told is None else told)


def _as_csv(rows: Sequence[NewValue]) -> list[str]:
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return [text.getvalue()]


def _print_lines(lines: Iterable[str]) -> None:
    fit = plain if on_terminal() else str
    for line in lines:
        sys.stdout.write(fit(line))
    sys.stdout.flush()
