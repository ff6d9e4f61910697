"""What a pod's status says, in Danlu's words."""

from __future__ import annotations

import json

import pytest

from danlu.domain.quantity import GIB
from danlu.domain.reasons import (
    BucketNotCopied,
    CodeFailed,
    CommandNotFound,
    DatasetNotAvailable,
    DatasetNotCopied,
    EvictedByNode,
    ExitCode,
    ImagePullFailed,
    NodeLost,
    NotAdmitted,
    OutOfMemory,
    PreemptedElsewhere,
    Signal,
    StartFailed,
    VolumeMissing,
    VolumeNotAvailable,
)
from danlu.engines.kubernetes.objects.names import TOMBSTONE
from danlu.engines.kubernetes.tasks.conditions import Ended, SeenPod, disruption_of, seen
from danlu.engines.kubernetes.tasks.filling import progress_of
from tests.fakes.pods import (
    BORN,
    Json,
    condition,
    event,
    running,
    task_pod,
    terminated,
    waiting,
)

T = "worker-0"
IMAGE = "team/train:2"
CREATING = waiting("ContainerCreating")
NOT_FOUND = f'rpc error: code = NotFound desc = failed to pull and unpack image "{IMAGE}": failed to resolve reference "{IMAGE}": {IMAGE}: not found'
NO_ANSWER = f'failed to do request: Head "https://{IMAGE}": dial tcp: lookup team: no such host'


def read(pod: Json, *events: Json) -> SeenPod:
    return seen(pod, T, GIB, events, "{}.east".format)


def ended(pod: Json, *events: Json) -> Ended:
    found = read(pod, *events).ended
    assert found is not None
    return found


def ms(second: int) -> int:
    return (BORN + second) * 1000


# ── on the way ───────────────────────────────────────────────────────────────────────────────────────


def test_a_pod_nobody_has_placed_yet():
    found = read(task_pod(node=None))
    assert (found.node, found.ip, found.scheduled, found.step, found.refusal) == (None, None, False, "", "")
    assert (found.uid, found.created_at, found.started_at, found.ended) == ("u-1", ms(0), None, None)
    assert (found.terminating, found.tombstone, found.stuck) == (False, False, None)


def test_a_pod_that_was_just_made_has_no_status_at_all():
    pod = task_pod(node=None)
    del pod["status"]
    assert read(pod).step == ""


def test_the_schedulers_words_are_kept_while_no_node_takes_it():
    words = "0/2 nodes are available: 2 Insufficient nvidia.com/gpu."
    unplaced = condition("PodScheduled", "False", "Unschedulable", words)
    assert read(task_pod(node=None, conditions=(unplaced,))).refusal == words
    silent = condition("PodScheduled", "False", "SchedulingGated")
    assert read(task_pod(node=None, conditions=(silent,))).refusal == "SchedulingGated"
    wordless = condition("PodScheduled", "False")
    assert read(task_pod(node=None, conditions=(wordless,))).refusal == "it was not scheduled"


def test_a_refusal_is_forgotten_once_a_node_took_it():
    late = condition("PodScheduled", "False", "Unschedulable", "no room")
    assert read(task_pod(conditions=(late,))).refusal == ""


def test_a_placed_pod_names_its_node_and_address():
    found = read(task_pod(phase="Running", task=running(), podIP="10.2.0.8"))
    assert (found.node, found.ip, found.scheduled) == ("a1.east", "10.2.0.8", True)


@pytest.mark.parametrize(
    ("pod", "events", "step"),
    [
        (task_pod(), (), "scheduled"),
        (task_pod(task=CREATING), (), "scheduled"),
        (task_pod(task=CREATING), (event("Scheduled"),), "scheduled"),
        (task_pod(task=CREATING), (event("SuccessfulAttachVolume", second=6), event("Scheduled")), "mounting"),
        (task_pod(task=CREATING), (event("Scheduled"), event("Pulling", second=7)), "pulling"),
        (task_pod(task=CREATING), (event("Pulled", second=8), event("Pulling", second=7)), "starting"),
        (task_pod(task=waiting("PodInitializing"), fetch=running()), (), "fetching code"),
        (task_pod(task=waiting("PodInitializing"), fetch=terminated(0)), (), "starting"),
        (task_pod(task=waiting("PodInitializing"), fetch=terminated(0), fill=running()), (), "mounts"),
        (task_pod(task=waiting("PodInitializing"), fill=terminated(0)), (), "starting"),
        (task_pod(task=running()), (event("Pulling"),), ""),
        (task_pod(task=terminated(0)), (event("Pulling"),), ""),
    ],
)  # fmt: skip
def test_how_far_a_pod_is(pod, events, step):
    assert read(pod, *events).step == step


def test_a_running_task_says_since_when():
    found = read(task_pod(phase="Running", task=running(12)))
    assert (found.started_at, found.ended) == (ms(12), None)


def test_a_pod_that_is_being_deleted_or_never_meant_to_run_says_so():
    assert read(task_pod(deleted=True)).terminating
    assert read(task_pod(deleted=True)).asked_at == 1000 * (BORN + 60)
    assert read(task_pod()).asked_at is None
    stone = task_pod(node=None)
    stone["metadata"]["labels"][TOMBSTONE] = "true"
    assert read(stone).tombstone


# ── trouble on the way ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("ErrImagePull", NOT_FOUND),
        ("ErrImagePull", "manifest unknown: tag was deleted"),
        ("ErrImagePull", "pull access denied, repository does not exist or may require authorization"),
        ("ErrImagePull", "unexpected status code 401 Unauthorized"),
        ("ErrImagePull", "no match for platform in manifest"),
        ("ImagePullBackOff", f'Back-off pulling image "{IMAGE}": ErrImagePull: requested access to the resource is denied'),
        ("InvalidImageName", 'Failed to apply default image tag "A:B:C"'),
        ("ErrImageNeverPull", f'Container image "{IMAGE}" is not present with pull policy of Never'),
    ],
)  # fmt: skip
def test_an_image_that_can_never_be_pulled_ends_the_task(word, said):
    found = read(task_pod(task=waiting(word, said), conditions=(condition("Ready", "False", second=9),)))
    assert found.ended == Ended(ms(9), ImagePullFailed(T, IMAGE, said), None, lingers=True)
    assert found.stuck is None


@pytest.mark.parametrize("word", ["ErrImagePull", "ImagePullBackOff", "RegistryUnavailable"])
def test_a_registry_that_does_not_answer_may_yet(word):
    found = read(task_pod(task=waiting(word, NO_ANSWER)))
    assert found.ended is None
    assert found.stuck == ImagePullFailed(T, IMAGE, NO_ANSWER)
    assert found.step == f"pulling: {NO_ANSWER}"


def test_while_a_pull_is_put_off_events_tell_why():
    pod = task_pod(task=waiting("ImagePullBackOff", f'Back-off pulling image "{IMAGE}"'))
    assert read(pod).ended is None
    why = f'Failed to pull image "{IMAGE}": {NOT_FOUND}'
    reason = ended(pod, event("Failed", "Error: ErrImagePull", 7), event("Failed", why, 6)).reason
    assert isinstance(reason, ImagePullFailed)
    assert reason.message.startswith("Failed to pull image")


def test_an_image_whose_name_says_denied_is_not_denied():
    pod = task_pod(task=waiting("ErrImagePull", "lookup access-denied/x: no such host"))
    pod["spec"]["containers"][0]["image"] = "access-denied/x"
    assert read(pod).ended is None


def test_the_helpers_image_is_named_when_it_is_the_one():
    pod = task_pod(task=waiting("PodInitializing"), fetch=waiting("ErrImagePull", "danlu:1: not found"))
    assert ended(pod).reason == ImagePullFailed(T, "danlu:1", "danlu:1: not found")


@pytest.mark.parametrize("word", ["CreateContainerConfigError", "CreateContainerError", "RunContainerError"])
def test_a_container_that_cannot_be_made_ends_the_task(word):
    found = ended(task_pod(task=waiting(word, 'secret "x" not\nfound')))
    assert (found.reason, found.lingers) == (StartFailed(T, 'secret "x" not found'), True)


@pytest.mark.parametrize(
    ("word", "said"), [("CreateContainerError", "context deadline exceeded"), ("PreCreateHookError", "")]
)
def test_what_may_pass_is_waited_for(word, said):
    found = read(task_pod(task=waiting(word, said)))
    assert (found.ended, found.stuck) == (None, StartFailed(T, said or word))
    assert found.step == f"starting: {said or word}"


@pytest.mark.parametrize(
    "said",
    [
        '0/2 nodes are available: 2 persistentvolumeclaim "data" not found.',
        'persistentvolumeclaim "data" is being deleted',
    ],
)
def test_a_claim_that_does_not_exist_ends_the_task(said):
    unplaced = condition("PodScheduled", "False", "Unschedulable", said, second=3)
    found = ended(task_pod(node=None, conditions=(unplaced,)))
    assert found == Ended(ms(3), VolumeMissing(T, "data", said), None, lingers=True)


@pytest.mark.parametrize(
    ("said", "claims", "reason"),
    [
        ("Unable to attach or mount volumes: unmounted volumes=[mount-1], unattached volumes=[mount-0 mount-1]: timed out", ("data", "out"), VolumeMissing),
        ("Unable to attach or mount volumes: unmounted volumes=[hosts], unattached volumes=[hosts mount-0]: timed out", ("out",), StartFailed),
        ('MountVolume.SetUp failed for volume "pvc-81" : mount failed: exit status 32', ("out",), VolumeMissing),
        ('MountVolume.SetUp failed for volume "pvc-81" : mount failed: exit status 32', ("data", "out"), StartFailed),
    ],
)  # fmt: skip
def test_a_volume_that_cannot_be_mounted_is_told_and_waited_for(said, claims, reason):
    found = read(task_pod(task=CREATING, claims=claims), event("Scheduled"), event("FailedMount", said, 8))
    assert (found.ended, found.step) == (None, f"mounting: {said}")
    assert found.stuck == (reason(T, "out", said) if reason is VolumeMissing else reason(T, said))


def test_a_mount_that_came_about_is_no_trouble_any_more():
    found = read(task_pod(task=CREATING), event("FailedMount", "not yet", 6), event("Pulling", "", 9))
    assert (found.step, found.stuck) == ("pulling", None)


def test_a_long_message_is_cut():
    reason = ended(task_pod(task=waiting("RunContainerError", "x" * 1000))).reason
    assert isinstance(reason, StartFailed)
    assert len(reason.message) == 300


# ── ends ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("state", "reason", "code"),
    [
        (terminated(0), None, 0),
        (terminated(0, "OOMKilled"), None, 0),
        (terminated(3), ExitCode(T, 3), 3),
        (terminated(128), ExitCode(T, 128), 128),
        (terminated(255), ExitCode(T, 255), 255),
        (terminated(143), Signal(T, "SIGTERM"), None),
        (terminated(137), Signal(T, "SIGKILL"), None),
        (terminated(139, signal=11), Signal(T, "SIGSEGV"), None),
        (terminated(128 + 33), Signal(T, "33"), None),
        (terminated(137, "OOMKilled"), OutOfMemory(T, GIB), None),
        (terminated(1, "OOMKilled"), OutOfMemory(T, GIB), 1),
        (terminated(127, message="hello\ndanlu: 1: exec: pyhton: not found\n"), CommandNotFound(T, "command not found: pyhton"), 127),
        (terminated(127, message="bash: line 1: pyhton: command not found"), CommandNotFound(T, "command not found: pyhton"), 127),
        (terminated(127), CommandNotFound(T, "command not found"), 127),
        (terminated(128, "StartError", 'exec: "/bin/sh": no such file'), StartFailed(T, 'exec: "/bin/sh": no such file'), None),
        (terminated(128, "ContainerCannotRun"), StartFailed(T, "its container could not be started"), None),
        (terminated(137, "ContainerStatusUnknown", finishedAt=None), NodeLost(T, "a1.east"), None),
    ],
)  # fmt: skip
def test_how_a_task_ended(state, reason, code):
    found = ended(task_pod(phase="Failed", task=state, conditions=(condition("Ready", "False", second=60),)))
    assert found == Ended(ms(60), reason, code)


def test_an_end_that_the_kubelet_missed_is_one():
    """As it tells of a container that was gone before it looked: waiting, though it has ended."""
    pod = task_pod(
        phase="Failed", task=CREATING, deleted=True, conditions=(condition("Ready", "False", second=60),)
    )
    missed = terminated(137, "ContainerStatusUnknown", startedAt=None, finishedAt=None)
    pod["status"]["containerStatuses"][0]["lastState"] = missed
    assert ended(pod) == Ended(ms(60), NodeLost(T, "a1.east"), None)


def test_a_task_that_ended_says_when_it_began():
    assert read(task_pod(phase="Succeeded", task=terminated(0))).started_at == ms(10)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (terminated(1, message="Traceback\nno such revision\n\n"), "no such revision"),
        (terminated(137, "OOMKilled", "x"), "it takes more memory to unpack than the task asks for"),
        (terminated(137), "what fetches it ended with signal SIGKILL"),
        (terminated(2), "what fetches it ended with exit code 2"),
    ],
)
def test_code_that_could_not_be_fetched_ends_the_task(state, said):
    found = ended(task_pod(phase="Failed", task=waiting("PodInitializing"), fetch=state))
    assert found == Ended(ms(60), CodeFailed(T, said), None)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"kind": "dataset", "title": "lin:x@v1", "why": "damaged", "said": "'a'", "said_zh": "“a”"}, DatasetNotCopied(T, "lin:x@v1", "damaged", said="'a'", said_zh="“a”", node="a1.east")),
        ({"kind": "dataset", "title": "lin:x@v1", "why": "revoked"}, DatasetNotAvailable(T, "lin:x@v1", "lin", "a1.east")),
        ({"kind": "bucket", "title": "ann:pool", "why": "over_bound", "size": 9, "bound": 5}, BucketNotCopied(T, "over_bound", 9, 5, node="a1.east")),
        ({"kind": "bucket", "title": "ann:pool", "why": "revoked"}, VolumeNotAvailable(T, "ann:pool", "lin", "a1.east")),
        ({"kind": "bucket", "title": "p", "why": ["x"], "size": -1, "bound": "5", "said": 7}, BucketNotCopied(T, "", node="a1.east")),
    ],
)  # fmt: skip
def test_what_could_not_be_mounted_ends_the_task_by_its_own_reason(told, why):
    words = f"Traceback\ndanlu-not-filled {json.dumps(told)}\n"
    pod = task_pod(phase="Failed", task=waiting("PodInitializing"), fill=terminated(1, message=words))
    assert ended(pod) == Ended(ms(60), why, None)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (terminated(1, message="danlu-not-filled {[[["), "what it mounts could not be fetched: danlu-not-filled {[[["),
        (terminated(1, message="danlu-not-filled []"), "what it mounts could not be fetched: danlu-not-filled []"),
        (terminated(1, message="No module named 'danlu'"), "what it mounts could not be fetched: No module named 'danlu'"),
        (terminated(137, "OOMKilled"), "it takes more memory to fetch what is mounted than the task asks for"),
        (terminated(3), "what it mounts could not be fetched: exit code 3"),
    ],
)  # fmt: skip
def test_one_that_says_nothing_else_could_not_start(state, said):
    assert ended(task_pod(phase="Failed", fill=state)).reason == StartFailed(T, said)


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        ("", None),
        ("danlu-filling", None),
        ('danlu-filling {"kind": "dataset"}', None),
        ('danlu-filling {"kind": "tape", "title": "x", "percent": 1}', None),
        ('danlu-filling {"kind": "bucket", "title": "p", "percent": 900, "size": true}\n', (100, 1, "bucket_copied")),
        ('danlu-filling {"kind": "dataset", "title": "x@v1", "percent": 40, "size": 9}\nretrying\n', (40, 9, "dataset_copied")),
    ],
)  # fmt: skip
def test_how_far_it_is_with_what_it_mounts_is_what_its_container_printed_last(printed, told):
    found = progress_of(printed, "j-1", T)
    assert (found and (found.percent, found.size, found.step)) == told


@pytest.mark.parametrize(
    "word", ["OutOfcpu", "OutOfnvidia.com/gpu", "UnexpectedAdmissionError", "NodeAffinity", "TopologyAffinityError"]
)  # fmt: skip
def test_a_pod_the_kubelet_turned_away_was_not_admitted(word):
    pod = task_pod(
        phase="Failed",
        reason=word,
        message="Node didn't have enough resource",
        startTime="2024-05-01T12:00:04Z",
    )
    assert ended(pod) == Ended(ms(4), NotAdmitted(T, "a1.east", "Node didn't have enough resource"), None)
    assert ended(task_pod(phase="Failed", reason=word)).reason == NotAdmitted(T, "a1.east", word)


def test_a_pod_that_failed_without_a_word_could_not_start():
    reason = StartFailed(T, "its pod failed before the task began")
    assert ended(task_pod(phase="Failed", node=None)) == Ended(ms(0), reason, None)


def test_a_pod_that_succeeded_without_a_trace_succeeded():
    assert ended(task_pod(phase="Succeeded")) == Ended(ms(0), None, 0)


# ── ended by others ──────────────────────────────────────────────────────────────────────────────────

LOW = "The node was low on resource: memory."


@pytest.mark.parametrize("word", ["Evicted", "Shutdown", "NodeShutdown", "Terminated"])
@pytest.mark.parametrize("state", [None, terminated(137), terminated(0)])
def test_a_pod_the_node_evicted(word, state):
    pod = task_pod(phase="Failed", task=state, reason=word, message=LOW)
    assert ended(pod).reason == EvictedByNode(T, "a1.east", LOW)
    assert ended(task_pod(phase="Failed", reason=word)).reason == EvictedByNode(T, "a1.east", word)


def test_a_pod_that_made_room_for_a_critical_one():
    pod = task_pod(phase="Failed", reason="Preempting", message="Preempted in order to admit critical pod")
    assert ended(pod).reason == PreemptedElsewhere(T, "a1.east", "Preempted in order to admit critical pod")


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("PreemptionByScheduler", PreemptedElsewhere(T, "a1.east", "words")),
        ("DeletionByTaintManager", EvictedByNode(T, "a1.east", "words")),
        ("EvictionByEvictionAPI", EvictedByNode(T, "a1.east", "words")),
        ("TerminationByKubelet", EvictedByNode(T, "a1.east", "words")),
        ("DeletionByPodGC", NodeLost(T, "a1.east")),
    ],
)
def test_a_pod_that_is_a_disruptions_target(word, reason):
    target = condition("DisruptionTarget", "True", word, "words")
    assert ended(task_pod(phase="Failed", task=terminated(143), conditions=(target,))).reason == reason


def test_a_disruption_that_did_not_come_about_is_none():
    spared = condition("DisruptionTarget", "False", "PreemptionByScheduler", "words")
    pod = task_pod(phase="Failed", task=terminated(143), conditions=(spared,))
    assert ended(pod).reason == Signal(T, "SIGTERM")


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (event("Preempted", "by default/big"), PreemptedElsewhere(T, "a1.east", "by default/big")),
        (event("Evicted", LOW), EvictedByNode(T, "a1.east", LOW)),
        (event("TaintManagerEviction", "Marking for deletion"), EvictedByNode(T, "a1.east", "Marking for deletion")),
        (event("TaintManagerEviction", "Cancelling deletion"), None),
        (event("Killing", "Stopping container task"), None),
    ],
)  # fmt: skip
def test_events_tell_who_ended_a_pod_that_vanished(told, reason):
    assert disruption_of(task_pod(task=running()), T, [told], "{}.east".format) == reason


def test_a_fetch_that_was_evicted_is_not_the_codes_fault():
    pod = task_pod(phase="Failed", reason="Evicted", message=LOW, fetch=terminated(137))
    assert ended(pod).reason == EvictedByNode(T, "a1.east", LOW)


def test_a_pod_that_runs_on_has_not_ended_whatever_is_planned_for_it():
    target = condition("DisruptionTarget", "True", "PreemptionByScheduler", "words")
    assert read(task_pod(phase="Running", task=running(), conditions=(target,))).ended is None
