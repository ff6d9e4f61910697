"""Errors in quotas, at the fields of the API."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from danlu.domain.errors import FieldError
from danlu.domain.people import User
from danlu.domain.quota import (
    CLASSES,
    COUNTED,
    GROUP,
    STORAGE_TYPES,
    USER,
    Bound,
    bound_said,
    counted_said,
    show,
)
from danlu.domain.rules import DEFAULT_QUOTA, MEMORY, UNLIMITED, Quota, QuotaAmounts
from danlu.domain.terms import no_such
from danlu.domain.words import Words, listed, say
from danlu.files.mistakes import Loc, did_you_mean, guess, near

_GPU_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,62}")
_NO_MODELS = frozenset({"cpu", "gpu", "mem", "ram", "job", "task", *COUNTED})
_AMOUNTS: Loc = ("amounts",)
_NAMED = 5
_UNBOUNDED = Words(
    "nothing bounds {what} of {whom}: a raise would change nothing",
    "{whom}{what}没有上限，临时提额不起作用",
)
_NOT_MORE = Words(
    "{whom} may use {most} {what} already: a raise to no more would change nothing",
    "{whom}{what}的上限已是 {most}，临时提额不高于此值不起作用",
)


def quota_mistakes(quota: Quota) -> Iterator[FieldError]:
    """Errors that can be found without knowing people and nodes."""
    if quota.name != DEFAULT_QUOTA and not quota.name.startswith((USER, GROUP)):
        message = say(
            "'{name}' is not the name of a quota: use user:NAME, group:NAME or {default_quota}",
            "“{name}”不是配额的对象：请用 user:用户名、group:用户组名或 {default_quota}",
            name=quota.name,
            default_quota=DEFAULT_QUOTA,
        )
        meant = guess(f"{USER}{quota.name}")
        yield FieldError(("name",), "bad_form", message, quota.name, hint=meant)
    yield from amount_mistakes(quota.amounts)
    for kind, size in quota.storage.items():
        if kind not in STORAGE_TYPES:
            message = say("'{kind}' is not a storage type", "“{kind}”不是存储类型", kind=kind)
            hint = did_you_mean(kind, STORAGE_TYPES)
            yield FieldError(("storage", kind), "not_one_of", message, kind, list(STORAGE_TYPES), hint)
        elif size < 0 and size != UNLIMITED:
            yield _negative(("storage", kind), MEMORY, size)


def amount_mistakes(amounts: QuotaAmounts, root: Loc = _AMOUNTS) -> Iterator[FieldError]:
    """Errors for unknown classes and resources, and negative amounts."""
    for within, counted in amounts.items():
        if within not in CLASSES:
            hint = did_you_mean(within, CLASSES)
            message = say("'{within}' is not a job class", "“{within}”不是任务类别", within=within)
            yield FieldError((*root, within), "not_one_of", message, within, list(CLASSES), hint)
        for resource, amount in counted.items():
            loc = (*root, within, resource)
            likely = near(resource, COUNTED) if resource.lower() in _NO_MODELS else None
            if resource not in COUNTED and (likely or not _GPU_MODEL.fullmatch(resource)):
                message = say(
                    "quotas do not count '{resource}': use {counted} or a GPU model such as A100",
                    "“{resource}”不是可计量的资源；可选 {counted}，或 A100 等 GPU 型号",
                    resource=resource,
                    counted=listed(COUNTED),
                )
                hint = guess(likely) if likely else None
                yield FieldError(loc, "no_such_resource", message, resource, hint=hint)
            elif amount < 0 and amount != UNLIMITED:
                yield _negative(loc, resource, amount)


def strange_models(
    amounts: QuotaAmounts, models: Sequence[str], root: Loc = _AMOUNTS
) -> Iterator[FieldError]:
    """Errors for GPU models that no node has; without any GPUs at all, every model is allowed."""
    for within, counted in amounts.items():
        for resource in counted:
            named = resource.lower() not in _NO_MODELS and _GPU_MODEL.fullmatch(resource)
            if models and named and resource not in models:
                message = say(
                    "no node has GPU model '{resource}' (there are {models})",
                    "没有节点配有型号为“{resource}”的 GPU（现有 {models}）",
                    resource=resource,
                    models=listed(models),
                )
                hint = did_you_mean(resource, [*models, *COUNTED])
                loc = (*root, within, resource)
                yield FieldError(loc, "no_such_gpu", message, resource, list(models), hint)


def idle_raises(
    name: str, amounts: QuotaAmounts, bounds: Sequence[Bound], root: Loc = _AMOUNTS
) -> Iterator[FieldError]:
    """Errors for amounts of a raise that would lift nothing: where nothing is bounded, or by no less."""
    known = {(bound.within, bound.resource): bound for bound in bounds if bound.limit is not None}
    whom = (
        Words("everybody", "每个人的")
        if name == DEFAULT_QUOTA
        else Words(whose := name.partition(":")[2], f"{whose} 的")
    )
    for within, counted in amounts.items():
        for resource, more in counted.items():
            loc, bound = (*root, within, resource), known.get((within, resource))
            what = counted_said(within, resource)
            if bound is None:
                message = _UNBOUNDED.fill(what=what, whom=whom)
                yield FieldError(loc, "nothing_to_raise", message, hint=_instead(name, list(known.values())))
            elif bound.limit is not None and more != UNLIMITED and more <= bound.limit:
                most = show(resource, bound.limit)
                message = _NOT_MORE.fill(what=what, whom=whom, most=most)
                hint = say("say more than {most}", "请填写大于 {most} 的值", most=most)
                yield FieldError(loc, "not_more", message, show(resource, more), most, hint)


def _instead(name: str, known: Sequence[Bound]) -> Words:
    """What can be raised, or how to set a quota first."""
    if known:
        bounds = listed(bound_said(bound) for bound in known[:_NAMED])
        return say(
            "there is nothing to do: they may use what is free; what is bounded: {bounds}",
            "无需提额，空闲资源可直接使用；现有上限：{bounds}",
            bounds=bounds,
        )
    return say(
        "there is nothing to do: they may use what is free. To bound it, set a quota: danlu quota edit {name} --gpus 8",
        "无需提额，空闲资源可直接使用。如需设限，请设置配额：danlu quota edit {name} --gpus 8",
        name=name,
    )


def nobody(
    name: str, users: Mapping[str, User], groups: Collection[str], loc: Loc = ("name",)
) -> FieldError | None:
    """An error if the person or group of a quota does not exist."""
    kind, colon, whose = name.partition(":")
    if f"{kind}{colon}" == USER and whose not in users:
        hint = did_you_mean(whose, sorted(users)) if len(users) < 20 or near(whose, list(users)) else None
        return FieldError(loc, "no_such_user", no_such("user", whose), name, hint=hint)
    if f"{kind}{colon}" == GROUP and whose not in groups:
        hint = did_you_mean(whose, sorted(groups)) or Words(
            "`danlu group create` creates one", "可用 `danlu group create` 创建"
        )
        return FieldError(loc, "no_such_group", no_such("group", whose), name, hint=hint)
    return None


def _negative(loc: Loc, resource: str, amount: int) -> FieldError:
    shown = str(amount) if resource == MEMORY else show(resource, amount)
    return FieldError(
        loc,
        "out_of_range",
        say("{value} is out of range: at least 0", "{value} 超出范围：至少为 0", value=shown),
        shown,
        "0",
    )
