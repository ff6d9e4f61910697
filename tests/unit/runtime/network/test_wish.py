"""What a task.json says of its network."""

import pytest

from danlu.runtime.network.wish import NetworkWish, read_wish
from danlu.runtime.task import CannotStart


@pytest.mark.parametrize("said", [None, "host"])
def test_without_a_word_the_network_is_the_machine_s(said):
    assert read_wish(said) is None


def test_a_word_is_a_policy():
    assert read_wish("none") == NetworkWish("none", None, 0, (), False)


def test_all_that_can_be_said():
    fields = {"policy": "registries", "danlu": ["127.0.0.1", 8910], "proxy": 919, "allow": ["pypi.org"]}
    assert read_wish(fields) == NetworkWish("registries", ("127.0.0.1", 8910), 919, ("pypi.org",), False)


@pytest.mark.parametrize(
    "said",
    ["some", {}, {"policy": "everything"}, {"policy": "none", "danlu": ["127.0.0.1", 0]}, ["none"], 5],
)
def test_what_is_not_understood_is_no_wider_network(said):
    with pytest.raises(CannotStart, match="network"):
        read_wish(said)
