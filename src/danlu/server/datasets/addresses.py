"""Where datasets are, and what requests about them are about."""

from __future__ import annotations

from danlu.domain.permissions import Relation
from danlu.server.http.access import API, P, RequestTarget

DATASET = RequestTarget("a dataset", tuple(Relation), hidden_without=P.DATASET_READ)
"""In one's project if it is shared with one."""
TRASHED = RequestTarget("a dataset in the trash", tuple(Relation), hidden_without=P.DATASET_WRITE)
ALL = f"{API}/datasets"
ONE = f"{ALL}/{{dataset}}"
VERSIONS = f"{ONE}/versions"
VERSION = f"{VERSIONS}/{{version}}"
STORE = f"{API}/dataset-store"
RECIPES = f"{API}/dataset-recipes"
