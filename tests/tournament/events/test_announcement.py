"""The announcement of an event: its text, its facts, and what other sites show of it."""

import json
import re
from datetime import date, time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from games.models.markdown import render_markdown
from tests.events import Event, make_event
from tests.people import Person, problem_in
from tests.tournament.conftest import OpenPage, login
from tests.tournament.events.test_verify_state import verify
from tournament.events.sharing import event_as_json
from tournament.models import Tournament
from tournament.rounds.services import schedule_round

LINK = '<a href="%s" rel="nofollow noopener noreferrer">%s</a>'
RENDERED = [
    ("*a* **b**\n\nc", "<p><em>a</em> <strong>b</strong></p>\n<p>c</p>\n"),
    ("# A", "<h3>A</h3>\n"),
    ("##### B", "<h3>B</h3>\n"),
    ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"),
    ("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>\n"),
    ("[a](javascript:x)", "<p>[a](javascript:x)</p>\n"),
    ("[a](ftp://b)", '<p><a rel="nofollow noopener noreferrer">a</a></p>\n'),
    ("[a](https://b)", f"<p>{LINK % ('https://b', 'a')}</p>\n"),
    ("[a https://c.org](https://b)", f"<p>{LINK % ('https://b', 'a https://c.org')}</p>\n"),
    (
        "**See** https://b.org/x_y_z?a=1&b=2, <i>`https://c.org`",
        f"<p><strong>See</strong> {LINK % (('https://b.org/x_y_z?a=1&amp;b=2',) * 2)},"
        " &lt;i&gt;<code>https://c.org</code></p>\n",
    ),
    ("javascript:alert(1)", "<p>javascript:alert(1)</p>\n"),
    (
        "|a|b|\n|-|:-:|\n|1|2|",
        "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n"
        "<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n",
    ),
    ("![a](https://b/c.png)", render_markdown("&#33;[a](https://b/c.png)")),
]
LATER = "2020-01-02"
ANNOUNCED: dict[str, Any] = {
    "description": "# Welcome\n\nA </script> & **rapid** open.",
    "venue": "Chess Club, Rua Augusta 12",
    "map_url": "https://maps.example.org/?q=1&z=2",
    "fee": "20",
    "contact": "olga@example.org",
}


@pytest.mark.parametrize(("text", "html"), RENDERED)
def test_a_text_becomes_clean_html_without_pictures(text: str, html: str) -> None:
    assert render_markdown(text) == html


@pytest.fixture
def event(organiser: Person) -> Event:
    """An event that is open for entries, with 30 places and prizes in euros."""
    event = make_event(organiser, places=30, place="Lisbon", country="POR", currency="EUR")
    return event.step("open")


def announce(event: Event, **values: Any) -> Any:
    return event.owner.patch(event.path, values)


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"description": "x" * 20_001}, "max_length"),
        ({"description": "a\u202eb"}, "invalid"),
        ({"map_url": "http://maps.example.org"}, "invalid"),
        ({"map_url": "javascript:alert(1)"}, "invalid"),
        ({"map_url": "https://maps.example.org@other.example.org/"}, "invalid"),
        ({"venue": "x" * 241}, "max_length"),
        (
            {"registration_until": "2020-01-01", "registration_from": "2020-01-02"},
            "senseless_dates",
        ),
    ],
)
@pytest.mark.django_db
def test_what_cannot_be_announced(event: Event, values: dict[str, Any], code: str) -> None:
    before = Tournament.objects.values().get()
    problem = problem_in(announce(event, **values), 422)
    assert [(error["pointer"], error["code"]) for error in problem["errors"]] == [
        (f"/{next(iter(values))}", code)
    ]
    assert Tournament.objects.values().get() == before


@pytest.mark.django_db
def test_the_first_page_says_it_and_so_does_what_other_sites_show(
    event: Event, open_page: OpenPage
) -> None:
    assert announce(event, **ANNOUNCED).json().items() >= ANNOUNCED.items()
    day = event.tournament.starts_on
    schedule_round(event.tournament, 1, day, time(10), by=event.owner.account)
    page = open_page("/e/spring").content.decode()

    assert "<h3>Welcome</h3>\n<p>A &lt;/script&gt; &amp; <strong>rapid</strong> open.</p>" in page
    section = page.partition('id="announcement"')[2].partition("</section>")[0]
    assert re.findall("<dd.*?>(.*?)</dd>", section) == [
        "Chess Club, Rua Augusta 12",
        '<a href="https://maps.example.org/?q=1&amp;z=2" rel="nofollow noopener noreferrer">'
        "Show the venue on a map</a>",
        "20 EUR",
        "30 of 30 are free",
        '<a href="mailto:olga@example.org">olga@example.org</a>',
    ]
    described = dict(re.findall('<meta property="og:([a-z]+)" content="(.*?)">', page))
    assert (
        described.items()
        >= {
            "title": "Spring Open",
            "url": "http://localhost:8000/e/spring",
            "image": "http://localhost:8000/rules/star-star/board.png?board_size=4",
        }.items()
    )
    assert "Chess Club, Rua Augusta 12 · Portugal · *Star. Welcome A" in described["description"]
    data = page.partition('<script type="application/ld+json">')[2].partition("</script>")[0]
    assert json.loads(data) == {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": "Spring Open",
        "url": "http://localhost:8000/e/spring",
        "image": "http://localhost:8000/rules/star-star/board.png?board_size=4",
        "startDate": f"{day}T10:00:00+00:00",
        "endDate": str(event.tournament.ends_on),
        "eventStatus": "https://schema.org/EventScheduled",
        "location": {
            "@type": "Place",
            "name": "Chess Club, Rua Augusta 12",
            "address": {
                "@type": "PostalAddress",
                "streetAddress": "Chess Club, Rua Augusta 12",
                "addressLocality": "Lisbon",
                "addressCountry": "PT",
            },
            "hasMap": "https://maps.example.org/?q=1&z=2",
        },
        "description": "Welcome A </script> & rapid open.",
        "maximumAttendeeCapacity": 30,
        "offers": {
            "@type": "Offer",
            "price": "20.00",
            "priceCurrency": "EUR",
            "url": "http://localhost:8000/e/spring/apply",
        },
    }
    assert verify() == []


@pytest.mark.parametrize(
    ("fee", "currency", "offer"),
    [
        ("12.5", "EUR", ("12.50", "EUR")),
        ("20 USD", "EUR", ("20.00", "USD")),
        ("20 EUR", "", ("20.00", "EUR")),
        ("20", "", None),
        ("20, juniors 10", "EUR", None),
        ("none", "EUR", None),
    ],
)
def test_a_fee_is_an_offer_if_it_is_an_amount(
    fee: str, currency: str, offer: tuple[str, str] | None
) -> None:
    event = Tournament(
        slug="spring", game="star-star", board="6", starts_on=date(2026, 5, 1),
        ends_on=date(2026, 5, 1), fee=fee, currency=currency, country="ENG", place="Hull",
    )  # fmt: skip
    shown = event_as_json(event, [])
    assert shown["location"]["address"]["addressCountry"] == "GB"
    made = shown.get("offers")
    assert (made and (made["price"], made["priceCurrency"])) == offer
    event.state = Tournament.State.CANCELLED
    assert "offers" not in event_as_json(event, [])


@pytest.mark.parametrize(
    ("first", "last", "state"),
    [
        (0, 0, "open for entries"),
        (1, 2, "entries open on"),
        (-2, -1, "entries closed on"),
        (None, 0, "open for entries"),
        (0, None, "open for entries"),
    ],
)
@pytest.mark.django_db
def test_applications_have_a_first_and_a_last_day(
    event: Event, ada: Person, first: int | None, last: int | None, state: str
) -> None:
    def day(shift: int | None) -> date | None:
        return None if shift is None else timezone.now().date() + timedelta(days=shift)

    Tournament.objects.update(registration_from=day(first), registration_until=day(last))
    is_open = state == "open for entries"
    if not is_open:
        state = f"{state} {date_format(day(first if state.startswith('entries open') else last))}"
    page = login(ada).get("/e/spring").content.decode()
    assert ('href="/e/spring/apply"' in page) == is_open
    for address in ("/e/spring", "/", "/events", "/search?q=spring"):
        assert state in Client().get(address).content.decode(), address
    answer = ada.post(f"{event.path}/entries/apply")
    if is_open:
        assert answer.status_code == 201
    else:
        problem_in(answer, 409, "applications_closed")
