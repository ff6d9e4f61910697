"""Where volumes are, and what requests about them are about."""

from __future__ import annotations

from danlu.domain.permissions import Relation
from danlu.server.http.access import API, P, RequestTarget

VOLUME = RequestTarget("a volume", tuple(Relation), hidden_without=P.VOLUME_READ)
"""In one's project if it is shared with one."""
TRASHED = RequestTarget("a volume in the trash", tuple(Relation), hidden_without=P.VOLUME_WRITE)
ALL = f"{API}/volumes"
ONE = f"{ALL}/{{volume}}"
