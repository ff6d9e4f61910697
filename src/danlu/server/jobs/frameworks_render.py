"""Frameworks as the JSON that clients get."""

from __future__ import annotations

from danlu.frameworks.base import Framework
from danlu.frameworks.sample import variables
from danlu.server.http.answering import Json
from danlu.server.jobs import frameworks_models as models


def framework(one: Framework) -> Json:
    strategies = [
        models.FrameworkStrategy.render(each, variables=list(variables(one, each))) for each in one.strategies
    ]
    return models.Framework.render(one, strategies=strategies)
