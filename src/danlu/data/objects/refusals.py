"""What stores refuse, in our words. Theirs go nowhere: they repeat requests, keys and signatures."""

from __future__ import annotations

import re
from email.message import Message

from danlu.domain.errors import (
    BadAnswer,
    DanluError,
    LoginMayNot,
    NoSuchBucket,
    NotFound,
    Stale,
    WrongLogin,
)
from danlu.domain.volumes.source import BucketAddress
from danlu.domain.words import Words

_CODE = re.compile(rb"<Code>([A-Za-z.]{1,64})</Code>")
_REGION = re.compile(r"[a-z0-9-]{1,40}")
_UNKNOWN_LOGIN = frozenset(
    {
        "SignatureDoesNotMatch",
        "InvalidAccessKeyId",
        "InvalidToken",
        "ExpiredToken",
        "InvalidSecurity",
        "NotSignedUp",
    }
)


def refusal(status: int, headers: Message, body: bytes, address: BucketAddress) -> DanluError:
    found = _CODE.search(body[:16384])
    code = found[1].decode() if found else ""
    region = headers.get("x-amz-bucket-region", "")
    if code in _UNKNOWN_LOGIN or status == 401:
        return WrongLogin(_WRONG_LOGIN)
    if code in ("PermanentRedirect", "AuthorizationHeaderMalformed") or 300 <= status < 400:
        if _REGION.fullmatch(region) and region != address.region:
            return BadAnswer(_OTHER_REGION.fill(region=region))
        return BadAnswer(_ELSEWHERE)
    if code == "RequestTimeTooSkewed":
        return BadAnswer(_CLOCKS)
    if status == 403:
        return LoginMayNot(_MAY_NOT.fill(bucket=address.bucket))
    if code == "NoSuchBucket":
        return NoSuchBucket(_NO_BUCKET.fill(bucket=address.bucket))
    if status == 404:
        return NotFound(_NO_KEY)
    if status == 412:
        return Stale(_CHANGED)
    return BadAnswer(_ODD.fill(status=status))


BROKEN = Words(
    "the connection to {host} broke off, or it did not answer in time; try again later",
    "与 {host} 的连接中断或超时，请稍后重试",
)
CERTIFICATE = Words(
    "the certificate of {host} does not hold: {why}",
    "{host} 的证书无效：{why}",
)
NO_TLS = Words(
    "{host}:{port} does not speak TLS; is it http:// rather than https://?",
    "{host}:{port} 不支持 TLS，是否应使用 http:// 而不是 https://？",
)
TOO_MUCH = Words(
    "the store answered with more than can be looked at; nothing of it was used",
    "对方的应答过大，已放弃",
)
NO_LIST = Words(
    "what answers there is no S3 API; is the endpoint right?",
    "该地址不是 S3 接口，请检查 endpoint",
)
_WRONG_LOGIN = Words(
    "the store does not know this login: check the key and the secret",
    "对方不认可该登录凭据，请检查 key 和 secret",
)
_OTHER_REGION = Words(
    "the bucket is in region {region}: give that",
    "存储桶位于区域 {region}，请填写该区域",
)
_ELSEWHERE = Words(
    "the store sends elsewhere, where Danlu does not follow: give the endpoint and region of the bucket itself",
    "对方要求转向其他地址，丹炉不会跟随；请填写存储桶自身的 endpoint 和区域",
)
_CLOCKS = Words(
    "the clocks of the store and of Danlu's server differ too much",
    "对方与丹炉服务端的时钟相差过大",
)
_MAY_NOT = Words(
    "the login may not do this in bucket {bucket}",
    "登录凭据无权在存储桶 {bucket} 中执行此操作",
)
_NO_BUCKET = Words("the store has no bucket named {bucket}", "不存在名为 {bucket} 的存储桶")
_NO_KEY = Words("nothing is there under this name", "该名称下没有内容")
_CHANGED = Words("it changed meanwhile: start again", "内容已变化，请重新开始")
_ODD = Words(
    "the store answered with status {status}; try again later",
    "对方应答状态码 {status}，请稍后重试",
)
