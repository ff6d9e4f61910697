"""The cluster at a glance as the JSON that clients get."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from danlu.control.usage.panel import Amount, Glance, ModelAmount
from danlu.files.quantities import plain_number
from danlu.server.http.answering import instant
from danlu.server.usage.panel_models import ClassResources

Json = dict[str, Any]


def glance(one: Glance) -> Json:
    return {
        "at": instant(one.at),
        "gpus": [_model(model) for model in one.gpus],
        "cpus": _amount(one.cpus, plain_number),
        "memory": _amount(one.memory, int),
        "jobs": {"running": one.running, "queued": one.queued},
        "mine": {"running": one.mine_running, "queued": one.mine_queued},
        "nodes": {state.value: count for state, count in sorted(one.nodes.items())},
        "classes": [ClassResources.render(each) for each in one.classes],
    }


def _model(one: ModelAmount) -> Json:
    return {
        "model": one.model,
        "nodes": one.nodes,
        "largest_free": plain_number(one.largest_free),
        **_amount(one.amount, plain_number),
    }


def _amount(one: Amount, number: Callable[[int], int | float]) -> Json:
    return {
        "total": number(one.total),
        "used": number(one.used),
        "others": number(one.others),
        "free": number(one.free),
        "closed": number(one.closed),
        "queued": number(one.queued),
        "mine_used": number(one.mine_used),
        "mine_queued": number(one.mine_queued),
        "shortage": number(one.shortage),
        "mine_shortage": number(one.mine_shortage),
    }
