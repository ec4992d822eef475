"""The WSGI environment of a request."""

import sys
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from uvicorn._types import HTTPScope

CONSTANT: Final[dict[str, Any]] = {
    "SCRIPT_NAME": "",
    "wsgi.version": (1, 0),
    "wsgi.url_scheme": "http",
    "wsgi.errors": sys.stderr,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}


def build_environ(scope: HTTPScope) -> dict[str, Any]:
    """Return the environment of a request, without its body.

    Equal headers are joined. A name with an underscore is left out, because `X-Forwarded-For` and
    `X_Forwarded_For` would be the same variable.
    """
    client, server = scope["client"] or ("", 0), scope["server"] or ("", 0)
    environ = {
        **CONSTANT,
        "REQUEST_METHOD": scope["method"],
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "REMOTE_ADDR": client[0],
    }
    for name, value in scope["headers"]:
        if b"_" in name:
            continue
        variable = name.decode("latin-1").upper().replace("-", "_")
        if variable not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            variable = f"HTTP_{variable}"
        text = value.decode("latin-1")
        if variable in environ:
            text = f"{environ[variable]}{'; ' if variable == 'HTTP_COOKIE' else ', '}{text}"
        environ[variable] = text
    return environ
