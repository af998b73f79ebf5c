"""Requests, retries, streams and errors."""

import dataclasses
import http.client
import json
import random
import re
import ssl
import time
import types
import typing
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

T = TypeVar("T")

_BASE_S = 0.25
_MAX_WAIT_S = 60.0
_UNAVAILABLE = (502, 503, 504)
_ENDED = ("completed", "failed", "cancelled", "timeout", "budget_exceeded")


@dataclasses.dataclass(frozen=True)
class Issue:
    """An invalid input."""

    path: str
    message: str


class CountersignError(Exception):
    """A problem that the server answered with."""

    status: int
    #: Stable; `unexpected`: an answer of a proxy.
    code: str
    #: Stable; docs/reference/refusals.md.
    refusal: str | None
    request_id: str | None
    issues: list[Issue]

    def __init__(self, status: int, problem: dict[str, Any] | None) -> None:
        found = problem or {}
        super().__init__(found.get("title", f"The server answered with status {status}."))
        self.status = status
        self.code = found.get("code", "unexpected")
        self.refusal = found.get("refusal")
        self.request_id = found.get("requestId")
        self.issues = [Issue(each["path"], each["message"]) for each in found.get("issues", [])]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Page(Generic[T]):
    """A part of a list."""

    items: list[T]
    #: None: the last page.
    next_cursor: str | None = None


def list_all(page: Callable[[str | None], Page[T]]) -> Iterator[T]:
    """List all items, page by page: `list_all(lambda cursor: client.list_runs(cursor=cursor))`."""
    cursor: str | None = None
    while True:
        found = page(cursor)
        yield from found.items
        cursor = found.next_cursor
        if cursor is None:
            return


def _to_attribute(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def decode(kind: Any, value: Any) -> Any:
    """Build dataclasses; members that they do not list are dropped."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union) and types.NoneType in arguments:
        others = [each for each in arguments if each is not types.NoneType]
        return value if value is None or len(others) != 1 else decode(others[0], value)
    if origin is list:
        return [decode(arguments[0], each) for each in _demand(list, value)]
    if origin is dict:
        return {name: decode(arguments[1], each) for name, each in _demand(dict, value).items()}
    made = origin if origin is not None else kind
    if not dataclasses.is_dataclass(made) or not isinstance(made, type):
        return value
    given = {_to_attribute(name): each for name, each in _demand(dict, value).items()}
    members = {}
    for field in dataclasses.fields(made):
        # A page's items are its only type variable.
        declared = list[arguments[0]] if field.type == list[T] else field.type  # type: ignore[valid-type]
        members[field.name] = decode(declared, given[field.name]) if field.name in given else None
    return made(**members)


def _demand(kind: type[T], value: Any) -> T:
    if isinstance(value, kind):
        return value
    raise CountersignError(200, {"title": "The server's answer has another form: is it the same version?"})


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    # Another place must not see the token.
    def redirect_request(self, *_: Any) -> None:
        return None


def _read_problem(error: urllib.error.HTTPError) -> CountersignError:
    with error:
        is_problem = (error.headers.get("content-type") or "").startswith("application/problem+json")
        try:
            problem = json.loads(error.read()) if is_problem else None
        except (ValueError, OSError, http.client.HTTPException):
            problem = None
    return CountersignError(error.code, problem if isinstance(problem, dict) else None)


def _retry_delay(error: Exception, attempt: int) -> float | None:
    """Return seconds to wait; None: a repeat would not help."""
    text = error.headers.get("retry-after") if isinstance(error, urllib.error.HTTPError) else None
    after = float(text) if text is not None and re.fullmatch(r"\d{1,9}", text) else None
    if isinstance(error, urllib.error.HTTPError) and error.code not in _UNAVAILABLE and (error.code != 429 or after is None):
        return None
    return min(_BASE_S * 2**attempt * (1 + random.random()) if after is None else after, _MAX_WAIT_S)


def _read_events(response: Any) -> Iterator[Any]:
    lines: list[bytes] = []
    while line := response.readline():
        if line != b"\n":
            lines.append(line.rstrip(b"\n"))
            continue
        if len(lines) == 1 and lines[0].startswith(b"data: "):
            yield json.loads(lines[0][6:])
        lines = []


def _to_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Caller:
    """Send requests; lost connections, 429, 502, 503 and 504 are retried with one Idempotency-Key.

    `url` such as `https://countersign.example.com`, http only on this machine; `timeout_s` of one read, longer than `wait`.
    """

    def __init__(
        self, url: str, token: str, *, attempts: int = 4, timeout_s: float = 90, ssl_context: ssl.SSLContext | None = None
    ) -> None:
        address = urllib.parse.urlsplit(url)
        if address.scheme != "https" and not (address.scheme == "http" and address.hostname in _LOOPBACK):
            raise ValueError("url must begin with https:// (http:// only on this machine)")
        self._base = url.rstrip("/")
        self._token = token
        self._attempts = attempts
        self._timeout_s = timeout_s
        self._opener = urllib.request.build_opener(_NoRedirect, urllib.request.HTTPSHandler(context=ssl_context))

    def _request(
        self,
        method: str,
        path: str,
        parameters: dict[str, Any],
        query: dict[str, Any],
        body: Any,
        key: str | None,
        respond_async: bool = False,
    ) -> urllib.request.Request:
        placed = path.format(**{name: urllib.parse.quote(value, safe="") for name, value in parameters.items()})
        search = urllib.parse.urlencode({name: _to_text(value) for name, value in query.items() if value is not None})
        headers = {"Authorization": f"Bearer {self._token}", "User-Agent": "countersign-python"}
        data: Any = None
        if isinstance(body, bytes) or hasattr(body, "read"):
            data = body
            headers["Content-Type"] = "application/octet-stream"
        elif body is not None:
            data = json.dumps({name: value for name, value in body.items() if value is not None}, allow_nan=False).encode()
            headers |= {"Content-Type": "application/json", "Idempotency-Key": key or str(uuid.uuid4())}
        if respond_async:
            headers["Prefer"] = "respond-async"
        return urllib.request.Request(f"{self._base}{placed}{search and '?'}{search}", data, headers, method=method)

    def _send(self, request: urllib.request.Request, read: Callable[[Any], T]) -> T:
        attempt = 0
        while True:
            try:
                return read(self._opener.open(request, timeout=self._timeout_s))
            except (OSError, http.client.HTTPException) as error:
                attempt += 1
                may_repeat = attempt < self._attempts and (request.data is None or isinstance(request.data, bytes))
                delay_s = _retry_delay(error, attempt - 1) if may_repeat else None
                if delay_s is None:
                    if isinstance(error, urllib.error.HTTPError):
                        raise _read_problem(error) from None
                    raise error if isinstance(error, OSError) else ConnectionError(str(error)) from error
                if isinstance(error, urllib.error.HTTPError):
                    error.close()
            time.sleep(delay_s)

    def _read(self, *call: Any) -> str:
        def read(response: Any) -> str:
            with response:
                return response.read().decode()

        return self._send(self._request(*call), read)

    def _get(self, kind: Any, *call: Any) -> Any:
        text = self._read(*call)
        try:
            return decode(kind, json.loads(text))
        except json.JSONDecodeError:
            raise CountersignError(200, None) from None

    def _follow(self, kind: Any, *call: Any) -> Iterator[Any]:
        """Open a stream that ends before its run again."""
        seen: Any = None
        lost = 0
        while True:
            fault: Exception = ConnectionError("The stream ended before the run.")
            response = self._send(self._request(*call), lambda opened: opened)
            with response:
                try:
                    for event in _read_events(response):
                        lost = 0
                        if event == seen:
                            continue
                        seen = event
                        yield decode(kind, event)
                        if event["frozen"] is not None or event["status"] in _ENDED:
                            return
                except (OSError, http.client.HTTPException, json.JSONDecodeError) as error:
                    fault = error
            lost += 1
            if lost >= self._attempts:
                raise fault
            time.sleep(_BASE_S * 2**lost)
