"""Where the parts are put together: the only place that names concrete adapters."""

from danlu.bootstrap.controller import ControllerProcess, ControllerStarted
from danlu.bootstrap.own_ids import take_own_ids
from danlu.bootstrap.server import ApiServer, Serving
from danlu.bootstrap.up import Danlu, Ready
from danlu.data.settings import load_settings, settings_and_origins, settings_place

__all__ = [
    "ApiServer",
    "ControllerProcess",
    "ControllerStarted",
    "Danlu",
    "Ready",
    "Serving",
    "load_settings",
    "settings_and_origins",
    "settings_place",
    "take_own_ids",
]
