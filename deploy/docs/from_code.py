"""The lists of the reference that are computed from the code, in Markdown: `LISTS`, by name.

Each is made from the registry that the product itself reads, so a new game, tie-break or command is
in the documentation with no further line. The settings have to be configured; no database is read.
"""

from argparse import HelpFormatter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from django.core.management import get_commands, load_command_class
from django.core.management.base import CommandParser

from games.core.permissions import EVENT_SCOPE_PATTERN, EVENT_SCOPE_TEXT, SCOPES
from games.core.problems import problem_types
from games.rules.game import Family
from games.rules.registry import GAMES
from tournament.messages.kinds import kinds_of
from tournament.pairing.options import NumberOption, Option, WordOption
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.standings.tiebreaks import TIEBREAKS

OWN_APPS: Final = ("games", "ratings", "tournament", "deploy")
MODIFIERS: Final = {"C": "/Cn", "M": "/Mn", "L": "/L±n", "P": "/P", "F": "/F", "R": "/R"}


def games() -> str:
    """Return a section for each game."""
    return "".join(
        _game(code) for family in Family for code in GAMES if GAMES[code].family is family
    )


def _game(code: str) -> str:
    rules = GAMES[code]
    rows = {
        "Board": rules.board_form,
        "Board by default": rules.first_board if len(rules.boards) > 1 else "",
        "Turns": rules.notation,
        "Options": ", ".join(f"`{option}`" for option in rules.options),
        "Players": "one" if rules.players == 1 else "",
        "Swap": "" if rules.swaps else "never",
        "Draws": "possible" if rules.draws else "",
        "Handicap": ", ".join(sorted(kind.value for kind in rules.handicaps)),
        "Source": rules.source,
    }
    facts = "".join(f"- {name}: {text}\n" for name, text in rows.items() if text)
    return f"## {_plain(rules.name)} (`{code}`)\n\n{_plain(rules.summary)}\n\n{_plain(facts)}\n"


def pairing_systems() -> str:
    """Return a section for each pairing system, with its options."""
    return "".join(
        f"## {system.name} (`{code}`)\n\n{system.summary}\n\nSource: {system.source}.\n\n"
        + "".join(f"{_option(option)}\n" for option in system.options)
        for code, system in PAIRING_SYSTEMS.items()
    )


def _option(option: Option) -> str:
    line = f"- `{option.name}`: {option.summary}"
    if isinstance(option, WordOption):
        words = "".join(f"\n  - `{word}`: {text}" for word, text in option.words.items())
        return f"{line}; the first is the default:{words}"
    if isinstance(option, NumberOption):
        default = "not set" if option.default is None else option.default
        return f"{line}; from {option.least} to {option.most}, by default {default}"
    return f"{line}; by default {str(option.default).lower()}"


def tiebreaks() -> str:
    """Return a table of the codes with their articles of C.07 and their modifiers."""
    rows = []
    for code, found in TIEBREAKS.items():
        modifiers = " ".join(f"`{MODIFIERS[letter]}`" for letter in found.modifiers)
        rows.append((f"`{code}`", found.name, found.article, modifiers))
    return _table(("code", "name", "article", "modifiers"), *rows)


def problems() -> str:
    """Return each problem code with its statuses, its cause and its remedy."""
    return "\n".join(
        f"`{found.code}`{{#{found.code}}} {', '.join(map(str, found.statuses))}\n"
        f": {found.cause} {found.remedy}\n"
        for found in problem_types().values()
    )


def scopes() -> str:
    """Return a table of the scopes of tokens."""
    texts = SCOPES | {EVENT_SCOPE_PATTERN: EVENT_SCOPE_TEXT}
    return _table(("scope", "a token may"), *((f"`{scope}`", may) for scope, may in texts.items()))


def _table(heading: Sequence[str], *rows: Sequence[str]) -> str:
    lines = (heading, ["---"] * len(heading), *rows)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def kinds() -> str:
    """Return the kinds of messages by the feeds that have them."""
    feeds = {
        "an event": "tournament",
        "a pool": "pool",
        "an account": "account",
        "the site": "site",
    }
    return "\n".join(
        f"- of {name}: {', '.join(f'`{kind}`' for kind in kinds_of(feed))}"
        for name, feed in feeds.items()
    )


def commands() -> str:
    """Return a section for each command of the project, with its options."""
    return "".join(_command(name) for name in own_commands())


def own_commands() -> list[str]:
    """Return the names of the project's own commands, in alphabetical order."""
    return sorted(name for name, app in get_commands().items() if app in OWN_APPS)


class _Parser(CommandParser):
    """A parser that lists a command's own options, without those of every command."""

    subcommands: Any = None

    def __init__(self, **options: Any) -> None:
        width = partial(HelpFormatter, width=88)
        super().__init__(**{"add_help": False, "formatter_class": width, **options})

    def add_subparsers(self, **options: Any) -> Any:
        self.subcommands = super().add_subparsers(**options)
        return self.subcommands


def _command(name: str) -> str:
    command = load_command_class(get_commands()[name], name)
    parser = _Parser(prog=f"manage.py {name}")
    command.add_arguments(parser)
    parsers = [parser, *(parser.subcommands.choices.values() if parser.subcommands else ())]
    usage = "\n".join(found.format_help() for found in parsers)
    return f"## `{name}`\n\n{_plain(command.help)}\n\n```text\n{usage}```\n\n"


def _plain(text: str) -> str:
    """Return a text in which an asterisk, as in *Star, marks nothing."""
    return text.replace("*", r"\*")


LISTS: Final[dict[str, Callable[[], str]]] = {
    made.__name__.replace("_", "-"): made
    for made in (games, pairing_systems, tiebreaks, problems, scopes, kinds, commands)
}
