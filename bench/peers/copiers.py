"""Tools that people copy with, in an environment of their own: rclone and boto3."""

from __future__ import annotations

from pathlib import Path

from tools.dev.environments import environment
from tools.testing.s3 import S3Server

BOTO3 = Path(__file__).with_name("boto3_copy.py")


def rclone() -> Path:
    return environment("copiers") / "bin" / "rclone"


def boto3() -> list[Path]:
    return [environment("copiers") / "bin" / "python", BOTO3]


def variables(s3: S3Server) -> dict[str, str]:
    """How all of them sign in."""
    return {
        "AWS_ACCESS_KEY_ID": s3.owner.key,
        "AWS_SECRET_ACCESS_KEY": s3.owner.secret,
        "AWS_ENDPOINT_URL": s3.endpoint,
        "AWS_REGION": s3.region,
        "AWS_DEFAULT_REGION": s3.region,
        "RCLONE_CONFIG": "",
        "RCLONE_CONFIG_S_TYPE": "s3",
        "RCLONE_CONFIG_S_PROVIDER": "Other",
        "RCLONE_CONFIG_S_ACCESS_KEY_ID": s3.owner.key,
        "RCLONE_CONFIG_S_SECRET_ACCESS_KEY": s3.owner.secret,
        "RCLONE_CONFIG_S_ENDPOINT": s3.endpoint,
        "RCLONE_CONFIG_S_REGION": s3.region,
    }
