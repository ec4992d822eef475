"""Why a webhook is refused, or an attempt to deliver to it failed."""

from typing import Final

from django.utils.translation import gettext_noop

WEBHOOKS: Final = (
    gettext_noop("%(address)s is not a public address"),
    gettext_noop("%(count)s pings wait to be sent already"),
    gettext_noop("%(host)s has no address"),
    gettext_noop("%(host)s is a name of the local network"),
    gettext_noop("a stream is as tournament/spring-open or pool/star"),
    gettext_noop("an address has at most %(most)s printable ASCII characters, no spaces"),
    gettext_noop("no connection within %(seconds)s seconds"),
    gettext_noop("no response within %(seconds)s seconds"),
    gettext_noop("only an IPv6 address is written in brackets"),
    gettext_noop("only https is allowed to this address"),
    gettext_noop("port %(port)s is neither %(usual)s nor %(least)s to 65535"),
    gettext_noop("the address has no valid host"),
    gettext_noop("the address must begin with %(scheme)s://"),
    gettext_noop("the address must not contain a part after #"),
    gettext_noop("the address must not contain a user name or a password"),
    gettext_noop("the attempt failed"),
    gettext_noop("the attempt took too long"),
    gettext_noop("the message is not available"),
    gettext_noop("the name has an address that cannot be read"),
    gettext_noop("the response has the status %(status)s"),
    gettext_noop('the webhook is stopped; `{"active": true}` starts it'),
    gettext_noop("there is no address"),
    gettext_noop("there is no webhook %(number)s any more"),
    gettext_noop("there is no webhook %(number)s that you may see"),
    gettext_noop("this delivery is still to be sent"),
    gettext_noop("this is not the address of a web page"),
    gettext_noop("webhook %(webhook)s has no delivery %(number)s"),
)
