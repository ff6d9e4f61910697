"""Rosters in requests: a list of names, or text."""

from __future__ import annotations

from danlu.control.people.roster import Roster, read_roster, roster_of
from danlu.domain.errors import FieldError, Invalid
from danlu.domain.words import Words
from danlu.server.people.models import RosterPart


def roster_in(body: RosterPart) -> Roster:
    """The people that a request names; Invalid unless it has exactly one of `names` and `text`."""
    if (body.text is None) == (body.names is None):
        message = Words("give either names or text, not both", "请填写 names 或含有用户名的 text，二选一")
        raise Invalid((FieldError(("names",), "missing" if body.text is None else "contradiction", message),))
    return roster_of(body.names or ()) if body.text is None else read_roster(body.text)
