"""The forms that names and the like must have, each with its rule in words."""

from __future__ import annotations

from danlu.domain import people

JOB_NAME = r"^[A-Za-z0-9_-]{4,63}$"
ROLE_NAME = r"^[a-z0-9]([a-z0-9-]{0,54}[a-z0-9])?$"
ENV_NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"
DIGEST = r"^[0-9a-f]{64}$"
USER_NAME = f"^{people.USER_NAME.pattern}$"
RULE_NAME = r"^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$"
GROUP_NAME = r"^[a-z][a-z0-9_-]{0,31}$"
QUOTA_NAME = r"^(default|user:[a-z][a-z0-9_-]{1,31}|group:[a-z][a-z0-9_-]{0,31})$"
LABEL_KEY = r"^[A-Za-z0-9]([A-Za-z0-9._/-]{0,98}[A-Za-z0-9])?$"
IMAGE = r"^\S+$"
IMAGE_OR_NONE = r"^\S*$"
VOLUME_NAME = r"^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$"
GPU_MODELS = r"^[^|\s][^|]*(\|[^|\s][^|]*)*$"
EMAIL = r"^[^@\s]+@[^@\s]+$"
SUBJECT = r"^https?://[^\s#]+#\S+$"
PUBLIC_URL = r"^https?://[^\s/]+(/[^\s]*)?$"

RULES = {
    JOB_NAME: "a job's name is 4–63 of letters, digits, - and _",
    ROLE_NAME: "a role's name is 1–56 of lower-case letters, digits and -, with no - at either end",
    ENV_NAME: "a variable's name has letters, digits and _ and does not begin with a digit",
    DIGEST: "a digest is the 64 lower-case hexadecimal digits of a SHA-256",
    RULE_NAME: "a name is 1–63 of letters, digits, -, _ and ., with a letter or digit at either end",
    GROUP_NAME: "a group's name is 1–32 of lower-case letters, digits, - and _, beginning with a letter",
    QUOTA_NAME: "a quota is of user:NAME, of group:NAME, or the default",
    LABEL_KEY: "a label's key is 1–100 of letters, digits, -, _, . and /, with a letter or digit at either end",
    IMAGE: "an image's name has no spaces",
    IMAGE_OR_NONE: "an image's name has no spaces",
    VOLUME_NAME: "a volume's name has lower-case letters, digits, - and ., with a letter or digit at either end",
    GPU_MODELS: "a GPU model is a name such as A100, or several with | between them",
    EMAIL: "an address has one @ and no spaces",
    SUBJECT: "a subject is the provider's address, # and what it calls the person (its claim sub)",
    PUBLIC_URL: "an address is http://… or https://…, as people type it",
    USER_NAME: f"a user's name is {people.USER_NAME_RULE}",
}
