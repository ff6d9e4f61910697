"""Both versions of control groups, on machines that are only written down."""

import errno
import os

import pytest

from danlu.runtime.isolation import cgroup_v1, cgroup_v2, cgroups
from danlu.runtime.isolation.cgroups import CgroupLimits, CgroupMount, NoCgroups

LIMITS = CgroupLimits(memory=1 << 30, cpu_milli=1500, pids=64)


class Kernel:
    """Files with content, and what was written to them."""

    def __init__(self, files, forbidden=()):
        self.files, self.forbidden, self.written = dict(files), forbidden, {}

    def read(self, path):
        return self.files.get(path, "")

    def write(self, path, value):
        if path in self.forbidden:
            raise OSError(errno.EBUSY, "Device or resource busy")
        self.written[path] = value

    def make(self, path, exist_ok):
        if path in self.forbidden:
            raise PermissionError(errno.EACCES, "Permission denied", path)


@pytest.fixture
def kernel(monkeypatch):
    def install(files, forbidden=()):
        made = Kernel(files, forbidden)
        monkeypatch.setattr(cgroups, "read", made.read)
        monkeypatch.setattr(cgroups, "write", made.write)
        monkeypatch.setattr(cgroups, "remove_directory", lambda _: True)
        monkeypatch.setattr(cgroups, "clear", lambda _: None)
        monkeypatch.setattr(os, "makedirs", made.make)
        return made

    return install


MOUNTS = """\
30 25 0:26 / /cg/memory rw - cgroup cgroup rw,memory
31 25 0:27 / /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct
32 25 0:28 / /cg/freezer rw - cgroup cgroup rw,freezer
33 25 0:29 / /cg/unified rw - cgroup2 cgroup2 rw
34 25 0:30 / /proc rw - proc proc rw
"""
OWN = "4:memory:/box\n3:cpu,cpuacct:/\n2:freezer:/\n0::/\n"


@pytest.fixture
def old_machine(kernel, monkeypatch):
    monkeypatch.setattr(os.path, "isdir", lambda _: True)
    return lambda **options: kernel({"/proc/self/mountinfo": MOUNTS, "/proc/self/cgroup": OWN}, **options)


def test_hierarchies_are_found_by_controller_at_our_own_group(old_machine):
    old_machine()
    assert cgroups.mounts("cgroup")["memory"] == CgroupMount("/cg/memory", "/cg/memory/box")
    assert cgroups.mounts("cgroup")["cpuacct"] == CgroupMount("/cg/cpu", "/cg/cpu")
    assert cgroups.mounts("cgroup2") == {"": CgroupMount("/cg/unified", "/cg/unified")}


def test_version_1_limits_with_the_controllers_there_are(old_machine):
    kernel = old_machine()
    group = cgroup_v1.find("danlu-x").create("a.t", LIMITS, freezable=True)
    assert group.directories == [
        "/cg/memory/box/danlu-x/a.t",
        "/cg/cpu/danlu-x/a.t",
        "/cg/freezer/danlu-x/a.t",
    ]
    assert kernel.written == {
        "/cg/memory/box/danlu-x/a.t/memory.limit_in_bytes": str(1 << 30),
        "/cg/cpu/danlu-x/a.t/cpu.cfs_period_us": "100000",
        "/cg/cpu/danlu-x/a.t/cpu.cfs_quota_us": "150000",
    }
    group.join()
    assert kernel.written["/cg/cpu/danlu-x/a.t/cgroup.procs"] == "0"
    group.leave()
    assert kernel.written["/cg/memory/box/cgroup.procs"] == "0"


def test_version_1_that_cannot_be_written_says_why(old_machine):
    old_machine(forbidden=["/cg/memory/box/danlu-x"])
    with pytest.raises(NoCgroups, match="cannot be written: Permission denied"):
        cgroup_v1.find("danlu-x")


def test_a_kill_for_lack_of_memory_is_counted_in_both_versions(kernel):
    kernel(
        {
            "/1/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n",
            "/1/memory.max_usage_in_bytes": "4096\n",
            "/2/memory.events": "low 0\noom 3\noom_kill 1\n",
            "/2/memory.peak": "8192\n",
        }
    )
    old, new = cgroup_v1.GroupV1(["/1"], []), cgroup_v2.GroupV2(["/2"], [])
    assert (old.oom_kills(), old.memory_peak()) == (2, 4096)
    assert (new.oom_kills(), new.memory_peak()) == (1, 8192)


def test_memory_in_use_is_without_the_page_cache_but_with_files_kept_in_memory(kernel):
    kernel(
        {
            "/1/memory.usage_in_bytes": "1000\n",
            "/1/memory.stat": "cache 1\nshmem 1\ntotal_cache 700\ntotal_shmem 200\n",
            "/2/memory.current": "2000\n",
            "/2/memory.stat": "anon 900\nfile 800\nshmem 300\n",
            "/3/memory.current": "5\n",
            "/3/memory.stat": "file 9\n",
        }
    )
    assert cgroup_v1.GroupV1(["/1"], []).memory_used() == 500
    assert cgroup_v2.GroupV2(["/2"], []).memory_used() == 1500
    assert cgroup_v2.GroupV2(["/3"], []).memory_used() == 0, "the two files are read one after the other"
    assert cgroup_v1.GroupV1(["/gone"], []).memory_used() is None
    assert cgroup_v2.GroupV2(["/gone"], []).memory_used() is None


def test_processor_time_is_read_where_it_is_counted(kernel):
    kernel(
        {
            "/cpu,cpuacct/a/cpuacct.usage": "1500000000\n",
            "/2/cpu.stat": "usage_usec 2500000\nuser_usec 2000000\n",
        }
    )
    assert cgroup_v1.GroupV1(["/memory/a", "/cpu,cpuacct/a"], []).cpu_us() == 1_500_000
    assert cgroup_v1.GroupV1(["/memory/a", "/cpu/a"], []).cpu_us() is None
    assert cgroup_v2.GroupV2(["/2"], []).cpu_us() == 2_500_000
    assert cgroup_v2.GroupV2(["/gone"], []).cpu_us() is None


def test_version_2_hands_controllers_down_and_limits(kernel):
    written = kernel(
        {"/cg/cgroup.controllers": "cpuset cpu memory pids", "/cg/cgroup.subtree_control": "memory"}
    )
    driver = cgroup_v2.find_below(CgroupMount("/cg", "/cg"), "danlu-x")
    driver.create("a.t", LIMITS, freezable=True)
    assert written.written == {
        "/cg/cgroup.subtree_control": "+cpu +pids",
        "/cg/danlu-x/cgroup.subtree_control": "+memory +cpu +pids",
        "/cg/danlu-x/a.t/memory.max": str(1 << 30),
        "/cg/danlu-x/a.t/cpu.max": "150000 100000",
        "/cg/danlu-x/a.t/pids.max": "64",
    }


def test_version_2_goes_up_where_our_own_group_cannot_have_children(kernel):
    controllers = {f"/cg{path}/cgroup.controllers": "memory pids" for path in ("", "/user", "/user/us")}
    written = kernel(controllers, forbidden=["/cg/user/us/cgroup.subtree_control"])
    driver = cgroup_v2.find_below(CgroupMount("/cg", "/cg/user/us"), "danlu-x")
    group = driver.create("a.t", LIMITS, freezable=True)
    assert group.directories == ["/cg/user/danlu-x/a.t"]
    assert "/cg/user/danlu-x/a.t/cpu.max" not in written.written
    group.leave()
    assert written.written["/cg/user/us/cgroup.procs"] == "0"


def test_version_2_without_a_memory_controller_says_so(kernel):
    kernel({"/cg/cgroup.controllers": "hugetlb"})
    with pytest.raises(NoCgroups, match="no memory controller"):
        cgroup_v2.find_below(CgroupMount("/cg", "/cg"), "danlu-x")
