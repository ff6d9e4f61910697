"""A layer of an image made of Debian's packages: fetched and unpacked once, kept in the cache."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.cluster.archive import Layer
from tools.dev.places import cache
from tools.dev.stamps import digest_of_text
from tools.dev.steps import run_step
from tools.dev.system import apt_alone, refresh_lists


@dataclass(frozen=True)
class DebianLayer:
    """`recipe` is to be raised when what is done with the packages changes: `finish` gets the folder they were unpacked
    into, without what matches `not_needed`."""

    name: str
    packages: Sequence[str]
    recipe: str
    not_needed: Sequence[str] = ()
    finish: Callable[[Path], None] = lambda _: None

    def ensure(self) -> Path:
        """The layer's tar file, made when the cache has none from these packages."""
        digest = digest_of_text(self.recipe, *self.packages)[:12]
        layer = cache() / "kubernetes-images" / f"{self.name}-{digest}.tar"
        if not layer.exists():
            layer.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=layer.parent, prefix="making-") as scratch:
                self._make(Path(scratch)).rename(layer)
        return layer

    def _make(self, scratch: Path) -> Path:
        debs, root, layer = scratch / "debs", scratch / "root", scratch / "layer.tar"
        debs.mkdir()
        root.mkdir()
        # Without a sandbox user, who could not write into a folder of ours.
        fetch = ["apt-get", "-o", "APT::Sandbox::User=root", "download", "-qq", *self.packages]
        with apt_alone():
            refresh_lists()
            run_step(f"Fetch Debian's packages for the layer {self.name} of the test images", fetch, cwd=debs)
        unpack = 'for deb in "$0"/*.deb; do dpkg-deb -x "$deb" "$1" || exit; done'
        run_step(f"Unpack the layer {self.name}", ["sh", "-c", unpack, debs, root])
        for pattern in self.not_needed:
            for path in root.glob(pattern):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.finish(root)
        with Layer(layer) as tar:
            tar.tree(root)
        return layer
