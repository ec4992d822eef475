"""What health says about the parts of the service."""

from typing import Final

from django.utils.translation import gettext_noop

SERVICE: Final = (
    gettext_noop("no process sends events to listeners"),
    gettext_noop("no worker has run a tick yet"),
    gettext_noop("not settled after %(count)s attempts: %(numbers)s"),
    gettext_noop("not those of a recomputation: %(names)s"),
    gettext_noop("only %(free)s MiB are free in %(folder)s"),
    gettext_noop("overdue deliveries: %(count)s"),
    gettext_noop("the %(name)s's clock differs by %(seconds)s s"),
    gettext_noop("the broker does not respond"),
    gettext_noop("the broker responds with an error: %(reason)s"),
    gettext_noop("the database does not respond"),
    gettext_noop("the disk of the database server is full"),
    gettext_noop("the last tick was %(seconds)s s ago"),
    gettext_noop("unknown while the broker does not respond"),
)
