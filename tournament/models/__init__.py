"""The tables of tournaments: settings, entries, rounds, corrections, forecasts and others.

Unique keys and indexes start with the tournament, so that its rows can be stored together. A
pairing belongs to a version of its round; an older version stays unchanged. The result of a game
is read from the game; a bye is a pairing with one entry, and `kind` names it.
"""

from tournament.models.certificates import Certificate, Explanation
from tournament.models.corrections import Correction
from tournament.models.events import Bye, Entry, Tournament
from tournament.models.forecasts import Forecast
from tournament.models.links import PersonalLink
from tournament.models.reports import NameReport
from tournament.models.rounds import Pairing, Round
from tournament.models.subscriptions import GATHERING, Notice, PushDevice, Subscription
from tournament.models.webhooks import Webhook, WebhookDelivery

__all__ = [
    "GATHERING",
    "Bye",
    "Certificate",
    "Correction",
    "Entry",
    "Explanation",
    "Forecast",
    "NameReport",
    "Notice",
    "Pairing",
    "PersonalLink",
    "PushDevice",
    "Round",
    "Subscription",
    "Tournament",
    "Webhook",
    "WebhookDelivery",
]
