"""Flavors beyond one at a time, as the client asks for them."""

from __future__ import annotations

from danlu.sdk import Client, Flavor, FlavorOffer
from danlu.sdk.models import flavors
from tests.fakes.http_server import FakeServer

SIZE = {"gpus": 1}
ONE = {"name": "a100-1", "resources": SIZE, "classes": ["single"], "description": "", "news": 1}
FLAVOR = Flavor("a100-1", SIZE, ("single",))
WORDS = {"en": "behind 2 jobs", "zh": "…"}


def test_offers_are_read_with_their_flavors(server: FakeServer, client: Client):
    offer = {"flavor": ONE, "state": "waits", "behind": 2, "text": WORDS, "recommended": True, "news": 1}
    server.on("GET", "flavors/offers", {"at": "2026-01-01T00:00:00.000Z", "items": [offer]})
    assert client.flavors.offers() == [FlavorOffer(FLAVOR, "waits", 2, WORDS, True)]
    assert server.requests[-1].query == {}
    client.flavors.offers("distributed", "nlp", 4, all=True)
    assert server.requests[-1].query == {
        "class": ["distributed"],
        "project": ["nlp"],
        "count": ["4"],
        "all": ["true"],
    }


def test_flavors_are_made_from_a_node(server: FakeServer, client: Client):
    server.on("POST", "flavors/generate", {"items": [{"flavor": ONE, "exists": True}], "text": WORDS})
    made = client.flavors.generate("n1", counts=[1, 2], system={"cpus": 4}, preview=True)
    assert made == [flavors.FlavorProposal(FLAVOR, True)]
    assert server.requests[-1].json() == {
        "node": "n1",
        "preview": True,
        "counts": [1, 2],
        "system": {"cpus": 4},
    }


def test_a_recommendation_has_its_grounds(server: FakeServer, client: Client):
    measured = {"runs": 3, "cpus": 3.1, "memory": 7, "gpu_use": None, "gpu_memory": None, "news": 1}
    items = [{"flavor": ONE, "text": WORDS}]
    server.on("GET", "flavors/recommend", {"job": "01", "measured": measured, "items": items, "text": WORDS})
    found = client.flavors.recommend("mine")
    assert (found.measured, found.items) == (
        flavors.FlavorMeasured(3, 3.1, 7),
        (flavors.FlavorChoice(FLAVOR, WORDS),),
    )
    server.on("GET", "flavors/recommend", {"job": "01", "measured": None, "items": [], "text": WORDS})
    assert client.flavors.recommend("mine").measured is None


def test_many_are_changed_and_removed(server: FakeServer, client: Client):
    server.on("PATCH", "flavors", {"items": [{"name": "a", "ok": True, "error": None}]})
    assert client.flavors.edit_many(["a"], classes=["single"]) == [flavors.FlavorEdited("a", True)]
    assert server.requests[-1].json() == {"names": ["a"], "classes": ["single"]}
    server.on("POST", "flavors/delete", {"items": [{"name": "a", "used_by": 2, "ok": True, "error": None}]})
    assert client.flavors.delete_many(["a"], preview=True) == [flavors.FlavorDeleted("a", ok=True, used_by=2)]
    assert server.requests[-1].json() == {"names": ["a"], "preview": True}
