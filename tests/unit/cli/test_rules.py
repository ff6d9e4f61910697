"""What the commands that govern ask of the server and what they print."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.fakes.http_server import FakeServer, Reply, problem
from tests.unit.cli.conftest import Danlu

PROJECT = {
    "name": "nlp",
    "weight": 2.0,
    "guarantee": {"A100": 8, "memory": 2**40},
    "cap": {},
    "closed": True,
    "reclaimable": True,
    "node_selector": {"org": "nlp"},
    "priorities": [],
    "description": "Words",
    "creator": "ann",
    "open": False,
    "default_flavor": "a100-1",
    "default_image": "",
    "members": 3,
    "my_role": "creator",
}
PRIORITY = {"name": "urgent", "value": 400, "may_preempt": True, "may_be_preempted": False, "groups": ["leads"], "projects": [], "description": "", "needs_reason": True, "budget": 40}  # fmt: skip
POOL = {"name": "big", "classes": ["distributed"], "description": "Racks"}
FLAVOR: dict[str, Any] = {"name": "a100-1", "resources": {"cpus": 8, "memory": "64GiB", "gpus": 1, "gpu": "A100", "shm": "0B", "rdma": False}, "classes": [], "description": ""}  # fmt: skip
LIMIT = {"name": "most", "user": "*", "project": None, "class": "single", "gpus": 8, "max_time": None}
NODES = [{"name": "a100-0", "pool": "big"}, {"name": "a100-1", "pool": "default"}]
LISTS: dict[str, tuple[str, dict[str, Any], str]] = {
    "project": ("projects", PROJECT, "nlp 2 8 A100, 1 TiB memory closed 3 creator Words"),
    "priority": ("priorities", PRIORITY, "urgent 400 yes no leads all needed 40h"),
    "pool": ("pools", POOL, "big distributed 1 Racks"),
    "flavor": ("flavors", FLAVOR, "a100-1 1 A100 8 64GiB all"),
    "limit": ("limits", LIMIT, "most each all single 8 -"),
}


@pytest.mark.parametrize("noun", LISTS)
def test_a_list_is_aligned_text_or_what_the_server_said(danlu: Danlu, server: FakeServer, noun):
    path, one, expected = LISTS[noun]
    server.on("GET", path, {"items": [one], "next_cursor": None})
    server.on("GET", "nodes", {"items": NODES})
    lines = danlu(noun, "ls").out.splitlines()
    assert lines[0].startswith("NAME")
    assert lines[1].split() == expected.split()
    assert json.loads(danlu(noun, "ls", "--json").out) == {"items": [one]}


@pytest.mark.parametrize("noun", LISTS)
def test_an_empty_list_says_what_to_do(danlu: Danlu, server: FakeServer, noun):
    server.on("GET", LISTS[noun][0], {"items": [], "next_cursor": None})
    server.on("GET", "nodes", {"items": []})
    result = danlu(noun, "ls")
    assert (result.code, result.out) == (0, "")
    assert f"danlu {noun} create" in result.err


def test_a_long_list_comes_whole(danlu: Danlu, server: FakeServer):
    first = {"items": [POOL], "next_cursor": "big"}
    server.on("GET", "pools", first, {"items": [{**POOL, "name": "small"}], "next_cursor": None})
    assert [one["name"] for one in json.loads(danlu("pool", "ls", "--json").out)["items"]] == ["big", "small"]


def test_a_project_is_shown_with_all_that_holds_for_it(danlu: Danlu, server: FakeServer):
    server.on("GET", "projects/nlp", PROJECT)
    said = danlu("project", "show", "nlp").out
    assert "8 A100, 1 TiB memory" in said
    assert "org=nlp" in said
    assert json.loads(danlu("project", "show", "nlp", "--json").out) == PROJECT
    server.on("GET", "projects/nlp", {**PROJECT, "weight": None})
    assert "it uses the share of public" in danlu("project", "show", "nlp").out
    shown = [line.split() for line in said.splitlines()]
    assert ["default", "flavor", "a100-1"] in shown
    assert ["members", "3"] in shown
    server.on("GET", "projects/nlp", {**PROJECT, "open": True})
    assert ["members", "everybody"] in [
        line.split() for line in danlu("project", "show", "nlp").out.splitlines()
    ]


SENT = [
    ("project create nlp", {"name": "nlp"}),
    (
        "project create nlp --weight 2 --guarantee A100=16,cpus=200.5,memory=1TiB --cap gpus=32 --closed "
        "--no-reclaimable --selector org=public --priorities low,normal --description Words",
        {"name": "nlp", "weight": 2.0, "guarantee": {"A100": 16, "cpus": 200.5, "memory": "1TiB"}, "cap": {"gpus": 32},
         "closed": True, "reclaimable": False, "node_selector": {"org": "public"}, "priorities": ["low", "normal"],
         "description": "Words"},
    ),
    ("project edit nlp --open --reclaimable --no-weight --cap=", {"closed": False, "reclaimable": True, "weight": None, "cap": {}}),
    ("project edit nlp --everybody --default-flavor a100-1 --default-image=",
     {"open": True, "default_flavor": "a100-1", "default_image": ""}),
    ("project create nlp --members-only", {"name": "nlp", "open": False}),
    ("project create nlp --cluster east", {"name": "nlp", "node_selector": {"cluster": "east"}}),
    ("project edit nlp --cluster east", {"node_selector": {"org": "nlp", "cluster": "east"}}),
    ("project edit nlp --cluster=", {"node_selector": {"org": "nlp"}}),
    ("project edit nlp --cluster east --selector rack=r1", {"node_selector": {"rack": "r1", "cluster": "east"}}),
    ("project edit nlp --selector= --priorities=", {"node_selector": {}, "priorities": []}),
    ("priority create urgent --value 400 --may-preempt --not-preemptible --groups leads,nlp",
     {"name": "urgent", "value": 400, "may_preempt": True, "may_be_preempted": False, "groups": ["leads", "nlp"]}),
    ("priority edit urgent --projects= --preemptible", {"projects": [], "may_be_preempted": True}),
    ("priority create urgent --value 400 --needs-reason --budget 40.5", {"name": "urgent", "value": 400, "needs_reason": True, "budget": 40.5}),
    ("priority edit urgent --no-reason --budget none", {"needs_reason": False, "budget": None}),
    ("pool create big --classes distributed,service", {"name": "big", "classes": ["distributed", "service"]}),
    ("pool edit big --description Racks", {"description": "Racks"}),
    ("flavor create a100-1 --gpus 1 --gpu A100 --memory 64GiB --classes single",
     {"name": "a100-1", "resources": {"gpus": 1.0, "gpu": "A100", "memory": "64GiB"}, "classes": ["single"]}),
    ("flavor edit a100-1 --cpus 16", {"resources": {**FLAVOR["resources"], "cpus": 16.0}}),
    ("flavor set a100-1 --description One", {"description": "One"}),
    ("limit create most --gpus 8", {"name": "most", "gpus": 8.0}),
    ("limit create most --user all --project each --class single --max-time 12h",
     {"name": "most", "user": None, "project": "*", "class": "single", "max_time": "12h"}),
    ("limit edit most --user ann --class all --no-gpus --max-time 1d", {"user": "ann", "class": None, "gpus": None, "max_time": "1d"}),
]  # fmt: skip


@pytest.mark.parametrize(("line", "body"), SENT, ids=[line for line, _ in SENT])
def test_options_become_what_is_sent(danlu: Danlu, server: FakeServer, line, body):
    noun, verb, name, *_ = line.split()
    path = LISTS[noun][0]
    server.on("GET", f"flavors/{name}", FLAVOR)
    server.on("GET", f"projects/{name}", PROJECT)
    server.on("POST", path, Reply(201, {"name": name}))
    server.on("PATCH", f"{path}/{name}", {"name": name})
    result = danlu(*line.split())
    assert result.code == 0, result.err
    assert name in result.err
    (sent,) = server.asked(*(("POST", path) if verb == "create" else ("PATCH", f"{path}/{name}")))
    assert sent.json() == body
    assert json.loads(danlu(*line.split(), "--json").out) == {"name": name}


@pytest.mark.parametrize("noun", LISTS)
def test_changing_nothing_is_wrong_use(danlu: Danlu, server: FakeServer, noun):
    result = danlu(noun, "edit", "x")
    assert (result.code, server.requests) == (2, [])
    assert "nothing to change: give --" in result.err
    assert "--description" in result.err or noun == "limit"
    assert "--json" not in result.err


FORMER = [(line, line.replace(" create ", " add ").replace(" edit ", " set ")) for line, _ in SENT]


@pytest.mark.parametrize(("line", "former"), FORMER, ids=[line for _, line in FORMER])
def test_a_former_verb_does_the_same_and_names_the_present_one(
    danlu: Danlu, server: FakeServer, line, former
):
    noun, _, name, *_ = line.split()
    path = LISTS[noun][0]
    server.on("GET", f"flavors/{name}", FLAVOR)
    server.on("GET", f"projects/{name}", PROJECT)
    server.on("POST", path, Reply(201, {"name": name}))
    server.on("PATCH", f"{path}/{name}", {"name": name})
    present, formerly = danlu(*line.split()), danlu(*former.split())
    old, new = (f"danlu {noun} {one.split()[1]}" for one in (former, line))
    hint = f"'{old}' is now '{new}'.\n" if old != new else ""
    assert (formerly.code, formerly.err.replace(hint, "", 1)) == (0, present.err)
    assert formerly.err.startswith(hint)
    half = len(server.requests) // 2
    bodies = [(one.method, one.path, one.body) for one in server.requests]
    assert bodies[:half] == bodies[half:]


@pytest.mark.parametrize("noun", LISTS)
def test_former_verbs_are_not_listed(danlu: Danlu, noun):
    listed = [
        line.split()[0] for line in danlu(noun, "--help").out.partition("Commands:")[2].splitlines() if line
    ]
    assert set(listed) >= {"ls", "show", "create", "edit", "rm"}
    assert not {"add", "set"} & set(listed)


@pytest.mark.parametrize("noun", LISTS)
def test_one_of_them_is_shown(danlu: Danlu, server: FakeServer, noun):
    path, one = LISTS[noun][:2]
    server.on("GET", f"{path}/{one['name']}", one)
    shown = danlu(noun, "show", one["name"])
    assert shown.code == 0
    assert shown.out.splitlines()[0].split() == ["name", one["name"]]
    assert json.loads(danlu(noun, "show", one["name"], "--json").out) == one


@pytest.mark.parametrize(
    ("former", "now"),
    [
        ("cluster add", "cluster create"),
        ("cluster set", "cluster edit"),
        ("maintenance add", "maintenance create"),
        ("maintenance set", "maintenance edit"),
        ("quota set", "quota edit"),
        ("flavor set", "flavor edit"),
    ],
)
def test_a_former_verb_with_a_mistake_names_the_present_one_too(danlu: Danlu, former, now):
    start = ["--start", "22:00"] if former == "maintenance add" else []
    result = danlu(*former.split(), "x", *start)
    assert result.code == 2
    assert result.err.startswith(f"'danlu {former}' is now 'danlu {now}'.\n")


def test_adding_to_a_group_is_about_people(danlu: Danlu, server: FakeServer):
    server.on("POST", "groups/nlp/members", {"changed": ["lin"], "already": [], "unknown": []})
    assert danlu("group", "add-members", "nlp", "lin").err == "Added to nlp: lin.\n"
    former = danlu("group", "add", "nlp", "lin").err
    assert former == "'danlu group add' is now 'danlu group add-members'.\nAdded to nlp: lin.\n"
    assert {one.path for one in server.requests} == {"/api/v1/groups/nlp/members"}


def test_sizes_are_of_one_flavor(danlu: Danlu, server: FakeServer):
    result = danlu("flavor", "edit", "a", "b", "--cpus", "4")
    assert (result.code, server.requests) == (2, [])
    assert "change sizes one flavor at a time" in result.err


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--cap=A100", "'A100' is not of the form NAME=VALUE"),
        ("--guarantee=A100=many", "'many' is not a number"),
        ("--selector==x", "'=x' is not of the form"),
        ("--weight=heavy", "heavy"),
    ],
)
def test_a_misspelt_amount_is_wrong_use(danlu: Danlu, server: FakeServer, option, words):
    result = danlu("project", "edit", "nlp", option)
    assert (result.code, server.requests) == (2, [])
    assert words in result.err


@pytest.mark.parametrize("noun", LISTS)
def test_removal_is_told(danlu: Danlu, server: FakeServer, noun):
    server.on("DELETE", f"{LISTS[noun][0]}/x", Reply(204))
    result = danlu(noun, "rm", "x", "--yes")
    assert (result.code, result.out) == (0, "")
    assert "Removed" in result.err


def test_what_is_in_use_is_not_removed_and_the_server_says_why(danlu: Danlu, server: FakeServer):
    server.on("DELETE", "pools/big", problem(409, "conflict", "pool big is used by node a100-0"))
    result = danlu("pool", "rm", "big", "-y")
    assert result.code == 1
    assert "used by node a100-0" in result.err


def test_every_mistake_the_server_finds_is_shown_at_its_field(danlu: Danlu, server: FakeServer):
    wrong = [{"loc": ["guarantee", "gpu"], "code": "no_such_resource", "message": "'gpu' is no resource", "hint": "did you mean 'gpus'?"}]  # fmt: skip
    server.on("POST", "projects", problem(422, "invalid", "1 error in the request", wrong))
    result = danlu("project", "create", "nlp", "--guarantee", "gpu=1")
    assert result.code == 2
    assert "guarantee.gpu: 'gpu' is no resource (did you mean 'gpus'?)" in result.err


# ── nodes ────────────────────────────────────────────────────────────────────────────────────────────


def test_labels_are_given_and_taken_away(danlu: Danlu, server: FakeServer):
    server.on("PATCH", "nodes/a", {"name": "a", "labels": {"rack": "r1"}})
    result = danlu("label", "a", "rack=r1", "note=", "org-")
    assert (result.code, result.err) == (0, "a: rack=r1\n")
    assert server.requests[0].json() == {"labels": {"rack": "r1", "note": "", "org": None}}
    for wrong in ("rack", "-", "=x"):
        assert danlu("label", "a", wrong).code == 2
    assert len(server.requests) == 1


def test_people_are_given_groups(danlu: Danlu, server: FakeServer):
    server.on("POST", "users", Reply(201, {"name": "ann", "role": "engineer"}))
    server.on("PATCH", "users/ann", {"name": "ann", "role": "engineer"})
    danlu("user", "create", "ann", "--groups", "nlp,leads")
    danlu("user", "edit", "ann", "--groups", "")
    assert [one.json() for one in server.requests] == [
        {"name": "ann", "role": "engineer", "groups": ["nlp", "leads"]},
        {"groups": []},
    ]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("project new x", "danlu project create"),
        ("project update x", "danlu project edit"),
        ("quota create x", "danlu quota edit"),
        ("project delete x", "danlu project rm"),
        ("user add x", "danlu user create"),
        ("user set x", "danlu user edit"),
        ("projects", "danlu project"),
        ("windows", "danlu maintenance"),
    ],
)
def test_words_of_other_tools_lead_to_ours(danlu: Danlu, line, meant):
    result = danlu(*line.split())
    assert result.code == 2
    assert f"Did you mean '{meant}'?" in result.err
