"""`manage.py migrate` renders a created model alone, and its relations are those of Django."""

import pytest
from django.db import models
from django.db.migrations.state import ModelState, ProjectState

from deploy.management.commands.migrate import created_models_rendered_alone


def model(name: str, **relations: models.Field) -> ModelState:
    return ModelState(
        "games", name, [("id", models.AutoField(primary_key=True)), *relations.items()]
    )


def relations(state: ProjectState) -> dict[str, list[str]]:
    """The relations of each model, from both sides."""
    return {
        each.__name__: sorted(
            f"{field.name}: {field.related_model.__name__}"
            for field in each._meta.get_fields(include_hidden=True)
            if field.is_relation and field.related_model in state.apps.get_models()
        )
        for each in state.apps.get_models()
    }


def add_further(state: ProjectState) -> None:
    state.add_model(model("Game", player=models.ForeignKey("games.Player", models.CASCADE)))
    state.add_model(model("Report", game=models.ForeignKey("games.Game", models.CASCADE, "+")))
    state.add_model(model("Club", players=models.ManyToManyField("games.Player")))


@pytest.mark.parametrize("copied", [False, True])
def test_a_created_model_is_rendered_alone_with_its_relations(copied: bool) -> None:
    states = []
    for _ in range(2):
        state = ProjectState()
        state.add_model(model("Player"))
        state.apps  # noqa: B018  # renders it
        states.append(state.clone() if copied else state)
    by_django, alone = states
    player = alone.apps.get_model("games", "Player")

    add_further(by_django)
    with created_models_rendered_alone():
        add_further(alone)

    assert relations(alone) == relations(by_django)
    assert relations(alone)["Player"] == ["club: Club", "game: Game"]
    # In a copy, the models still belong to the state that it was copied from.
    assert (alone.apps.get_model("games", "Player") is player) is not copied
