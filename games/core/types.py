"""Answers that a function builds as a dict: the TypedDict that it returns is their description.

A text with which a member is `Annotated` describes it, a dict completes its schema; a `NotRequired`
one may be absent, a docstring describes the object.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final, TypedDict, get_args, get_type_hints, is_typeddict

from rest_framework.serializers import BaseSerializer

TRIED: Final = "with `?dry_run=1`: the effect, without what only the write makes"
"""The description of a dry run, and of its member `dry_run`."""

hints_of = partial(get_type_hints, include_extras=True)
typed_dict: Any = TypedDict


class TypeSerializer(BaseSerializer[Any]):
    """An answer as it is; `hint` is its type."""

    hint: Any

    def to_representation(self, instance: Any) -> Any:
        return instance


@cache
def described(hint: Any) -> Any:
    """Return what stands for a TypedDict where a serializer is declared; others stay."""
    return type(hint.__name__, (TypeSerializer,), {"hint": hint}) if is_typeddict(hint) else hint


def returned_type(function: Callable[..., Any]) -> Any:
    """Return the TypedDict that a function returns, None if it returns another thing."""
    hint = get_type_hints(function).get("return")
    return hint if is_typeddict(hint) else None


def list_of(row: Any) -> Any:
    """Return what stands for a list of such rows that is always one page."""
    fields = {"next": str | None, "previous": str | None, "results": list[row]}
    return described(typed_dict(f"{row.__name__}List", fields))


def chosen(row: Any) -> Any:
    """Return the type of a row that may lack members, because `fields` chooses them."""
    found = typed_dict(f"Chosen{row.__name__}", hints_of(row), total=False)
    found.__doc__ = row.__doc__
    return found


def with_chosen_rows(table: Any) -> Any:
    """Return what stands for a table with such rows."""
    hints = hints_of(table)
    hints["rows"] = list[chosen(*get_args(hints["rows"]))]  # type: ignore[misc]
    found = typed_dict(f"Chosen{table.__name__}", hints)
    found.__doc__ = table.__doc__
    return described(found)


class WrittenSerializer(TypeSerializer):
    """What a write answers; `made` are the members that its dry run lacks (games/core/actions)."""

    made: tuple[str, ...]


def written(answer: Any, made: tuple[str, ...]) -> Any:
    """Return what stands for the answer of a write, and of its dry run; alternatives stay."""
    if isinstance(answer, BaseSerializer):
        return answer
    absent = tuple(path for path in made if not path.endswith("?"))
    return type("Written", (WrittenSerializer,), {"hint": described(answer), "made": absent})
