"""Offers and the like as the JSON that clients get."""

from __future__ import annotations

from typing import Any

from danlu.control.flavors.flavors import Outcome, Recommendation
from danlu.control.flavors.generated import Proposal
from danlu.control.flavors.measured import Measured
from danlu.control.flavors.offers import Offer
from danlu.server.http.answering import words
from danlu.server.rules.render import rule

Json = dict[str, Any]


def offer(one: Offer) -> Json:
    return {
        "flavor": rule(one.flavor),
        "state": one.state.value,
        "behind": one.behind,
        "text": words(one.text) if one.text else None,
        "recommended": one.recommended,
    }


def proposal(one: Proposal) -> Json:
    return {"flavor": rule(one.flavor), "exists": one.exists}


def recommendation(one: Recommendation) -> Json:
    return {
        "job": one.job.id,
        "measured": _measured(one.measured) if one.measured else None,
        "items": [{"flavor": rule(flavor), "text": words(text)} for flavor, text in one.items],
        "text": words(one.text),
    }


def edited(one: Outcome) -> Json:
    return {"name": one.name, "ok": one.ok, "error": one.error}


def deleted(one: Outcome) -> Json:
    return {**edited(one), "used_by": one.used_by}


def _measured(one: Measured) -> Json:
    return {
        "runs": one.runs,
        "cpus": one.cpus,
        "memory": one.memory,
        "gpu_use": one.gpu_use,
        "gpu_memory": one.gpu_memory,
    }
