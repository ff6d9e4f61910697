"""HTTP: routes, authentication, live streams and the console's files."""

from pydantic import BaseModel

# FastAPI's forty models of a document are built for the first document, not while FastAPI loads.
BaseModel.model_config["defer_build"] = True
import fastapi  # noqa: E402, F401 (before anything else loads it)

del BaseModel.model_config["defer_build"]
