"""What is wrong with a quota, at the fields that clients know."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from danlu.domain.errors import FieldError
from danlu.domain.people import User
from danlu.domain.quota import CLASSES, COUNTED, GROUP, STORAGE_TYPES, USER, show
from danlu.domain.rules import DEFAULT_QUOTA, MEMORY, UNLIMITED, Quota, QuotaAmounts
from danlu.files.mistakes import Loc, did_you_mean, near

_GPU_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,62}")
_NO_MODELS = frozenset({"cpu", "gpu", "mem", "ram", "job", "task", *COUNTED})
_AMOUNTS: Loc = ("amounts",)


def quota_mistakes(quota: Quota) -> Iterator[FieldError]:
    """What can be told without knowing people and machines."""
    if quota.name != DEFAULT_QUOTA and not quota.name.startswith((USER, GROUP)):
        message = f"'{quota.name}' is nobody's quota: it is user:NAME, group:NAME or {DEFAULT_QUOTA}"
        meant = f"did you mean '{USER}{quota.name}'?"
        yield FieldError(("name",), "bad_form", message, quota.name, hint=meant)
    yield from amount_mistakes(quota.amounts)
    for kind, size in quota.storage.items():
        if kind not in STORAGE_TYPES:
            message = f"'{kind}' is no type of storage"
            hint = did_you_mean(kind, STORAGE_TYPES)
            yield FieldError(("storage", kind), "not_one_of", message, kind, list(STORAGE_TYPES), hint)
        elif size < 0 and size != UNLIMITED:
            yield _negative(("storage", kind), MEMORY, size)


def amount_mistakes(amounts: QuotaAmounts, root: Loc = _AMOUNTS) -> Iterator[FieldError]:
    """Classes and resources that there are not, and less than nothing of one."""
    for within, counted in amounts.items():
        if within not in CLASSES:
            hint = did_you_mean(within, CLASSES)
            message = f"'{within}' is no class of jobs"
            yield FieldError((*root, within), "not_one_of", message, within, list(CLASSES), hint)
        for resource, amount in counted.items():
            loc = (*root, within, resource)
            likely = near(resource, COUNTED) if resource.lower() in _NO_MODELS else None
            if resource not in COUNTED and (likely or not _GPU_MODEL.fullmatch(resource)):
                words = f"{', '.join(COUNTED)} or a GPU model such as A100"
                message = f"'{resource}' is not counted: it is {words}"
                hint = f"did you mean '{likely}'?" if likely else None
                yield FieldError(loc, "no_such_resource", message, resource, hint=hint)
            elif amount < 0 and amount != UNLIMITED:
                yield _negative(loc, resource, amount)


def strange_models(
    amounts: QuotaAmounts, models: Sequence[str], root: Loc = _AMOUNTS
) -> Iterator[FieldError]:
    """Amounts of GPU models that no node has; where there are no GPUs at all, any may come."""
    for within, counted in amounts.items():
        for resource in counted:
            named = resource.lower() not in _NO_MODELS and _GPU_MODEL.fullmatch(resource)
            if models and named and resource not in models:
                message = f"no node has GPU model '{resource}' (there are {', '.join(models)})"
                hint = did_you_mean(resource, [*models, *COUNTED])
                loc = (*root, within, resource)
                yield FieldError(loc, "no_such_gpu", message, resource, list(models), hint)


def nobody(
    name: str, users: Mapping[str, User], groups: Collection[str], loc: Loc = ("name",)
) -> FieldError | None:
    """Whether a quota would be of a person or a group that there is not."""
    kind, colon, whose = name.partition(":")
    if f"{kind}{colon}" == USER and whose not in users:
        hint = did_you_mean(whose, sorted(users)) if len(users) < 20 or near(whose, list(users)) else None
        return FieldError(loc, "no_such_user", f"there is no user '{whose}'", name, hint=hint)
    if f"{kind}{colon}" == GROUP and whose not in groups:
        hint = did_you_mean(whose, sorted(groups)) or "`danlu group add` makes one"
        return FieldError(loc, "no_such_group", f"there is no group '{whose}'", name, hint=hint)
    return None


def _negative(loc: Loc, resource: str, amount: int) -> FieldError:
    shown = str(amount) if resource == MEMORY else show(resource, amount)
    return FieldError(loc, "out_of_range", f"{shown} is out of range: at least 0", shown, "0")
