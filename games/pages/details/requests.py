"""What is wrong with a request as such, and what the service cannot do now."""

from typing import Final

from django.utils.translation import gettext_noop

REQUESTS: Final = (
    gettext_noop("%(detail)s; nothing was changed, try again when there is space"),
    gettext_noop("%(field)s is %(value)s; expected true or false"),
    gettext_noop("%(field)s is %(value)s; it must be a whole number from %(least)s"),
    gettext_noop("%(field)s is %(value)s; valid are: %(names)s"),
    gettext_noop("%(field)s is %(value)s; valid: %(names)s"),
    gettext_noop("%(field)s must be a whole number from %(least)s to %(most)s"),
    gettext_noop("%(name)s is not a filter; valid are: %(names)s"),
    gettext_noop("%(name)s is not a parameter; valid are: %(names)s"),
    gettext_noop("%(name)s is not a parameter; valid are: after"),
    gettext_noop("%(subject)s: %(detail)s"),
    gettext_noop("0 to %(last)s"),
    gettext_noop("a country is a three-letter code, or empty"),
    gettext_noop("a square has at most %(most)s lines; use shape=rounds"),
    gettext_noop("another sheet is being printed; try again in a minute"),
    gettext_noop("bytes of records by one player about one game"),
    gettext_noop("bytes of responses to requests with an Idempotency-Key in 24 hours"),
    gettext_noop("did you mean %(name)s?"),
    gettext_noop("entries in one event"),
    gettext_noop("events that one account creates in 24 hours; wait, or ask site staff"),
    gettext_noop("games"),
    gettext_noop("line breaks and control characters are not allowed"),
    gettext_noop("members are: %(names)s"),
    gettext_noop("no problem has the code %(code)s"),
    gettext_noop("only for: %(roles)s; you have none of these roles here"),
    gettext_noop("open invitations of one event; revoke some first"),
    gettext_noop("open proposals of games by one player; cancel some first"),
    gettext_noop("plans that one account requests in 24 hours; wait, or ask site staff"),
    gettext_noop("players"),
    gettext_noop("reports by one player about one game"),
    gettext_noop("requests with an Idempotency-Key by one account in 24 hours"),
    gettext_noop("send at least one of: %(names)s"),
    gettext_noop("send one of %(names)s, not %(count)s of them"),
    gettext_noop("the body is larger than the limit of %(most)s bytes"),
    gettext_noop("the content is invalid"),
    gettext_noop(
        "the database did not respond in time; check whether a change was made, and try again"
    ),
    gettext_noop("the effect has changed since the preview; preview it again"),
    gettext_noop(
        "the form is too old, or was not sent by a page of this site; load the page again"
    ),
    gettext_noop("the form lacks %(name)s; load the page again"),
    gettext_noop("the form names no action; load the page again"),
    gettext_noop("the letters of this sheet cannot be printed"),
    gettext_noop("the limit is %(limit)s %(detail)s"),
    gettext_noop("the object has changed since you read it; read it again"),
    gettext_noop("the request contains a value that cannot be stored"),
    gettext_noop("the requested object does not exist"),
    gettext_noop(
        "the sheet has %(count)s cells; at most %(most)s can be printed; html and csv have no limit"
    ),
    gettext_noop("the text contains a NUL byte"),
    gettext_noop("the text has no visible character"),
    gettext_noop("there are %(count)s %(detail)s; at most %(most)s can be printed"),
    gettext_noop("there are %(count)s games; at most %(most)s can be printed"),
    gettext_noop("there is no task %(name)s"),
    gettext_noop("this action has no body; send none, or {}"),
    gettext_noop("this address does not exist"),
    gettext_noop("this object has no members"),
    gettext_noop("tokens of one account; revoke some first"),
    gettext_noop("webhooks of one account; delete some first"),
    gettext_noop("you do not have permission to do this"),
)
