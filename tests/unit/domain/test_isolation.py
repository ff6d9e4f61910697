"""How tasks are kept apart, in words."""

from __future__ import annotations

import pytest

from danlu.domain.isolation import PODS, SIMULATED, Ability, IsolationForm, Lack, LackCause, TaskIsolation


@pytest.mark.parametrize("ability", Ability)
@pytest.mark.parametrize("cause", LackCause)
def test_every_lack_has_words_and_a_remedy(ability: Ability, cause: LackCause) -> None:
    lack = Lack(ability, cause, "read-only file system")
    for words in (lack.text, lack.fix):
        assert words.en
        assert words.zh
        assert words.en != words.zh
        assert "{" not in words.en + words.zh


def test_what_tasks_are_is_said_with_what_protects_them() -> None:
    told = TaskIsolation(IsolationForm.SANDBOX, (Ability.SANDBOX, Ability.CGROUP, Ability.OWN_USERS))
    assert told.text.en == "in a sandbox, limited by control groups, as a user per person"
    assert told.text.zh == "在沙箱中运行，受控制组限制，每人使用各自的系统用户"
    assert "root" in TaskIsolation(IsolationForm.PROCESS, root=True).text.en


def test_pods_and_simulations_share_no_user_of_this_machine() -> None:
    assert not PODS.one_user
    assert not SIMULATED.one_user
    assert TaskIsolation(IsolationForm.PROCESS).one_user


def test_what_a_machine_lacks_for_the_internet_is_told_in_both_languages() -> None:
    lack = Lack(Ability.INTERNET, LackCause.NOT_WORKING, "no_forwarding")
    assert lack.text.en.endswith(": the machine does not forward packets")
    assert lack.text.zh.endswith("：本机未开启数据包转发")
    unknown = Lack(Ability.INTERNET, LackCause.NOT_WORKING, "iptables: no such device")
    assert unknown.text.zh.endswith("：iptables: no such device")
