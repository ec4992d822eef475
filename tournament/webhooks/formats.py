"""The messages of webhooks in words, as the incoming webhooks of chat programs take them.

Discord takes `content` of at most 2,000 characters, Slack and Mattermost take `text`. Names are
written by anybody, so they must not mention a whole channel, format text or make links: Discord is
told to resolve no mention, Markdown is escaped, and so are the characters by which Slack begins a
mention; an invisible space after each @ breaks what Mattermost would resolve.
"""

import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.utils import translation

from games.core.accounts.mail import harmless
from games.core.text import translated
from games.rules.text import Text
from tournament.messages.feed import FeedEntry, lines_of
from tournament.models import Webhook

Format = Webhook.Format

ADDRESSES: Final = {
    Format.DISCORD: re.compile(
        r"(?:\w+\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d+/[\w-]+/?", re.ASCII
    ),
    Format.SLACK: re.compile(r"hooks\.slack(?:-gov)?\.com/services/[\w/]+", re.ASCII),
}
"""The addresses that no other program has; Mattermost runs on hosts of any name."""
LONGEST: Final = {Format.DISCORD: 2000, Format.SLACK: 4000, Format.MATTERMOST: 4000}
MARKS: Final = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>:])")
ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
HIDDEN_SPACE: Final = "\u200b"


def format_of(url: str) -> Webhook.Format | None:
    """Return the format that an address needs, if it is certain."""
    parts = urlsplit(url)
    place = f"{parts.hostname}{parts.path}"
    return next((name for name, known in ADDRESSES.items() if known.fullmatch(place)), None)


def text_of(webhook: Webhook, entry: FeedEntry) -> Any:
    """Return the message of an entry in the owner's language; None for one without words."""
    message = entry.own_message()
    if message is None:
        return None
    return write_text(webhook, message.title, lines_of(message, entry), message.link)


def write_text(webhook: Webhook, title: str, lines: Sequence[str], link: str) -> Any:
    """Return the JSON of a message whose last lines are left out if it would be too long."""
    with translation.override(webhook.owner.language or settings.LANGUAGE_CODE):
        name = Format(webhook.format)
        head, *rows = [_clean(translated(line), name) for line in (title, *lines)]
        text = "\n".join([head, *rows, link])
        shown = len(rows)
        while _length(text) > LONGEST[name] and shown:
            shown -= 1
            more = Text("… and %(count)s more: %(link)s", count=len(rows) - shown, link=link)
            text = "\n".join([head, *rows[:shown], translated(more)])
    if name == Format.DISCORD:
        return {"content": text, "allowed_mentions": {"parse": []}}
    return {"text": text, "mrkdwn": False} if name == Format.SLACK else {"text": text}


def _clean(text: str, name: Webhook.Format) -> str:
    """Return a line that mentions nobody, makes no link and formats nothing."""
    line = harmless(text)
    if name == Format.SLACK:
        line = "".join(ENTITIES.get(letter, letter) for letter in line)
    else:
        line = MARKS.sub(r"\\\1", line)
    return line.replace("@", f"@{HIDDEN_SPACE}")


def _length(text: str) -> int:
    """Return the length by the units of JavaScript, the most that anybody counts."""
    return len(text.encode("utf-16-le")) // 2
