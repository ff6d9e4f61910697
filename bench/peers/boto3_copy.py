"""A copy as scripts with boto3 do it: `boto3_copy.py up|down FILE_OR_FOLDER BUCKET PREFIX`, ten at once."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import boto3  # type: ignore[import-not-found]
from botocore.config import Config  # type: ignore[import-not-found]

AT_ONCE = 10


def main(way: str, local: str, bucket: str, prefix: str) -> None:
    client = boto3.client("s3", config=Config(max_pool_connections=AT_ONCE, s3={"addressing_style": "path"}))
    place = Path(local)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        if way == "up":
            if place.is_file():
                client.upload_file(local, bucket, prefix)
                return
            files = [one for one in place.rglob("*") if one.is_file()]
            sent = [
                pool.submit(client.upload_file, str(one), bucket, f"{prefix}/{one.relative_to(place)}")
                for one in files
            ]
            for one in sent:
                one.result()
            return
        pages = client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
        keys = [one["Key"] for page in pages for one in page.get("Contents", ())]
        got = []
        for key in keys:
            to = place if key == prefix else place / key[len(prefix) + 1 :]
            to.parent.mkdir(parents=True, exist_ok=True)
            got.append(pool.submit(client.download_file, bucket, key, str(to)))
        for one in got:
            one.result()


if __name__ == "__main__":
    main(*sys.argv[1:5])
