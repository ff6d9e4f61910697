"""What a pod's step that fetches datasets and buckets prints, and what it leaves behind: a word, and JSON after it."""

from __future__ import annotations

PROGRESS = "danlu-filling"
"""Then `kind`, `title`, `percent` and `size`: a line each time a tenth more has come."""
FAILED = "danlu-not-filled"
"""Then `kind`, `title`, `why`, `size`, `bound`, `said` and `said_zh`: its last words, when it could not."""
DATASET, BUCKET = "dataset", "bucket"
REVOKED = "revoked"
"""Why: the job's owner may not read it any more."""
