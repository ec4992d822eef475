"""What each column of a model is to the journal: declared in the body of the model, checked here.

A journalled column is named by the lines of its stream whenever it changes, and is compared with
them. A derived column follows from journalled ones, and is computed again and compared. A technical
one belongs to this installation: its logins, its tasks, its caches. A personal column is erased
with the person, whatever else it is.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Self, TypeVar

from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.checks import CheckMessage, Error
from django.db import models
from django.db.models import Model
from django.utils import timezone

NewReference = Callable[[str, Any], Any]
"""Return what stands for the row of a model (`tournament.Entry`) with this id."""
APPS = ("games", "ratings", "tournament")

Row = TypeVar("Row", bound=Model, covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The columns of a model by what they are to the journal; each is in one of the first three.

    `key` are those that name a row in the journal. They are never ids of a database, so that a
    line means the same in each installation; the rows of logins, which do not travel, have none
    and are named by their ids. `refers` are the JSON columns with ids of rows, each
    with the function that replaces them. `later` are journalled columns that the first release did
    not have: they have their default until a line names them. `former` are the values that earlier
    releases wrote in a column, with those of today: journals, bundles and files keep the old ones.
    """

    journalled: Sequence[str]
    derived: Sequence[str]
    technical: Sequence[str]
    personal: Sequence[str]
    key: Sequence[str] = ()
    refers: Mapping[str, Callable[[Any, NewReference], Any]] = field(default_factory=dict)
    later: Sequence[str] = ()
    former: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def columns_of(model: type[Model]) -> Columns:
    """Return the declaration in the body of a model."""
    columns: Columns = vars(model)["columns"]
    return columns


@cache
def later_columns(kind: str) -> Mapping[str, Any]:
    """Return the defaults of the columns that earlier journals and bundles of a kind lack."""
    models = (model for app in APPS for model in apps.get_app_config(app).get_models())
    return {
        column.name: column.get_default()
        for model in models
        if model._meta.model_name == kind
        for column in model._meta.concrete_fields
        if column.name in columns_of(model).later
    }


def hyphenated(*values: str) -> dict[str, str]:
    """Return values by the hyphenated words that stood for them until version 0.3."""
    return {value.replace("_", "-"): str(value) for value in values}


@cache
def _former_values(kind: str) -> Mapping[str, Mapping[str, str]]:
    """Return the former values of a kind of rows by column, and those in its keys under `""`."""
    models = (model for app in APPS for model in apps.get_app_config(app).get_models())
    found: dict[str, Mapping[str, str]] = {}
    for declared in (columns_of(model) for model in models if model._meta.model_name == kind):
        in_key = {
            old: new for name in declared.key for old, new in declared.former.get(name, {}).items()
        }
        found |= {**declared.former, "": in_key}
    return found


def current_value(kind: str, column: str, value: Any) -> Any:
    """Return what an earlier release wrote in a column as it is written today."""
    return renamed(value, _former_values(kind).get(column, {}))


def current_row(kind: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a row as they are written today."""
    former = _former_values(kind)
    return {name: renamed(row[name], former[name]) if name in former else row[name] for name in row}


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return JSON with other names for its values, also for parts of `forfeit-loss/loss`.

    A `reason` is what somebody has written.
    """
    if not names:
        return value
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    if isinstance(value, dict):
        return {
            key: item if key == "reason" else renamed(item, names) for key, item in value.items()
        }
    if isinstance(value, str) and not names.keys().isdisjoint(parts := value.split("/")):
        return "/".join(names.get(part, part) for part in parts)
    return value


def erase_columns(row: Model) -> None:
    """Empty the personal columns of a row, without saving it."""
    for name in columns_of(type(row)).personal:
        field: Any = row._meta.get_field(name)
        setattr(row, field.attname, None if field.null else field.get_default())


def login_columns(model: type[Model]) -> list[str]:
    """Return the journalled columns that refer to a login, which does not travel."""
    login = get_user_model()
    names = columns_of(model).journalled
    return [name for name in names if model._meta.get_field(name).related_model is login]


def check_columns(app_configs: Any = None, **_: Any) -> list[CheckMessage]:
    """Return an error for each column that is not declared exactly once (a system check)."""
    configs = [config for config in app_configs or apps.get_app_configs() if config.label in APPS]
    return [
        Error(detail, obj=model, id="games.E001")
        for config in configs
        for model in config.get_models()
        for detail in find_undeclared(model)
    ]


def find_undeclared(model: type[Model]) -> Iterator[str]:
    """Yield a sentence for each column of a model that its declaration does not name once."""
    declared = vars(model).get("columns")
    if not isinstance(declared, Columns):
        yield "its body declares no columns"
        return
    columns = {field.name for field in model._meta.concrete_fields}
    named = Counter([*declared.journalled, *declared.derived, *declared.technical])
    for name in sorted(columns - named.keys()):
        yield f"the column {name} is not declared as journalled, derived or technical"
    for name in sorted(name for name, times in named.items() if times > 1):
        yield f"the column {name} is declared twice"
    others = {
        *named,
        *declared.personal,
        *declared.key,
        *declared.refers,
        *declared.later,
        *declared.former,
    } - columns
    for name in sorted(others):
        yield f"there is no column {name}, which is declared"
    for name in sorted({*declared.key} - {*declared.journalled} - others):
        yield f"the column {name} of the key is not journalled"
    for name in sorted({*declared.journalled} & columns):
        target: Any = model._meta.get_field(name).related_model
        if target and target is not get_user_model() and not vars(target)["columns"].key:
            yield f"the column {name} refers to {target.__name__}, whose rows have no key"


class Journalled(models.Model):
    """A model whose rows know what was loaded, so that a journal line can state what changed."""

    loaded: Mapping[str, Any] | None = None
    """The columns as they were read, by attribute; None for a new row."""

    class Meta:
        abstract = True

    @classmethod
    def from_db(
        cls, db: str | None, field_names: Collection[str], values: Collection[Any], **options: Any
    ) -> Self:
        """Return a row as it was read from the database."""
        row = super().from_db(db, field_names, values, **options)
        row.loaded = dict(zip(field_names, values, strict=False))
        return row


class Updates(models.QuerySet[Row]):
    """Rows of a dated model; `bulk_update` writes by `update`, too."""

    def update(self, **values: Any) -> int:
        """Write columns, and when."""
        return super().update(**values, **_time_of_change(self.model, values))


class Dated(Journalled):
    """A journalled model whose rows have the time of their last change, whatever wrote it.

    Columns that are technical do not count.
    """

    updated_at = models.DateTimeField(auto_now=True)

    objects = Updates.as_manager()

    class Meta:
        abstract = True

    def save(self, *, update_fields: Iterable[str] | None = None, **options: Any) -> None:
        """Write a row, and when."""
        if update_fields is not None:
            update_fields = {*update_fields, *_time_of_change(type(self), update_fields)}
        super().save(update_fields=update_fields, **options)


def _time_of_change(model: type[Model], names: Iterable[str]) -> dict[str, datetime]:
    """Return the time of a change of these columns by its column, if they are not all technical."""
    is_technical = {*names} <= {*columns_of(model).technical}
    return {} if is_technical else {"updated_at": timezone.now()}
