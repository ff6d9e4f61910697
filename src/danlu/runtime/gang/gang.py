"""The gang as its tasks know it: who there is, where their agents listen, and who leads."""

from __future__ import annotations

import ipaddress
import json
from typing import Mapping, NamedTuple

SEATS = "DANLU_SEATS"
"""The variable: a JSON list of [task, address, port, slots], the one who leads first."""


class AgentSeat(NamedTuple):
    name: str
    host: str
    port: int
    slots: int


class GangSeats(NamedTuple):
    seats: tuple[AgentSeat, ...]
    mine: AgentSeat

    @property
    def leads(self) -> bool:
        """Whether this task is the one that runs the command."""
        return self.mine == self.seats[0]

    @property
    def others(self) -> tuple[AgentSeat, ...]:
        return tuple(seat for seat in self.seats if seat != self.mine)

    @property
    def on_loopback(self) -> bool:
        """Whether all of it is on one machine, whose nodes are told apart by loopback addresses."""
        return len(self.seats) > 1 and all(_is_loopback(seat.host) for seat in self.seats)

    def seat(self, name: str) -> AgentSeat | None:
        return next((seat for seat in self.seats if seat.name == name), None)


def read_gang(env: Mapping[str, str]) -> GangSeats:
    """ValueError when the variables are not there or not as Danlu writes them."""
    try:
        seats = tuple(AgentSeat(*row) for row in json.loads(env[SEATS]))
        mine = next(seat for seat in seats if seat.name == env["DANLU_TASK"])
    except (KeyError, TypeError, ValueError, StopIteration) as error:
        raise ValueError(f"{SEATS} and DANLU_TASK do not describe a gang and one of its tasks") from error
    return GangSeats(seats, mine)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
