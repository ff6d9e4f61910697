"""Fields of rules, as requests and state files have them."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict, Field, StrictInt, StrictStr

from danlu.domain.job import JobClass
from danlu.domain.resources import Resources
from danlu.files.forms import GROUP_NAME, LABEL_KEY, RULE_NAME
from danlu.files.job_file import ResourcesPart
from danlu.files.quantities import Bytes, Count
from danlu.files.written import Written

HIGHEST = 1_000_000

RuleName = Annotated[StrictStr, Field(pattern=RULE_NAME)]
ShortText = Annotated[StrictStr, Field(max_length=1_000)]
NonNegative = Annotated[Count, Field(ge=0)]
Weight = Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]
Value = Annotated[StrictInt, Field(ge=-HIGHEST, le=HIGHEST)]
RuleNames = Annotated[list[RuleName], Field(max_length=200)]
GroupNames = Annotated[list[Annotated[StrictStr, Field(pattern=GROUP_NAME)]], Field(max_length=200)]
Classes = Annotated[list[JobClass], Field(max_length=len(JobClass))]
LabelKey = Annotated[str, Field(pattern=LABEL_KEY)]
LabelValue = Annotated[StrictStr, Field(max_length=100)]
Labels = Annotated[dict[LabelKey, LabelValue], Field(max_length=100)]
Whom = Annotated[StrictStr, Field(min_length=1, max_length=100)]


class Amounts(Written):
    """How much of what: CPUs, memory, GPUs of all models, and GPUs of single models under their names."""

    model_config = ConfigDict(extra="allow")

    cpus: NonNegative | None = None
    memory: Annotated[Bytes, Field(ge=0, le=2**60)] | None = None
    gpus: NonNegative | None = None
    __pydantic_extra__: dict[str, NonNegative] = Field(init=False)

    def plain(self) -> dict[str, int]:
        own = {"cpus": self.cpus, "memory": self.memory, "gpus": self.gpus, **(self.__pydantic_extra__ or {})}
        return {key: amount for key, amount in own.items() if amount is not None}


class Ruling(Written):
    """The given fields of a rule; `null` removes an optional value, and otherwise means not given."""

    may_be_none: ClassVar[frozenset[str]] = frozenset()

    def values(self) -> dict[str, Any]:
        """The given values, as the domain names them."""
        said = {
            name: getattr(self, name) for name in type(self).model_fields if name in self.model_fields_set
        }
        return {
            _DOMAIN.get(name, name): _plain(value)
            for name, value in said.items()
            if value is not None or name in self.may_be_none
        }


_DOMAIN = {"gpus": "gpu_milli", "budget": "budget_milli"}


def _plain(value: Any) -> Any:
    if isinstance(value, Amounts):
        return value.plain()
    if isinstance(value, ResourcesPart):
        return Resources(value.cpus, value.memory, value.gpus, value.gpu, value.shm, value.rdma)
    return tuple(dict.fromkeys(value)) if isinstance(value, list) else value
