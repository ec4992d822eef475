"""`manage.py migrate`: Django's command, which renders each created model once.

Where a migration creates a model, Django renders again every model that its relations lead to, and
those that these lead to. Nothing in them changes: the relation from the other side is added when
the new model is rendered. In an empty database that is 1,300 models for 53 tables.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.commands import migrate
from django.db.migrations.state import ModelState, ProjectState


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        with created_models_rendered_alone():
            super().handle(*args, **options)


@contextmanager
def created_models_rendered_alone() -> Iterator[None]:
    """Let `ProjectState.add_model` render only the model that it adds."""
    add_model = ProjectState.add_model

    def add_alone(state: ProjectState, model: ModelState) -> None:
        apps = state.__dict__.pop("apps", None)
        add_model(state, model)  # it renders nothing without the rendered models
        if apps is None:
            return
        state.__dict__["apps"] = apps
        # A model of a copied state names its relations by the state that it is copied from.
        if all(each._meta.apps is apps for each in apps.get_models(include_auto_created=True)):
            apps.render_multiple([model])
        else:
            state.reload_model(model.app_label, model.name_lower)

    ProjectState.add_model = add_alone  # type: ignore[assignment]  # Django has no option for this
    try:
        yield
    finally:
        ProjectState.add_model = add_model  # type: ignore[method-assign]
