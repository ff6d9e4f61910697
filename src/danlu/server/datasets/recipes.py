"""Public sets: what can be imported, and imports of it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.control.recipes.imports import recipe_named
from danlu.domain.datasets.recipes import RECIPES
from danlu.server.datasets import addresses
from danlu.server.datasets import recipe_models as models
from danlu.server.datasets.addresses import DATASET, ONE
from danlu.server.datasets.models import DatasetAct
from danlu.server.datasets.rendering import act_shown
from danlu.server.http.access import ONESELF, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.reading import Body
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("datasets")

_ALL = addresses.RECIPES
_ONE = f"{_ALL}/{{recipe}}"


@routes.add("GET", _ALL, AccessRule(P.DATASET_READ, ONESELF), models.DatasetRecipeList)
def list_dataset_recipes() -> Response:
    """Public sets that can be imported: what is in them, where they come from, and what you need."""
    return answer({"items": [models.DatasetRecipe.render(one) for one in RECIPES.values()]})


@routes.add("GET", _ONE, AccessRule(P.DATASET_READ, ONESELF), models.DatasetRecipe)
def get_dataset_recipe(recipe: str) -> Response:
    """A public set that can be imported."""
    return answer(models.DatasetRecipe.render(recipe_named(recipe)))


@routes.add(
    "POST",
    f"{_ONE}/import",
    AccessRule(P.DATASET_WRITE, ONESELF),
    models.DatasetImport,
    status=202,
    refusals=(409, 413, 422),
)
def import_recipe(
    desk: AtDesk,
    who: Who,
    recipe: str,
    body: Annotated[models.RecipeImport, Depends(Body(models.RecipeImport))],
) -> Response:
    """Import a public set, or a stand-in of it: transfers into a folder of a volume, and then a version of that."""
    one, act = desk.services.recipes.imports.begin(who, recipe, body.plain())
    return answer({"dataset": one.id, "title": one.title, "act": act_shown(act)}, 202)


@routes.add(
    "POST",
    f"{ONE}/acts/{{act}}/resume",
    AccessRule(P.DATASET_WRITE, DATASET),
    DatasetAct,
    status=202,
    refusals=(409,),
)
def resume_import(desk: AtDesk, who: Who, dataset: str, act: str) -> Response:
    """Go on with an import that failed or was cancelled; what has come is not transferred again."""
    return answer(act_shown(desk.services.recipes.imports.resume(who, dataset, act)), 202)
