"""Objects of the rows of a compiled query, made as Django's `ModelIterable` makes them.

Django sets each field of each object by itself and sends two signals. The fields of a row have
names that are known when the query is compiled, so this sets all of them at once.
"""

from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import Model
from django.db.models.base import ModelState
from django.db.models.query import get_related_populators
from django.db.models.signals import post_init, pre_init
from django.db.models.sql.compiler import SQLCompiler

Row = Sequence[Any]


def object_reader(compiler: SQLCompiler, database: str) -> Callable[[Row], Any]:
    """Return the function that makes an object of a row of a compiled query."""
    info: Any = compiler.klass_info
    columns = info["select_fields"]
    own = slice(columns[0], columns[-1] + 1)
    names = [column[0].target.attname for column in compiler.select[own]]
    populators: Any = get_related_populators  # the types are those of a later Django
    related = [_related_reader(each) for each in populators(info, compiler.select, database)]
    annotations = tuple(compiler.annotation_col_map.items())
    create = _creator(info["model"], names, database)

    def read(row: Row) -> Any:
        found = create(row[own])
        for populate in related:
            populate(row, found)
        for name, position in annotations:
            setattr(found, name, row[position])
        return found

    return read


def _related_reader(populator: Any) -> Callable[[Row, Any], None]:
    """Return the function that sets the related object of a row, as `RelatedPopulator` does."""
    create = _creator(populator.model_cls, populator.init_list, populator.db)
    related = [_related_reader(each) for each in populator.related_populators]
    own, key = slice(populator.cols_start, populator.cols_end), populator.pk_idx
    set_object, set_origin = populator.local_setter, populator.remote_setter

    def populate(row: Row, origin: Any) -> None:
        values = row[own]
        if values[key] is None:
            set_object(origin, None)
            return
        found = create(values)
        for populate_further in related:
            populate_further(row, found)
        set_object(origin, found)
        set_origin(found, origin)

    return populate


def _creator(model: type[Model], names: Sequence[str], database: str) -> Callable[[Row], Any]:
    """Return the function that makes an object of the values of these fields.

    It is that of the model if this has its own, or if something listens to its signals.
    """
    parents: Any = model.__mro__[: model.__mro__.index(Model)]
    has_own = any({"__init__", "from_db"} & vars(parent).keys() for parent in parents)
    if has_own or pre_init.has_listeners(model) or post_init.has_listeners(model):
        return lambda values: model.from_db(database, names, values)

    def create(values: Row) -> Model:
        found = model.__new__(model)
        fields = vars(found)
        fields["_state"] = state = ModelState()
        state.adding, state.db = False, database
        fields.update(zip(names, values, strict=True))
        return found

    return create
