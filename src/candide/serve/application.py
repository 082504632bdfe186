"""The application: from a request's bytes to a route, and from its answer to bytes, as ASGI has it.

One row is answered on the spot; what takes longer goes to a thread, so that others are answered meanwhile. Nothing is
kept of a request but counts.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from time import perf_counter
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import msgspec

from candide.report.page import policy_of
from candide.serve.answering import Answering
from candide.serve.openapi import describe
from candide.serve.refusals import (
    BAD_REQUEST,
    MISDIRECTED,
    NO_SUCH_METHOD,
    NOT_FOUND,
    TIMEOUT,
    TOO_LARGE,
    UNFIT,
    Refusal,
)
from candide.serve.replies import Failure

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

MOST_BYTES = 8 << 20
"""Bytes of a request's body."""
PATIENCE = 30.0
"""Seconds that a body may take to come."""
ON_THE_SPOT = 1 << 12
"""A body of so many bytes is one row, or few, and is answered without a thread."""
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
"""Names of this machine for itself."""

JSON, TEXT = b"application/json", b"text/plain; version=0.0.4; charset=utf-8"
HTML = b"text/html; charset=utf-8"
SAFE = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))
HEADS = {kind: ((b"content-type", kind), *SAFE) for kind in (JSON, TEXT, HTML)}
"""The headers that every answer of a kind has."""

encode = msgspec.json.Encoder().encode
log = logging.getLogger("candide.serve")


class Answer(NamedTuple):
    """What goes back."""

    body: bytes
    kind: bytes = JSON
    status: int = 200
    more: tuple[tuple[bytes, bytes], ...] = ()


class Route(NamedTuple):
    """How a path is answered: by which method, by which function of body and query, and whether it may take long."""

    method: str
    call: Callable[[bytes, str], Answer]
    long: bool = False


class ModelApplication:
    """An ASGI application that asks one model.

    Parameters
    ----------
    answering : Answering
    hosts : set of str or None
        The names under which the server may be asked; None: any. A page of another site that has its own name point
        here is refused by it.
    """

    def __init__(self, answering: Answering, hosts: set[str] | None = None) -> None:
        self.answering = answering
        self.hosts = hosts
        self.host: bytes | None = None  # the last that was found right
        self.metrics = answering.metrics
        openapi = encode(describe(answering))
        self.routes = {
            "/predict": Route("POST", self._predict),
            "/explain": Route("POST", lambda body, _: Answer(encode(answering.explain(body))), long=True),
            "/questions": Route("POST", lambda body, _: Answer(encode(answering.questions(body))), long=True),
            "/": Route("GET", lambda *_: page(answering), long=True),
            "/facts": Route("GET", lambda *_: Answer(encode(answering.facts)), long=True),
            "/openapi.json": Route("GET", lambda *_: Answer(openapi)),
            "/health": Route("GET", lambda *_: Answer(encode(answering.health()))),
            "/metrics": Route("GET", lambda *_: Answer(self.metrics.text().encode(), TEXT)),
        }

    def _predict(self, body: bytes, query: str) -> Answer:
        at_once = None if query else self.answering.at_once(body)
        return Answer(at_once or encode(self.answering.predict(body, level_of(query) if query else None)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; or tell the server that all is ready."""
        if scope["type"] != "http":
            await live(scope, receive, send)
            return
        start = perf_counter()
        path: str = scope["path"]
        try:
            headers = dict(scope["headers"])
            route = self._route(scope["method"], path, headers.get(b"host", b""))
            body = b""
            if route.method == "POST":
                check_length(headers.get(b"content-length", b""))
                message = await receive()
                body = message["body"] if is_whole(message) else await read_on(message, receive)
            query = scope["query_string"].decode("latin-1")
            if route.long or query or len(body) > ON_THE_SPOT:
                answer = await asyncio.to_thread(route.call, body, query)
            else:
                answer = route.call(body, query)
        except Refusal as refusal:
            answer = refused(refusal)
        except (ValueError, TypeError) as error:  # what the model itself refuses, such as an unseen level
            answer = refused(Refusal(UNFIT, " ".join(str(error).split())))
        except Disconnected:
            return
        except Exception:
            log.exception("%s %s failed", scope["method"], path)
            answer = Answer(encode(Failure("the server failed; its log says where")), status=500)
        await send({"type": "http.response.start", "status": answer.status, "headers": head(answer)})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else answer.body})
        self.metrics.request(path if path in self.routes else "other", answer.status, perf_counter() - start)

    def _route(self, method: str, path: str, host: bytes) -> Route:
        """Return what answers a request; refuse one to another host, to no place or by another method."""
        if self.hosts is not None and host != self.host:
            self.host = check_host(host, self.hosts)
        route = self.routes.get(path)
        if route is None:
            raise Refusal(NOT_FOUND, f"there is nothing at {path[:80]}; there are {', '.join(self.routes)}")
        if method != route.method and (method, route.method) != ("HEAD", "GET"):
            raise Refusal(NO_SUCH_METHOD, f"{path} answers {route.method}, not {method[:20]}", allow=route.method)
        return route


class Disconnected(Exception):  # noqa: N818  # no error: whoever asked has gone
    """Whoever asked has gone before the body was there."""


def check_length(length: bytes) -> None:
    """Refuse a body that says how long it is, before it comes."""
    if len(length) > 6 and int(length) > MOST_BYTES:  # the server has seen that it is a number
        raise too_large()


def is_whole(message: MutableMapping[str, Any]) -> bool:
    """Whether a message is all of a body, as it usually is."""
    return message["type"] == "http.request" and not message.get("more_body") and len(message["body"]) <= MOST_BYTES


async def read_on(message: MutableMapping[str, Any], receive: Receive) -> bytes:
    """Return the body of a request that comes in parts."""
    parts, size = [], 0
    try:
        async with asyncio.timeout(PATIENCE):
            while True:  # ends: with the body, or when it is too large or too late
                if message["type"] == "http.disconnect":
                    raise Disconnected
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > MOST_BYTES:
                    raise too_large()
                if not message.get("more_body"):
                    return b"".join(parts)
                message = await receive()
    except TimeoutError:
        raise Refusal(TIMEOUT, f"the body did not come within {PATIENCE:g} seconds") from None


def too_large() -> Refusal:
    """Return the refusal of a body that is too large."""
    return Refusal(TOO_LARGE, f"the body is larger than {MOST_BYTES >> 20} MB: send fewer rows at a time")


def check_host(header: bytes, hosts: set[str]) -> bytes:
    """Refuse a request under another name than the server goes by; return the name."""
    given = header.decode("latin-1")
    host = given[1:].partition("]")[0] if given.startswith("[") else given.rpartition(":")[0] or given
    if host.lower() not in hosts:
        raise Refusal(MISDIRECTED, f"this server does not go by the name {host[:80]!r}")
    return header


def level_of(query: str) -> float | None:
    """Return the probability that ?interval= asks for."""
    given = parse_qs(query, keep_blank_values=True)
    strange = [name for name in given if name != "interval"]
    if strange:
        raise Refusal(UNFIT, f"there is no parameter {strange[0][:40]!r}; there is 'interval'")
    try:
        level = float(given["interval"][-1]) if given else None
    except ValueError:
        raise Refusal(BAD_REQUEST, f"interval={given['interval'][-1][:40]!r} is not a number") from None
    if level is not None and not 0 < level < 1:
        raise Refusal(UNFIT, f"interval={level:g}: a probability between 0 and 1")
    return level


def page(answering: Answering) -> Answer:
    """Return the report page, which a browser lets run its own script only, and no other page show within itself."""
    may = f"{policy_of(answering.page)}; frame-ancestors 'none'"
    return Answer(answering.page.encode(), HTML, more=((b"content-security-policy", may.encode()),))


def refused(refusal: Refusal) -> Answer:
    """Return the answer to what is not answered."""
    allow = () if refusal.allow is None else ((b"allow", refusal.allow.encode()),)
    return Answer(encode(Failure(refusal.sentence, refusal.column)), JSON, refusal.status, allow)


def head(answer: Answer) -> list[tuple[bytes, bytes]]:
    """Return the headers of an answer."""
    return [(b"content-length", b"%d" % len(answer.body)), *HEADS[answer.kind], *answer.more]


async def live(scope: Scope, receive: Receive, send: Send) -> None:
    """Tell the server that there is nothing to begin or to end."""
    if scope["type"] != "lifespan":
        raise ValueError(f"a connection of type {scope['type']!r} is not served")
    for ready in ("lifespan.startup", "lifespan.shutdown"):
        message = await receive()
        assert message["type"] == ready
        await send({"type": f"{ready}.complete"})
