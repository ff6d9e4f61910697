"""`danlu flavor offers`, `generate`, `recommend` and `rm`: flavors beyond one at a time."""

from __future__ import annotations

from typing import Mapping, Sequence

import click

from danlu.cli.session import CliSession, Listing, note, pass_session, print_json
from danlu.cli.shared import show
from danlu.cli.shared.asking import can_ask, confirm, must_ask, yes_option
from danlu.cli.shared.crud import remove, said
from danlu.cli.shared.options import WordParam, job_argument, json_option
from danlu.cli.shared.show import Cells
from danlu.cli.shared.values import CLASSES, WordsParam, not_a_number
from danlu.cli.words import done_said, speak, spoken
from danlu.domain.words import Words, listed
from danlu.sdk import models

PATH = "flavors"
SIZE = ("NAME", "GPUS", "CPUS", "MEMORY")
COLOURS = {"available": "green", "waits": "yellow", "never": "red"}


@click.command("offers")
@click.option("--class", "job_class", type=WordParam(CLASSES), help="For jobs of this class.")
@click.option("--project", metavar="NAME", help="For jobs in this project; default: public.")
@click.option("--count", type=click.IntRange(1), metavar="N", help="For jobs with this many tasks.")
@click.option("--all", "hopeless", is_flag=True, help="Include flavors that could never start, and why.")
@json_option
@pass_session
def flavor_offers(
    session: CliSession,
    job_class: str | None,
    project: str | None,
    count: int | None,
    hopeless: bool,
    as_json: bool,
) -> None:
    """Show which flavors are available now, and how many jobs are ahead for the others."""
    asked = {"class": job_class, "project": project, "count": count, "all": "true" if hopeless else None}
    found = session.listing(models.FlavorOffer, f"{PATH}/offers", asked)
    if as_json:
        print_json(found.raw)
    elif not found.items:
        note(
            speak(
                "No flavor is available. 'danlu flavor offers --all' shows why; 'danlu flavor ls' lists all flavors.",
                "当前没有可用的套餐。danlu flavor offers --all 显示原因；danlu flavor ls 列出全部套餐。",
            )
        )
    else:
        show.table(
            (*SIZE, "NOW", "WHY"),
            [_offer(one) for one in found.told],
            ("CPUS",),
        )


@click.command("generate")
@click.argument("node", metavar="NODE")
@click.option(
    "--counts", type=WordsParam(), metavar="N,…", help="GPU counts; default: 1, 2, 4 and so on, up to all."
)
@click.option("--system-cpus", type=float, metavar="N", help="CPUs reserved for the system; default: 5 %.")
@click.option("--system-memory", metavar="SIZE", help="Memory reserved for the system; default: 5 %.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask for confirmation.")
@json_option
@pass_session
def flavor_generate(
    session: CliSession,
    node: str,
    counts: list[str] | None,
    system_cpus: float | None,
    system_memory: str | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Create flavors that divide a node by its GPUs; shows them and asks first."""
    body: dict[str, object] = {"node": node}
    if counts:
        body["counts"] = [_number(one) for one in counts]
    system = said({"cpus": system_cpus, "memory": system_memory})
    if system:
        body["system"] = system
    found = _generate(session, {**body, "preview": not yes})
    if not as_json:
        rows = [[*size_cells(one.flavor), show.word("exists" if one.exists else "new")] for one in found.told]
        show.table((*SIZE, "STATE"), rows, ("CPUS",))
        note(_sentence(found.raw["text"]))
    new = [one.flavor.name for one in found.told if not one.exists]
    if not yes and new:
        yes = (
            not as_json
            and can_ask()
            and confirm(speak("Create {new} flavors?", "创建 {new} 个套餐？", new=len(new)), abort=False)
        )
        found = _generate(session, body) if yes else found
    if as_json:
        print_json(found.raw)
    elif not new:
        note(speak("There is nothing to create.", "没有需要创建的套餐。"))
    else:
        note(
            speak("Created {new}.", "已创建 {new}。", new=listed(new))
            if yes
            else speak(
                "Nothing was created. Use --yes to create them.", "未创建任何套餐。使用 --yes 即可创建。"
            )
        )


def _generate(session: CliSession, body: Mapping[str, object]) -> Listing[models.FlavorProposal]:
    return session.listing(models.FlavorProposal, f"{PATH}/generate", method="POST", body=body)


@click.command("recommend")
@job_argument()
@json_option
@pass_session
def flavor_recommend(session: CliSession, job: str, as_json: bool) -> None:
    """Show which flavors would have been enough for a job's last runs."""
    found = session.ask(models.FlavorRecommendation, "GET", f"{PATH}/recommend", {"job": job})
    if as_json:
        print_json(found.raw)
        return
    told = found.told
    if told.items:
        rows = [[*size_cells(one.flavor), show.words(one.text)] for one in told.items]
        show.table((*SIZE, "NOW"), rows, ("CPUS",))
    note(_sentence(told.text))


def edit_all(session: CliSession, names: Sequence[str], changes: Mapping[str, object], as_json: bool) -> None:
    """Change several flavors in the same way."""
    body = {"names": list(names), **changes}
    _tell(session.listing(models.FlavorEdited, PATH, method="PATCH", body=body), as_json, "Changed")


@click.command("rm")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@yes_option
@pass_session
def flavor_rm(session: CliSession, names: tuple[str, ...], yes: bool) -> None:
    """Remove flavors; existing jobs keep their size."""
    question = (
        speak("Remove flavor {name}?", "移除套餐 {name}？", name=names[0])
        if len(names) == 1
        else speak("Remove {count} flavors?", "移除 {count} 个套餐？", count=len(names))
    )
    if must_ask(question, yes):
        body = {"names": list(names), "preview": True}
        for one in session.listing(models.FlavorDeleted, f"{PATH}/delete", method="POST", body=body).told:
            if one.used_by:
                note(
                    speak(
                        "{name} is used by {jobs}, which keep their size.",
                        "{name} 正被 {jobs}使用，这些任务保持原有规格。",
                        name=one.name,
                        jobs=Words(
                            f"{one.used_by} active job{'s' if one.used_by > 1 else ''}",
                            f"{one.used_by} 个任务",
                        ),
                    )
                )
        confirm(question)
    if len(names) == 1:
        remove(session, "flavor", PATH, names[0])
        return
    body = {"names": list(names)}
    _tell(session.listing(models.FlavorEdited, f"{PATH}/delete", method="POST", body=body), False, "Removed")


def _tell(found: Listing[models.FlavorEdited], as_json: bool, done: str) -> None:
    """Print each outcome; exits non-zero if any failed."""
    outcomes = found.told
    failed = [one for one in outcomes if not one.ok]
    if as_json:
        print_json(found.raw)
    else:
        for one in failed:
            note(f"danlu: {one.name}: {show.words(one.text) or one.error}")
        well = [one.name for one in outcomes if one.ok]
        if well:
            flavors = Words("flavors" if len(well) > 1 else "flavor", "套餐")
            note(
                speak(
                    "{done} {flavors} {names}.",
                    "{done}{flavors} {names}。",
                    done=done_said(done),
                    flavors=flavors,
                    names=listed(well),
                )
            )
    if failed:
        raise SystemExit(1)


def _offer(one: models.FlavorOffer) -> Cells:
    shown = (
        speak("behind {count}", "前面有 {count} 个", count=one.behind) if one.behind else _state(one.state)
    )
    if one.recommended:
        shown += speak(" (best)", "（推荐）")
    return [*size_cells(one.flavor), show.Cell(shown, COLOURS.get(one.state)), show.words(one.text)]


def size_cells(flavor: models.Flavor) -> Cells:
    """Name, GPUs, CPUs and memory."""
    size = flavor.resources
    gpus = f"{show.number(size.get('gpus'))} {size.get('gpu') or ''}".rstrip() if size.get("gpus") else "-"
    return [flavor.name, gpus, show.number(size.get("cpus")), str(size.get("memory") or "")]


def _state(word: str) -> str:
    said = {"available": Words("available", "可用"), "waits": Words("waits", "需等待")}
    return spoken(said.get(word) or Words(word, "无法启动"))


def _sentence(text: Mapping[str, str] | None) -> str:
    words = show.words(text)
    return f"{words[:1].upper()}{words[1:]}{speak('.', '。')}"


def _number(word: str) -> int:
    if not word.isdigit():
        raise click.BadParameter(not_a_number(word), param_hint="'--counts'")
    return int(word)
