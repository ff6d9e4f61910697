"""What went wrong and what was done about it, as one sentence."""

from __future__ import annotations

from collections.abc import Mapping

from danlu.domain.job import Attempt, Remedy
from danlu.domain.reasons import Reason
from danlu.domain.words import Words

_DONE: Mapping[Remedy, Words] = {
    Remedy.FAIL: Words("the job failed", "任务失败"),
    Remedy.COMPLETE: Words("the job counts as completed", "任务视为完成"),
    Remedy.IGNORE: Words("the job continues without it", "任务的其余部分继续运行"),
    Remedy.RESTART_TASK: Words("the task restarts", "该子任务将再次启动"),
}
_AGAIN: Mapping[Remedy, Words] = {
    Remedy.RESTART_JOB: Words("the job restarted", "任务已重启，"),
    Remedy.REQUEUE: Words("the job was requeued", "任务已重新排队，"),
}


def story(reason: Reason, remedy: Remedy, *, saved: bool, step: int | None) -> Words:
    """`saved` says that a restart continues from a checkpoint, `step` is its step if known."""
    why, done = reason.text(), _DONE.get(remedy)
    if done is None:
        again, start = _AGAIN[remedy], _where(saved, step)
        done = Words(f"{again.en} {start.en}", again.zh + start.zh)
    return Words(f"{why.en}; {done.en}", f"{why.zh}；{done.zh}")


def told(attempt: Attempt) -> Words | None:
    """How an attempt ended; None while it has not, or when all went well."""
    if attempt.reason is None or attempt.ended_at is None:
        return None
    if attempt.then is None:
        return attempt.reason.text()
    last = attempt.saved or attempt.resumed
    return story(attempt.reason, attempt.then, saved=last is not None, step=last.step if last else None)


def _where(saved: bool, step: int | None) -> Words:
    if not saved:
        return Words("from the beginning", "从头开始")
    if step is None:
        return Words("from its last checkpoint", "从最近的检查点继续")
    return Words(f"from checkpoint step {step:,}", f"从第 {step:,} 步的检查点继续")
