"""What channels get: which program it is, the words, and what names cannot do."""

from typing import Any

import pytest
from django.conf import settings

from games.models import Account
from games.play.services import rule_game
from tests.events import Event, settle
from tests.tournament.webhooks.receiver import Receiver
from tournament.models import Webhook
from tournament.rounds.services import complete_round
from tournament.webhooks.formats import format_of, write_text
from tournament.webhooks.sending import send_due
from tournament.webhooks.services import create_webhook, edit_webhook, request_ping

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PAGE = f"{settings.PUBLIC_URL}/e/spring"
DISCORD = "https://discord.com/api/webhooks/123/a_B-c"
SLACK = "https://hooks.slack.com/services/T0/B0/x9"


@pytest.mark.parametrize(
    ("url", "found"),
    [
        (DISCORD, "discord"),
        ("https://canary.discord.com/api/v10/webhooks/123/a_B-c", "discord"),
        ("https://discordapp.com/api/webhooks/123/abc", "discord"),
        (SLACK, "slack"),
        ("https://hooks.slack-gov.com/services/T0/B0/x9", "slack"),
        ("https://chat.example.org/hooks/abcdefghijklmnopqrstuvwxyz", None),
        ("https://discord.com.example.org/api/webhooks/123/abc", None),
        ("https://example.org/discord.com/api/webhooks/123/abc", None),
        ("https://discord.com/api/webhooks/123/abc/slack", None),
        ("https://hooks.slack.com/workflows/T0/B0/x9", None),
    ],
)
def test_an_address_tells_which_program_it_is(url: str, found: str | None) -> None:
    assert format_of(url) == found


def test_the_format_follows_the_address_unless_it_is_named(event: Event) -> None:
    by: Any = event.owner.account

    def formats(url: str, named: str | None) -> tuple[str, str]:
        """Return the format of a new webhook, and of one that gets this address."""
        made = create_webhook(event.stream, url, [], by=by, format=named)
        changed = create_webhook(event.stream, "https://example.org/", [], by=by)
        edit_webhook(changed, {"url": url, "format": named}, by=by)
        return made.format, Webhook.objects.get(pk=changed.pk).format

    assert formats(DISCORD, None) == ("discord", "discord")
    assert formats(SLACK, "object") == ("object", "object")
    assert formats("https://chat.example.org/hooks/a", "mattermost") == ("mattermost",) * 2
    assert formats("https://chat.example.org/hooks/a", None) == ("object", "object")


def plain(text: str) -> str:
    return text


def escaped(text: str) -> str:
    """Return a text with the marks of Markdown that the words of these tests have escaped."""
    for mark in "-.:":
        text = text.replace(mark, f"\\{mark}")
    return text


@pytest.mark.parametrize(
    ("name", "member", "more", "write"),
    [
        ("discord", "content", {"allowed_mentions": {"parse": []}}, escaped),
        ("slack", "text", {"mrkdwn": False}, plain),
        ("mattermost", "text", {}, escaped),
    ],
)
def test_a_channel_follows_a_round(
    event: Event, receiver: Receiver, name: str, member: str, more: dict[str, Any], write: Any
) -> None:
    by: Any = event.owner.account
    webhook = create_webhook(event.stream, receiver.url, [], by=by, format=name)
    games = event.publish(1)
    for game in games:
        rule_game(game, by=by, reason="a private reason", result="11-10")
    settle()
    complete_round(event.tournament, 1, by=by)
    request_ping(webhook)
    send_due()

    names = [(game.first.name, game.second.name) for game in games]
    rows = event.owner.get(f"{event.path}/standings").json()["rows"]
    table = [f"{row['rank']}. {row['player']['name']} {row['values']['PTS']}" for row in rows]
    boards = [f"{board}. {one} – {other}" for board, (one, other) in enumerate(names, start=1)]
    expected = [
        (["Spring Open: pairings of round 1", *boards], f"{PAGE}/rounds/1"),
        *(
            (
                [f"Spring Open, round 1, board {board}: {one} – {other} 11-10"],
                f"{settings.PUBLIC_URL}/games/{game.pk}",
            )
            for board, (game, (one, other)) in enumerate(zip(games, names, strict=True), start=1)
        ),
        (["Spring Open: standings after round 1", *table], f"{PAGE}/standings"),
        (
            [f"The webhook {webhook.pk} sends its messages here."],
            f"{settings.PUBLIC_URL}/account/webhooks/{webhook.pk}",
        ),
    ]
    contents = receiver.contents(webhook.secret)
    told = [content for content in contents if "webhook " not in content[member]]
    ping = [content for content in contents if "webhook " in content[member]]
    assert [*told, *ping] == [
        {member: "\n".join([*map(write, lines), link]), **more} for lines, link in expected
    ]


def written(name: str, *lines: str) -> str:
    """Return the text of a message of these lines, without its link."""
    body = write_text(Webhook(format=name, owner=Account(name="Olga")), lines[0], lines[1:], PAGE)
    return str(body["content" if name == "discord" else "text"])


@pytest.mark.parametrize(
    ("line", "markdown", "slack"),
    [
        ("@everyone", "@\u200beveryone", "@\u200beveryone"),
        ("@\u200bhere @all", "@\u200bhere @\u200ball", "@\u200bhere @\u200ball"),
        ("<!channel>", "\\<\\!channel\\>", "&lt;!channel&gt;"),
        ("<@123> & <#4>", "\\<@\u200b123\\> & \\<\\#4\\>", "&lt;@\u200b123&gt; &amp; &lt;#4&gt;"),
        ("*a* _b_ ~c~", "\\*a\\* \\_b\\_ \\~c\\~", "*a* _b_ ~c~"),
        ("[x](https://bad.example)", "\\[x\\]\\(https\\: //bad\\. example\\)",
            "[x](https: //bad. example)"),
        ("a\n# b\\", "a \\# b\\\\", "a # b\\"),
    ],
)  # fmt: skip
def test_a_name_mentions_nobody_and_formats_nothing(line: str, markdown: str, slack: str) -> None:
    for name in ("discord", "mattermost"):
        assert written(name, line) == f"{markdown}\n{PAGE}"
    assert written("slack", line) == f"{slack}\n{PAGE}"


@pytest.mark.parametrize(("name", "most"), [("discord", 2000), ("slack", 4000)])
def test_what_is_too_long_is_cut(name: str, most: int) -> None:
    lines = [f"{board}: \U0001f600 {'x' * 90}" for board in range(60)]
    found = written(name, "pairings", *lines).split("\n")
    shown = len(found) - 2

    assert found[-1] == f"… and {60 - shown} more: {PAGE}"
    assert 0 < shown < 60
    assert most - 130 < len("\n".join(found)) + shown <= most
