"""The options of a pairing system: typed values with a label, a description and a default.

An option reads its own value from the chosen options, or returns its default, so that a pairing
system calls `CYCLES.read(request.options)` and never sees a value of a wrong type.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.rules.text import Text, Word
from tournament.pairing.errors import OptionError

OptionValue = int | str | bool | None

MOST_GAMES = 99
"""How often two players can meet at most: in each round of the longest event."""


@dataclass(frozen=True, slots=True)
class NumberOption:
    """A whole number from `least` to `most`. If the default is None, the option may be unset."""

    name: str
    label: str
    summary: str
    default: int | None
    least: int
    most: int

    def parse(self, value: object) -> int | None:
        """Return a valid value; raises OptionError."""
        if value is None and self.default is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise OptionError(
                self.name,
                Text("%(option)s must be a whole number", option=Word(self.name, self.label)),
            )
        if not self.least <= value <= self.most:
            raise OptionError(
                self.name,
                Text(
                    "%(option)s must be between %(least)s and %(most)s",
                    option=Word(self.name, self.label),
                    least=self.least,
                    most=self.most,
                ),
                min=self.least,
                max=self.most,
            )
        return value

    def read(self, options: Mapping[str, OptionValue]) -> int | None:
        """Return the chosen value or the default."""
        return self.parse(options.get(self.name, self.default))

    def read_number(self, options: Mapping[str, OptionValue]) -> int:
        """Return the value of an option that has a default."""
        value = self.read(options)
        if value is None:
            raise OptionError(
                self.name, Text("%(option)s is not set", option=Word(self.name, self.label))
            )
        return value

    def as_json(self) -> dict[str, Any]:
        """Return the description for the API."""
        return {
            "name": self.name,
            "kind": "number",
            "summary": self.summary,
            "default": self.default,
            "least": self.least,
            "most": self.most,
        }


@dataclass(frozen=True, slots=True)
class FlagOption:
    """True or false."""

    name: str
    label: str
    summary: str
    default: bool = False

    def parse(self, value: object) -> bool:
        """Return a valid value; raises OptionError."""
        if not isinstance(value, bool):
            raise OptionError(
                self.name,
                Text("%(option)s must be true or false", option=Word(self.name, self.label)),
            )
        return value

    def read(self, options: Mapping[str, OptionValue]) -> bool:
        """Return the chosen value or the default."""
        return self.parse(options.get(self.name, self.default))

    def as_json(self) -> dict[str, Any]:
        """Return the description for the API."""
        return {
            "name": self.name,
            "kind": "flag",
            "summary": self.summary,
            "default": self.default,
        }


@dataclass(frozen=True, slots=True)
class WordOption:
    """One word of a list; `words` maps each to its meaning, and the first is the default."""

    name: str
    label: str
    summary: str
    words: Mapping[str, str]

    @property
    def default(self) -> str:
        """The first word."""
        return next(iter(self.words))

    def parse(self, value: object) -> str:
        """Return a valid value; raises OptionError."""
        if not isinstance(value, str) or value not in self.words:
            valid = tuple(self.words)
            raise OptionError(
                self.name,
                Text(
                    "%(option)s must be one of %(names)s",
                    option=Word(self.name, self.label),
                    names=", ".join(valid),
                ),
                valid,
            )
        return value

    def read(self, options: Mapping[str, OptionValue]) -> str:
        """Return the chosen value or the default."""
        return self.parse(options.get(self.name, self.default))

    def as_json(self) -> dict[str, Any]:
        """Return the description for the API."""
        return {
            "name": self.name,
            "kind": "word",
            "summary": self.summary,
            "default": self.default,
            "words": dict(self.words),
        }


Option = NumberOption | FlagOption | WordOption


def read_options(
    known: Sequence[Option], chosen: Mapping[str, object]
) -> tuple[dict[str, OptionValue], list[OptionError]]:
    """Return the chosen options that are right, and what is wrong with each other one."""
    by_name = {option.name: option for option in known}
    values, errors = {}, []
    for name, value in chosen.items():
        try:
            if name not in by_name:
                raise _unknown_option(name, tuple(by_name))
            values[name] = by_name[name].parse(value)
        except OptionError as error:
            errors.append(error)
    return values, errors


def _unknown_option(name: str, valid: tuple[str, ...]) -> OptionError:
    hint = (
        Text("valid options: %(names)s", names=", ".join(valid))
        if valid
        else Text("it has no options")
    )
    detail = Text(
        "%(option)s is not an option of this pairing system; %(detail)s",
        option=f"{name[:40]!r}",
        detail=hint,
    )
    return OptionError(name, detail, valid)
