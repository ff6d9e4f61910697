"""What a task can see and do under bubblewrap."""

from pathlib import Path

from .conftest import until


def test_the_data_directory_is_hidden(runs):
    task = runs.start(command=f"ls {runs.path}; ls {runs.base}; cat {runs.path}/*/*/task.json; pwd")
    task.exited()
    assert task.output().decode() == f"attempt{task.name[7:].split('/')[0]}\nruns\n{task.work}\n"
    assert b"No such file" in task.output("e")


def test_without_a_sandbox_the_data_directory_is_seen_and_the_record_admits_it(runs):
    task = runs.start(command=f"cat {runs.path}/*/*/task.json", isolation={"bubblewrap": False})
    assert task.exited()["code"] == 0
    assert not task.find("running")["isolation"]["level"].startswith("sandbox")


def test_hidden_paths_are_covered_inside_what_is_bound(runs, tmp_path):
    (tmp_path / "open").mkdir()
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("x")
    task = runs.start(
        command=f"ls {tmp_path}; ls {tmp_path}/secret; touch {tmp_path}/x",
        binds=[[str(tmp_path), str(tmp_path), "ro"]],
        hidden=[str(tmp_path / "secret")],
    )
    task.exited()
    assert task.output() == b"open\nsecret\n"
    assert b"Read-only" in task.output("e")


def test_a_volume_bound_for_writing_can_be_written(runs, tmp_path):
    task = runs.start(command="echo x > /data/file", binds=[[str(tmp_path), "/data", "rw"]])
    assert task.exited()["code"] == 0
    assert (tmp_path / "file").read_text() == "x\n"


def test_the_system_is_read_only_and_its_secrets_are_empty(runs):
    task = runs.start(command="touch /usr/x; touch /etc/x; cat /etc/shadow; echo end")
    task.exited()
    assert task.output() == b"end\n"
    assert task.output("e").count(b"Read-only") == 2


def test_no_privileges_are_left(runs):
    task = runs.start(
        command="grep -E 'Cap(Eff|Prm|Inh|Amb)|NoNewPrivs' /proc/self/status; mount -t tmpfs x /mnt"
    )
    assert task.exited()["code"] != 0
    lines = dict(line.split(":\t") for line in task.output().decode().splitlines())
    assert lines.pop("NoNewPrivs") == "1"
    assert {int(value, 16) for value in lines.values()} == {0}


def test_processes_outside_are_out_of_sight(runs):
    task = runs.start(command="ls -d /proc/[0-9]* | wc -l")
    task.exited()
    assert int(task.output()) < 8


def test_shared_memory_has_the_size_asked_for(runs):
    task = runs.start(
        command="df -B1 --output=size /dev/shm | tail -1; stat -c %a /dev/shm", limits={"shm": 1 << 26}
    )
    task.exited()
    assert task.output().split() == [str(1 << 26).encode(), b"1777"]


def test_a_host_name_of_its_own_resolves(runs):
    task = runs.start(
        command="hostname; getent hosts me; getent hosts other",
        hostname="me",
        hosts=[["127.0.7.1", "me"], ["127.0.7.2", "other"]],
    )
    assert task.exited()["code"] == 0
    assert task.output().split() == [b"me", b"127.0.7.1", b"me", b"127.0.7.2", b"other"]


def test_the_network_can_be_taken_away(runs):
    task = runs.start(command="cat /proc/net/route | wc -l; ls /sys/class/net || true", network="none")
    task.exited()
    assert task.output().split()[0] == b"1"


def test_the_environment_is_the_task_s_own_and_not_on_a_command_line(runs):
    task = runs.start(command="env; sleep 1000", env={"SECRET": "s3cr3t", "LD_PRELOAD": "/nonexistent.so"})
    supervisor = task.wait_for("running") and task.records()[0]["supervisor"]
    until(lambda: task.log.exists() and b"SECRET" in task.output(), "the environment")
    children = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split()
    for pid in children:
        assert b"s3cr3t" not in Path(f"/proc/{pid}/cmdline").read_bytes()
        assert b"LD_PRELOAD" not in Path(f"/proc/{pid}/environ").read_bytes()
    task.stop()
    task.exited()
    names = {line.split(b"=")[0] for line in task.output().splitlines()}
    assert names == {b"SECRET", b"LD_PRELOAD", b"PATH", b"HOME", b"PWD", b"DANLU_SUPERVISED", b"_"} - (
        {b"_"} if b"_" not in names else set()
    )
