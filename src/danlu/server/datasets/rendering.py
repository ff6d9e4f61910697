"""Datasets, versions and acts as answers."""

from __future__ import annotations

from danlu.control.recipes.imports import current
from danlu.domain.datasets.dataset import Act, ActKind, Dataset, Version
from danlu.domain.datasets.reference import LATEST
from danlu.domain.permissions import Caller
from danlu.server.datasets import models
from danlu.server.desk import Desk
from danlu.server.http.answering import Json


def whole(desk: Desk, who: Caller, one: Dataset) -> Json:
    return models.Dataset.render(desk.services.datasets.datasets.standing(who, one))


def version_shown(one: Dataset, found: Version) -> Json:
    """The newest has the tag `latest` besides its own."""
    tags = [LATEST, *found.tags] if found.number == one.last else list(found.tags)
    return models.DatasetVersion.render(found, tags=tags)


def act_shown(act: Act) -> Json:
    number = act.wish.number if act.kind is ActKind.VERIFY else act.number
    error = {"en": act.error[0], "zh": act.error[1]} if act.error else None
    part = current(act)
    transfer = part.transfer if part else None
    version = f"v{number}" if number else None
    return models.DatasetAct.render(act, version=version, error=error, transfer=transfer)
