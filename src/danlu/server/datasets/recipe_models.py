"""Public sets as answered, and imports as sent."""

from typing import Annotated

from pydantic import Field, StrictBool, StrictInt, StrictStr

from danlu.control.recipes.imports import ImportRequest
from danlu.domain.datasets import recipes as domain
from danlu.domain.datasets.recipes import LearningTask
from danlu.domain.transfers.ends import LONGEST_END
from danlu.files.forms import NEW_DATASET
from danlu.server.datasets.models import DatasetAct
from danlu.server.http.models import Answer, RequestBody, Text
from danlu.server.transfers.models import LoginBody


class RecipeImport(RequestBody):
    """What to import, and where to."""

    name: Annotated[StrictStr, Field(pattern=f"{NEW_DATASET}|^$")] = Field(
        "",
        description="The dataset: a new one, or one of your own that gets its next version; default: the recipe's.",
    )
    into: Annotated[StrictStr, Field(max_length=LONGEST_END)] = Field(
        "", description="The folder for its files, VOLUME:/path; default: personal:/datasets/NAME."
    )
    source: Annotated[StrictStr, Field(max_length=LONGEST_END)] = Field(
        "",
        description="A folder that has the archives under their names: a URL, VOLUME:/path or OWNER:VOLUME:/path.",
    )
    stand_in: StrictBool = Field(
        False, description="Made-up images in the same layout instead of the original."
    )
    size: StrictInt | None = Field(None, description="How many images a stand-in has.")
    checked: StrictBool = Field(
        True, description="Archives must be the originals, where their checksum is known."
    )
    login: LoginBody | None = Field(None, description="What is told where the archives are.")

    def plain(self) -> ImportRequest:
        login = self.login.plain() if self.login else None
        return ImportRequest(self.name, self.into, self.source, self.stand_in, self.size, self.checked, login)


class RecipeArchive(Answer, of=domain.RecipeArchive):
    """An archive of the set; about `size` bytes come. `url` and `md5` are empty where they are not known."""

    name: str
    size: int
    url: str
    md5: str


class RecipePath(Answer, of=domain.RecipePath):
    """What is where, in the original and its stand-in."""

    path: str
    holds: Text


class StandInSize(Answer, of=domain.StandInSize):
    """How many images a stand-in has, and may have."""

    usual: int
    least: int
    most: int


class DatasetRecipe(Answer, of=domain.Recipe):
    """A public set. About `size` bytes come, and there are about `unpacked` in the end; `own`: you bring the archives
    yourself, and `needs` says what for. `task` is what it is for."""

    id: str
    title: str
    task: LearningTask
    about: Text
    licence: str
    home: str
    needs: Text
    own: bool
    size: int
    unpacked: int
    archives: list[RecipeArchive]
    layout: list[RecipePath]
    classes: dict[str, str]
    some_classes: bool
    stand_in: StandInSize


class DatasetRecipeList(Answer):
    items: list[DatasetRecipe]


class DatasetImport(Answer):
    """The dataset that gets the set, by id and as OWNER:NAME, and the act that tells how far it is."""

    dataset: str
    title: str
    act: DatasetAct
