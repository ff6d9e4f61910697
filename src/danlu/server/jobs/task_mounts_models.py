"""What a task asks for of its mounts."""

from typing import Annotated

from pydantic import Field

from danlu.server.http.models import MAX_NUMBER, RequestBody

MOST_CONTENTS = 1_000
_LONGEST_PATH = 3 * 4096
_LONGEST_TAG = 1024

_Path = Annotated[str, Field(min_length=1, max_length=_LONGEST_PATH)]
_Tag = Annotated[str, Field(max_length=_LONGEST_TAG)]
_Bytes = Annotated[int, Field(ge=0, le=MAX_NUMBER)]


class MountContents(RequestBody):
    """Files of a mount, as its manifest tells them."""

    files: list[tuple[_Path, _Tag, _Bytes, _Bytes]] = Field(
        min_length=1,
        max_length=MOST_CONTENTS,
        description="`[path, tag, size, offset]`: from which byte on each is wanted.",
    )


class ManifestQuery(RequestBody):
    after: str = Field("", max_length=_LONGEST_PATH, description="Only what comes behind this path.")
