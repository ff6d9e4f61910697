"""Reports of tasks on their training."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends
from starlette.responses import Response

from danlu.domain.errors import FieldError, Invalid
from danlu.domain.words import Words, same
from danlu.ports.reports import ReportedPoint, Save, point_line, point_of, save_of
from danlu.server.http.access import API, ONESELF, TASK, AccessRule
from danlu.server.http.reading import Body
from danlu.server.jobs.reports_models import TaskReports
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("reports")


@routes.add(
    "POST",
    f"{API}/task/reports",
    AccessRule(TASK, ONESELF),
    status=204,
    refusals=(409, 413, 422),
    for_tasks=True,
)
def report(desk: AtDesk, who: Who, body: Annotated[TaskReports, Depends(Body(TaskReports))]) -> Response:
    """Report metrics and checkpoints of a running task; for tasks that share no disk with Danlu."""
    points = [_point(at, said) for at, said in enumerate(body.metrics)]
    saves = [_save(at, said) for at, said in enumerate(body.checkpoints)]
    desk.services.jobs.reports.take(who, body.attempt, body.task, points, saves)
    return Response(status_code=204)


def _point(at: int, said: tuple[Any, ...]) -> ReportedPoint:
    """Checked by the same rules as reports read from a file, so that nothing unreadable is stored."""
    point = point_of(list(said))
    if point is None or len(point.values) != len(said[2]):
        message = Words(
            "needs at least one metric, and names of printable characters only",
            "至少需要一个指标，且名称须为可显示的字符",
        )
        raise Invalid((FieldError(("metrics", at), "bad_form", message),))
    try:
        point_line(point)
    except ValueError as error:
        raise Invalid((FieldError(("metrics", at), "too_long", same(str(error))),)) from None
    return point


def _save(at: int, said: tuple[Any, ...]) -> Save:
    save = save_of(list(said))
    if save is None:
        message = Words("the path has characters that are not printable", "路径中有无法显示的字符")
        raise Invalid((FieldError(("checkpoints", at, 2), "bad_form", message),))
    return save
