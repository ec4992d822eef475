"""What an organiser can set about a pairing system: closed lists of typed options.

An option reads its own value out of what was chosen and falls back to its default, so a system
asks `CYCLES.read(request.options)` and never meets a wrong type.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournament.pairing.errors import OptionError

OptionValue = int | str | bool | None


@dataclass(frozen=True, slots=True)
class NumberOption:
    """A whole number from `least` to `most`; a default of None means that it may stay open."""

    name: str
    summary: str
    default: int | None
    least: int
    most: int

    def parse(self, value: object) -> int | None:
        """Take a value as it was sent; raises OptionError."""
        if value is None and self.default is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise OptionError(self.name, f"{self.name} is a whole number")
        if not self.least <= value <= self.most:
            raise OptionError(self.name, f"{self.name} lies between {self.least} and {self.most}")
        return value

    def read(self, options: Mapping[str, OptionValue]) -> int | None:
        """Give the value chosen, or the default."""
        return self.parse(options.get(self.name, self.default))

    def number(self, options: Mapping[str, OptionValue]) -> int:
        """Give the value of an option that is never open."""
        value = self.read(options)
        if value is None:
            raise OptionError(self.name, f"{self.name} is not set")
        return value

    def as_json(self) -> dict[str, Any]:
        """Give the option's description for the API."""
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
    """Yes or no."""

    name: str
    summary: str
    default: bool = False

    def parse(self, value: object) -> bool:
        """Take a value as it was sent; raises OptionError."""
        if not isinstance(value, bool):
            raise OptionError(self.name, f"{self.name} is true or false")
        return value

    def read(self, options: Mapping[str, OptionValue]) -> bool:
        """Give the value chosen, or the default."""
        return self.parse(options.get(self.name, self.default))

    def as_json(self) -> dict[str, Any]:
        """Give the option's description for the API."""
        return {
            "name": self.name,
            "kind": "flag",
            "summary": self.summary,
            "default": self.default,
        }


@dataclass(frozen=True, slots=True)
class WordOption:
    """One word of a list, each with what it means; the first is the default."""

    name: str
    summary: str
    words: Mapping[str, str]

    def parse(self, value: object) -> str:
        """Take a value as it was sent; raises OptionError."""
        if not isinstance(value, str) or value not in self.words:
            valid = tuple(self.words)
            raise OptionError(self.name, f"{self.name} is one of {', '.join(valid)}", valid)
        return value

    def read(self, options: Mapping[str, OptionValue]) -> str:
        """Give the word chosen, or the default."""
        return self.parse(options.get(self.name, next(iter(self.words))))

    def as_json(self) -> dict[str, Any]:
        """Give the option's description for the API."""
        return {
            "name": self.name,
            "kind": "word",
            "summary": self.summary,
            "default": next(iter(self.words)),
            "words": dict(self.words),
        }


Option = NumberOption | FlagOption | WordOption


def parse_options(known: Sequence[Option], chosen: Mapping[str, object]) -> dict[str, OptionValue]:
    """Take options as they were sent, only those that were; raises OptionError."""
    by_name = {option.name: option for option in known}
    for name in chosen:
        if name not in by_name:
            valid = tuple(by_name)
            listed = f"valid are: {', '.join(valid)}" if valid else "it has no options"
            raise OptionError(name, f"{name[:40]!r} is no option of this system; {listed}", valid)
    return {name: by_name[name].parse(value) for name, value in chosen.items()}
