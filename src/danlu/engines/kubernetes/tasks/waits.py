"""What keeps a pod from starting, and whether waiting can help."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from danlu.domain.reasons import ImagePullFailed, Reason, StartFailed, VolumeMissing
from danlu.engines.kubernetes.objects.objects import Json

_IMAGE_FOR_GOOD = frozenset({"InvalidImageName", "ErrImageNeverPull"})
_IMAGE = _IMAGE_FOR_GOOD | {"ErrImagePull", "ImagePullBackOff", "ImageInspectError", "RegistryUnavailable"}
_START_FOR_GOOD = frozenset({"CreateContainerConfigError", "RunContainerError", "CreateContainerError"})
_NO_TROUBLE = frozenset({"", "PodInitializing", "ContainerCreating"})
_REFUSED = re.compile(
    r"not found|manifest unknown|does not exist|denied|insufficient_scope|unauthorized|40[13] |"
    r"no match for platform|no matching manifest|invalid reference",
    re.IGNORECASE,
)
_PASSES = re.compile(r"deadline exceeded|timed? ?out|is reserved for", re.IGNORECASE)
_MISSING_CLAIM = re.compile(r'persistentvolumeclaim "([^"]+)" (?:not found|is being deleted)', re.IGNORECASE)
_MOUNT_TROUBLE = frozenset({"FailedMount", "FailedAttachVolume"})
_PROGRESS = frozenset({"Pulling", "Pulled", "Created", "Started"})
_LONGEST, _BEGINNING = 300, 100


@dataclass(frozen=True, slots=True)
class PodWait:
    """A trouble on the way: at which step, in whose words, and what it comes to; `hopeless` if waiting cannot help."""

    step: str
    message: str
    reason: Reason
    hopeless: bool


def waits_for(pod: Json, task: str, events: Sequence[Json]) -> PodWait | None:
    """The trouble of a pod that was placed and has not begun; None while all goes its way. Events oldest first."""
    status: Json = pod.get("status") or {}
    for container in (*(status.get("initContainerStatuses") or ()), *(status.get("containerStatuses") or ())):
        waiting: Json = (container.get("state") or {}).get("waiting") or {}
        word = str(waiting.get("reason") or "")
        if word in _IMAGE:
            return _image_trouble(pod, task, container, waiting, events)
        if word not in _NO_TROUBLE:
            message = _short(waiting.get("message") or word)
            hopeless = word in _START_FOR_GOOD and not _PASSES.search(message)
            return PodWait("starting", message, StartFailed(task, message), hopeless)
    return _mount_trouble(pod, task, events)


def missing_volume(task: str, refusal: str) -> Reason | None:
    """Of what the scheduler says: that a claim does not exist, which waiting does not mend."""
    found = _MISSING_CLAIM.search(refusal)
    return VolumeMissing(task, found[1], _short(refusal)) if found else None


def _image_trouble(pod: Json, task: str, container: Json, waiting: Json, events: Sequence[Json]) -> PodWait:
    """While a pull is put off, its status no longer says why it failed; events still do, always in the same words."""
    image = _image(pod, str(container["name"])) or str(container.get("image", ""))
    word, said = str(waiting["reason"]), str(waiting.get("message") or waiting["reason"])
    failures = [
        str(event.get("message"))
        for event in events
        if event.get("reason") == "Failed" and image in str(event.get("message")) and "pull" in str(event)
    ]
    if failures:
        said = failures[-1]
    message = _short(said)
    hopeless = word in _IMAGE_FOR_GOOD or _REFUSED.search(said.replace(image, "")) is not None
    return PodWait("pulling", message, ImagePullFailed(task, image, message), hopeless)


def _mount_trouble(pod: Json, task: str, events: Sequence[Json]) -> PodWait | None:
    telling = [event for event in events if event.get("reason") in _MOUNT_TROUBLE | _PROGRESS]
    if not telling or telling[-1]["reason"] not in _MOUNT_TROUBLE:
        return None
    said = str(telling[-1].get("message") or telling[-1]["reason"])
    message = _short(said)
    claim = _claim_in(pod, said)
    reason = VolumeMissing(task, claim, message) if claim else StartFailed(task, message)
    return PodWait("mounting", message, reason, hopeless=False)


def _image(pod: Json, container: str) -> str:
    spec = pod["spec"]
    named = (*(spec.get("initContainers") or ()), *(spec.get("containers") or ()))
    return next((str(one["image"]) for one in named if one["name"] == container), "")


def _claim_in(pod: Json, message: str) -> str:
    """The claim that a message is about; the kubelet speaks of volumes by the pod's names or by its own."""
    claims = {
        str(volume["name"]): str(volume["persistentVolumeClaim"]["claimName"])
        for volume in pod["spec"].get("volumes") or ()
        if "persistentVolumeClaim" in volume
    }
    unmounted = re.search(r"unmounted volumes=\[([^\]]*)\]", message)
    about = re.split(r"[\s,]+", unmounted[1]) if unmounted else re.findall(r'"([^"]+)"', message)
    named = next((claims[name] for name in about if name in claims), "")
    return named or (next(iter(claims.values())) if len(claims) == 1 and not unmounted else "")


def _short(text: str) -> str:
    """One line of limited length: the beginning says what was tried, the end why it failed."""
    line = " ".join(text.split())
    if len(line) <= _LONGEST:
        return line
    return f"{line[:_BEGINNING]} … {line[len(line) - (_LONGEST - _BEGINNING - 3) :]}"
