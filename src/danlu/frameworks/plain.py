"""No framework: tasks find each other through Danlu's own variables, and run their command as is."""

from __future__ import annotations

from danlu.domain.words import Words
from danlu.frameworks.base import WORKERS, Framework, Gang, Given, Seat, Strategy


class Plain(Framework):
    name = "none"
    label = Words("None", "无")
    about = Words(
        "Any command; tasks find each other through DANLU_RANK, DANLU_WORLD_SIZE and DANLU_MASTER_ADDR.",
        "任意命令；子任务可通过 DANLU_RANK、DANLU_WORLD_SIZE 和 DANLU_MASTER_ADDR 找到彼此。",
    )
    strategies = (
        Strategy(
            "",
            Words("None", "无"),
            Words("Roles as the file names them.", "角色由任务文件自行定义。"),
            (WORKERS,),
            restarts=0,
            hang_after=None,
        ),
    )

    def given(self, gang: Gang, seat: Seat) -> Given:  # noqa: ARG002
        return Given({}, seat.command)
