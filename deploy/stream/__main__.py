"""`python -m deploy.stream`: send events to the listeners of STREAM_SOCKET until SIGTERM."""

import uvloop
from django.conf import settings
from django.utils.module_loading import import_string

from deploy.server.limits import Limits, connection_limit, raise_file_limit


def main() -> None:
    """Set Django up, and serve."""
    wsgi = import_string("deploy.wsgi.application")
    # These import the API, which needs Django to be set up.
    from deploy.stream.serve import serve

    raise_file_limit()
    limits = Limits(connections=connection_limit())
    uvloop.run(serve(wsgi, limits, listeners_per_address=settings.LISTENERS_PER_ADDRESS))


if __name__ == "__main__":
    main()
