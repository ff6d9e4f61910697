"""Figures in a table: what was measured, what was aimed at, and what others need."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Table:
    title: str
    rows: list[tuple[str, str, str, str]] = field(default_factory=list)

    def add(self, what: str, ours: str, aim: str = "", peers: str = "") -> None:
        self.rows.append((what, ours, aim, peers))
        print(f"  {what}: {ours}" + (f"   (aim {aim})" if aim else ""), flush=True)

    def render(self) -> str:
        head = ("what", "measured", "aim", "others")
        widths = [max(len(row[at]) for row in [head, *self.rows]) for at in range(4)]
        lines = [
            " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            for row in [head, *self.rows]
        ]
        lines.insert(1, "-|-".join("-" * width for width in widths))
        return f"{self.title}\n\n" + "\n".join(f"| {line} |" for line in lines)


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def spread(values: list[float], unit: str = "ms") -> str:
    """Median and 99th percentile."""
    return f"p50 {percentile(values, 0.5):.1f} {unit}, p99 {percentile(values, 0.99):.1f} {unit}"
