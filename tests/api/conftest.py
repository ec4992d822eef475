"""The people and events of the tests in this folder."""

from tests.people import ada, anonymous, ben, everyone, organiser, stranger

__all__ = ["ada", "anonymous", "ben", "everyone", "organiser", "stranger"]
