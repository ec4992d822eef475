"""`python -m deploy.server`: serve the WSGI application on HOST and PORT until SIGTERM."""

import uvloop
from django.conf import settings
from django.utils.module_loading import import_string

from deploy.server.limits import Limits, connection_limit, raise_file_limit


def main() -> None:
    """Set Django up, and serve."""
    wsgi = import_string("deploy.wsgi.application")
    # These import the API, which needs Django to be set up.
    from deploy.middleware import body_limit
    from deploy.server.application import ThreadedApplication
    from deploy.server.serve import listen, serve

    raise_file_limit()
    limits = Limits(per_address=settings.CONNECTIONS_PER_ADDRESS, connections=connection_limit())
    application = ThreadedApplication(
        wsgi,
        limits,
        threads=settings.WEB_THREADS,
        queued=settings.MAX_QUEUED_REQUESTS,
        body_limit=body_limit,
    )
    listener = listen(settings.HOST, settings.PORT)
    uvloop.run(serve(application, listener, limits, settings.STREAM_SOCKET))


if __name__ == "__main__":
    main()
