"""Why something with an account, a token, a role or a claim is refused."""

from typing import Final

from django.utils.translation import gettext_noop

ACCOUNT_DETAILS: Final = (
    gettext_noop("%(name)s has an account already"),
    gettext_noop("%(name)s has no token %(number)s"),
    gettext_noop("%(name)s is %(role)s already"),
    gettext_noop("%(name)s is invited to be %(role)s already; resend or revoke the invitation"),
    gettext_noop("%(name)s was merged; claim player %(number)s"),
    gettext_noop("%(names)s: valid scopes are %(scopes)s"),
    gettext_noop(
        "At most %(limit)s logins a minute may fail, for one account and from one address"
    ),
    gettext_noop("Requests without a token may use %(limit)s units a minute from one address"),
    gettext_noop("The tokens of an account may use %(limit)s units a minute"),
    gettext_noop("a director issued this token; log in yourself to agree to something"),
    gettext_noop("a personal link claims no player; sign up"),
    gettext_noop("account %(account)s is player %(number)s already; merge the two registrations"),
    gettext_noop(
        "accounts are created by the administrators of this installation, or by invitation"
    ),
    gettext_noop("an event needs an owner; grant the role to another account first"),
    gettext_noop("another claim was accepted"),
    gettext_noop("expires_at can be at most %(most)s days from now"),
    gettext_noop("expires_at is in the past"),
    gettext_noop("somebody else decides your claim: an owner or site staff"),
    gettext_noop(
        "someone else issued this token to you and can revoke it; it cannot create others"
    ),
    gettext_noop("the account does not exist"),
    gettext_noop("the address has no account yet; send a password to create it"),
    gettext_noop("the claim is already %(state)s"),
    gettext_noop("the invitation is used, revoked or expired"),
    gettext_noop("the link is wrong, or was revoked or replaced; ask the organiser for another"),
    gettext_noop("the message was sent %(count)s times; revoke it and create another one"),
    gettext_noop("the token is wrong, used, revoked, replaced by a later message, or expired"),
    gettext_noop("there is no account %(name)s; `me` returns the id of an account"),
    gettext_noop("there is no account %(number)s"),
    gettext_noop("there is no claim %(number)s that you may decide"),
    gettext_noop("there is no invitation %(number)s in %(event)s"),
    gettext_noop("there is no role %(number)s in %(event)s"),
    gettext_noop("this address has an account already"),
    gettext_noop("this token can only create tokens for %(stream)s"),
    gettext_noop("this token is valid for %(stream)s only"),
    gettext_noop("this token lacks the scope %(scope)s"),
    gettext_noop(
        "this token lacks the scope %(scope)s; it cannot create or revoke a token that has it"
    ),
    gettext_noop("you have no such token"),
    gettext_noop("your account is no player yet; claim your player first (POST /api/v1/claims)"),
    gettext_noop("your claim to be %(name)s is not decided yet"),
)
