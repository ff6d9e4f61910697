"""Where the parts are put together: the only place that names concrete adapters."""

from danlu.bootstrap.controller import ControllerProcess, Standing
from danlu.bootstrap.server import ApiServer, Serving
from danlu.bootstrap.up import Danlu, Ready
from danlu.data.settings import load_settings

__all__ = ["ApiServer", "ControllerProcess", "Danlu", "Ready", "Serving", "Standing", "load_settings"]
