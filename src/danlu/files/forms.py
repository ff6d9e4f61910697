"""The forms that names and the like must have, each with its rule in words."""

from __future__ import annotations

from danlu.domain import people
from danlu.domain.words import Words

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
VOLUME_NAME = r"^([a-z][a-z0-9_-]{1,31}:)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$"
NEW_VOLUME = r"^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$"
NEW_DATASET = r"^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$"
_OF = r"([a-z][a-z0-9_-]{1,31}:)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?"
NEW_DATASET_OF = rf"^({_OF})$"
OUTPUT_TAG = r"^([a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?)$"
TASK_NAME = r"^[a-z0-9]([a-z0-9-]{0,60}[a-z0-9])?$"
DATASET_REF = rf"^{_OF}(@[A-Za-z0-9][A-Za-z0-9._-]{{0,62}})?$"
GIT_REF = r"^([A-Za-z0-9_][A-Za-z0-9_./+@=-]*)?$"
GPU_MODELS = r"^[^|\s][^|]*(\|[^|\s][^|]*)*$"
EMAIL = r"^[^@\s]+@[^@\s]+$"
SUBJECT = r"^https?://[^\s#]+#\S+$"
PUBLIC_URL = r"^https?://[^\s/]+(/[^\s]*)?$"

RULES = {
    JOB_NAME: Words(
        "a job name has 4–63 characters: letters, digits, - and _",
        "任务名称由 4–63 个字母、数字、- 和 _ 组成",
    ),
    ROLE_NAME: Words(
        "a role name has 1–56 characters: lower-case letters, digits and -, with no - at either end",
        "角色名称由 1–56 个小写字母、数字和 - 组成，首尾不能是 -",
    ),
    ENV_NAME: Words(
        "a variable name has letters, digits and _, and does not start with a digit",
        "变量名由字母、数字和 _ 组成，不能以数字开头",
    ),
    DIGEST: Words(
        "a digest is a SHA-256 as 64 lower-case hexadecimal digits",
        "摘要是 SHA-256 的 64 位小写十六进制数字",
    ),
    RULE_NAME: Words(
        "a name has 1–63 characters: letters, digits, -, _ and ., with a letter or digit at both ends",
        "名称由 1–63 个字母、数字、-、_ 和 . 组成，首尾须为字母或数字",
    ),
    GROUP_NAME: Words(
        "a group name has 1–32 characters: lower-case letters, digits, - and _, starting with a letter",
        "用户组名称由 1–32 个小写字母、数字、- 和 _ 组成，以字母开头",
    ),
    QUOTA_NAME: Words(
        "a quota is for user:NAME, group:NAME or default",
        "配额的对象是 user:用户名、group:用户组名或 default",
    ),
    LABEL_KEY: Words(
        "a label key has 1–100 characters: letters, digits, -, _, . and /, with a letter or digit at both ends",
        "标签的键由 1–100 个字母、数字、-、_、. 和 / 组成，首尾须为字母或数字",
    ),
    IMAGE: Words(
        "an image name has no spaces",
        "镜像名称不能含空格",
    ),
    IMAGE_OR_NONE: Words(
        "an image name has no spaces",
        "镜像名称不能含空格",
    ),
    VOLUME_NAME: Words(
        "write NAME for a volume of your own, or OWNER:NAME; a name has 1–63 letters, digits, -, _ and .",
        "自己的存储卷写作 NAME，他人的写作 OWNER:NAME；名称由 1–63 个字母、数字、-、_ 和 . 组成",
    ),
    NEW_VOLUME: Words(
        "a volume's name has 1–63 characters: lower-case letters, digits, - and ., with a letter or digit at both ends",
        "存储卷名称由 1–63 个小写字母、数字、- 和 . 组成，首尾须为字母或数字",
    ),
    NEW_DATASET: Words(
        "a dataset's name has 1–63 characters: lower-case letters, digits, -, _ and ., with a letter or digit at both "
        "ends",
        "数据集名称由 1–63 个小写字母、数字、-、_ 和 . 组成，首尾须为字母或数字",
    ),
    DATASET_REF: Words(
        "write NAME for the newest version of a dataset of your own, NAME@v3 or NAME@TAG for another one, and "
        "OWNER:NAME@v3 for another person's",
        "自己数据集的最新版本写作 NAME，其他版本写作 NAME@v3 或 NAME@标签，他人的写作 OWNER:NAME@v3",
    ),
    GIT_REF: Words(
        "a ref is a branch, a tag or a commit: letters, digits and _ . / + @ = -",
        "ref 是分支、标签或提交：由字母、数字和 _ . / + @ = - 组成",
    ),
    NEW_DATASET_OF: Words(
        "write NAME for a dataset of your own, or OWNER:NAME, without a version: a new one is made",
        "自己的数据集写作 NAME，他人的写作 OWNER:NAME，不带版本：会生成新版本",
    ),
    OUTPUT_TAG: Words(
        "a tag has 1–63 characters: lower-case letters, digits, -, _ and ., with a letter or digit at both ends",
        "标签由 1–63 个小写字母、数字、-、_ 和 . 组成，首尾须为字母或数字",
    ),
    TASK_NAME: Words(
        "a task is named by its role and its number, such as worker-0",
        "子任务由角色名和编号组成，例如 worker-0",
    ),
    GPU_MODELS: Words(
        "a GPU model is a name such as A100, or several with | between them",
        "GPU 型号形如 A100，多个型号用 | 分隔",
    ),
    EMAIL: Words(
        "an address has one @ and no spaces",
        "邮箱地址含一个 @，不含空格",
    ),
    SUBJECT: Words(
        "a subject is the provider's issuer address, # and the person's `sub` claim",
        "外部身份由统一认证的地址、# 和其中的用户标识（sub）组成",
    ),
    PUBLIC_URL: Words(
        "an address starts with http:// or https://, as people type it in a browser",
        "地址以 http:// 或 https:// 开头，与浏览器中输入的一致",
    ),
    USER_NAME: people.USER_NAME_RULE,
}
