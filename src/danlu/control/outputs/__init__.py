"""Outputs: what jobs leave, made into versions of datasets and folders of volumes."""

from __future__ import annotations

from danlu.control.foundation import Foundation
from danlu.control.outputs.outputs import Outputs


def build(on: Foundation) -> Outputs:
    return Outputs(on.store, on.clock)
