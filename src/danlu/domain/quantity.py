"""Sizes, durations and GPU counts as people write them, and back."""

from __future__ import annotations

import re
from decimal import Decimal

from danlu.domain.words import BadValue, Words, say

KIB, MIB, GIB, TIB = 2**10, 2**20, 2**30, 2**40
_SIZE_UNITS = {
    "": 1, "B": 1,
    "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
    "KIB": KIB, "MIB": MIB, "GIB": GIB, "TIB": TIB,
    "K": KIB, "M": MIB, "G": GIB, "T": TIB, "KI": KIB, "MI": MIB, "GI": GIB, "TI": TIB,
}  # fmt: skip
_TIME_UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
_SIZE = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,9})?)\s*([A-Za-z]*)")
_TIME_PART = re.compile(r"([0-9]{1,13}(?:\.[0-9]{1,9})?)\s*(ms|s|m|h|d|w)")

SIZE_HINT = Words("write a size such as 512MiB, 64GiB or 100GB", "请写成 512MiB、64GiB 或 100GB 的形式")
TIME_HINT = Words("write a time such as 90s, 30m, 6h, 2d or 1h30m", "请写成 90s、30m、6h、2d 或 1h30m 的形式")


def parse_size(text: str) -> int:
    """Bytes of `64GiB`, `512 MB`, `0`; ValueError says what was expected. A number alone has no unit that everybody
    would mean."""
    match = _SIZE.fullmatch(text.strip())
    if match and not match[2] and Decimal(match[1]):
        raise no_unit(text.strip())
    unit = _SIZE_UNITS.get(match[2].upper()) if match else None
    if match is None or unit is None:
        raise BadValue(
            say("'{text}' is not a size; {hint}", "“{text}”不是有效的容量；{hint}", text=text, hint=SIZE_HINT)
        )
    return round(Decimal(match[1]) * unit)


def no_unit(number: str | float) -> BadValue:
    """Nobody has a million GiB: so much is meant as bytes."""
    return BadValue(
        say("{value} has no unit; {hint}", "{value} 缺少单位；{hint}", value=number, hint=SIZE_HINT),
        f"{number}B" if float(number) >= 10**6 else f"{number}GiB",
    )


def parse_time(text: str) -> int:
    """Milliseconds of `90s`, `6h`, `1h30m`; ValueError says what was expected."""
    compact = text.strip()
    parts = _TIME_PART.findall(compact)
    if not parts or "".join(number + unit for number, unit in parts) != re.sub(r"\s+", "", compact):
        raise BadValue(
            say("'{text}' is not a time; {hint}", "“{text}”不是有效的时长；{hint}", text=text, hint=TIME_HINT)
        )
    return round(sum(Decimal(number) * _TIME_UNITS[unit] for number, unit in parts))


def show_size(size: int) -> str:
    """The shortest exact form for whole binary units, else two decimals of GiB and the like."""
    for name, unit in (("TiB", TIB), ("GiB", GIB), ("MiB", MIB), ("KiB", KIB)):
        if size >= unit:
            return f"{size // unit}{name}" if size % unit == 0 else f"{size / unit:.2f}{name}"
    return f"{size}B"


def exact_size(size: int) -> str:
    """A form that parses back to exactly the same number of bytes."""
    for name, unit in (("TiB", TIB), ("GiB", GIB), ("MiB", MIB), ("KiB", KIB)):
        if size and size % unit == 0:
            return f"{size // unit}{name}"
    return f"{size}B"


def show_time(millis: int) -> str:
    """A form that parses back to exactly the same duration: `1h30m`, `90ms`, `0s`."""
    parts = []
    for name, unit in (("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)):
        count, millis = divmod(millis, unit)
        if count:
            parts.append(f"{count}{name}")
    return "".join(parts) or "0s"


def time_said(millis: int) -> Words:
    """The same in a sentence: `1h55m`, in Chinese `1 小时 55 分钟`. What files and `--json` have is `show_time`."""
    return Words(show_time(millis), time_in_chinese(millis))


def time_in_chinese(millis: float, parts: int | None = None) -> str:
    """`1 小时 55 分钟`, as the console has it: down to seconds, or in its largest `parts` units at most."""
    left = max(0, int(millis))
    if 0 < left < 1_000:
        return f"{left} 毫秒"
    said: list[str] = []
    for name, unit in (("天", 86_400_000), ("小时", 3_600_000), ("分钟", 60_000), ("秒", 1_000)):
        count, left = divmod(left, unit)
        begun = bool(said)
        if count:
            said.append(f"{count} {name}")
        if parts is not None and (len(said) == parts or (begun and not count)):
            break
    return " ".join(said) or "0 秒"


def show_milli(milli: int) -> str:
    """Thousandths as a plain number: 8000 → `8`, 500 → `0.5`."""
    return f"{milli / 1000:.3f}".rstrip("0").rstrip(".")


def show_amount(resource: str, amount: int) -> str:
    """An amount of cpus, memory, gpus or cards of one model, as rules count them."""
    return show_size(amount) if resource == "memory" else f"{show_milli(amount)} {resource}"
