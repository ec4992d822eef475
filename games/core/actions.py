"""Actions: each write is declared once, for the API and for the pages.

An action is a class with attributes: its permission, its body, whether it needs `If-Match`, what it
costs, what it responds. Its docstring is its description. `find` returns the objects of the
address, `prepare` computes what takes time, and `perform` writes in one transaction. They take a
`Call`, which an address of the API makes of a request (games/core/views.py), and a page of a form
(games/core/forms.py). `carry_out` is the one order of the steps.

A refusal lists the allowed actions of the object: the level of each, and why the others are
refused, by the same conflict that the service would raise.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework.serializers import Serializer
from rest_framework.status import HTTP_200_OK

from games.core.errors import ApiError
from games.core.idempotency import KeyedWrite
from games.core.limits import network_of, place_to_pair
from games.core.permissions import require_account
from games.core.preconditions import Target, if_unchanged
from games.core.references import absolute_url
from games.core.serializers import require_no_members, validated
from games.core.types import returned_type
from games.core.waits import LoadTask, place_to_wait, wait_for_task
from games.models import Account, Token

STALE: Final = 412
REFUSALS: Final = (403, 409, STALE)
"""The statuses of an action that is not allowed, or not any more."""

Actions = Mapping[str, dict[str, Any]]
"""The level of each action of an object, by its name on pages, with the id of its operation."""

ACCEPTED: Final = 202
"""The status of an answer that a task completes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Who wants to do what: the account and its token, the address, the body, the options.

    `user` and `auth` have the names of a request, so that what loads objects takes either
    (`Caller` in games/core/permissions.py). `address` has the parts of the address by name, `body`
    is what the action reads of the content, `wait` the seconds to wait for a task, `client` the
    address of the client, `source` the method and the path, for the journal; `headers` are fields
    of the response, also of a problem.
    """

    user: Account | AnonymousUser
    auth: Token | None = None
    address: Mapping[str, Any] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    dry_run: bool = False
    if_match: str = ""
    prefer: str = ""
    wait: float = 0.0
    client: str = ""
    source: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def caller(self) -> str:
        """Return for whom the limits count this: the account, or the address without one."""
        return str(self.user.pk) if isinstance(self.user, Account) else network_of(self.client)

    @property
    def account(self) -> Account:
        """Return the account of a caller who has been found to have one."""
        assert isinstance(self.user, Account)
        return self.user


@dataclass(frozen=True, slots=True)
class Answer:
    """What an action responds beside its content: another status, headers.

    `wait` is called after the transaction, with the seconds that the caller prefers to wait for a
    task, and returns the answer then (`with_task`); not after a dry run, which starts no task. In
    the transaction of a repeatable request it is called with 0, and again after it.
    """

    content: Any = None
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: "Callable[[float], Answer] | None" = None

    def waited(self, seconds: float) -> "Answer":
        """Return the answer after a wait of at most these seconds for its task."""
        if self.wait is None:
            return self
        headers = {**self.headers}
        with place_to_wait(seconds, headers) as granted:
            answer = self.wait(granted)
        return replace(answer, headers={**headers, **answer.headers})


class Action:
    """A write, declared once.

    `name` is that of the operation, if it does not follow from the address; `permission` is a key
    of the matrix of permissions, empty if anyone may do it; `body` is the serializer of the
    content, `request` its description where that is another one, `example` a content in JSON, whose
    ids are made up. `response` is the type of the response (games/core/types.py) or its
    serializer, if it is not the type that `perform` returns, `responses` those by status where
    there are several. `made` are the members that a
    dry run leaves out, because only the write makes them: ids, addresses and secrets, as `id` and
    `results.address`; one that ends with `?` is null instead. `has_precondition` is true if it
    needs `If-Match`, which is the `ETag` of the address `tag_of`; `is_read_only` if it writes
    nothing. `location` is that of the object that it
    makes, as `players/{id}`, of parts of the address and members of the content. `cost` is
    one of `games.core.limits.DEAR`; `problems` are the statuses that the description of the API
    cannot derive. `done` is the sentence of a page after success; if `is_shown`, the page shows the
    response instead, because it has a secret that no later page can show. `rule` is what the state
    of the object must allow, one of the `rules` of its kind.
    """

    name = ""
    permission = ""
    body: type[Serializer] | None = None
    request: Any = None
    response: Any = None
    status = 200
    responses: Mapping[Any, Any] = {}
    made: tuple[str, ...] = ()
    location = ""
    parameters: Sequence[OpenApiParameter | type[Serializer]] = ()
    example: Any = None
    examples: Sequence[OpenApiExample] = ()
    has_precondition = False
    tag_of = ""
    is_read_only = False
    cost = ""
    problems: tuple[int, ...] = ()
    done = ""
    is_shown = False
    rule = ""
    rules: Mapping[str, Any] = {}

    def __init__(self) -> None:
        """Take the permission and the name from the rule, the response from what is performed.

        204 is the status without one.
        """
        if self.rule:
            rule = self.rules[self.rule]
            self.permission, self.name = rule.permission, self.name or rule.operation
        if self.response is None and not self.responses:
            self.response = returned_type(self.perform)
            self.status = self.status if self.response else 204

    def find(self, call: Call) -> Any:
        """Return the objects of the address that the caller may see; raise NotFound."""

    def check(self, call: Call, found: Any) -> None:
        """Raise LoginNeeded (401) or Forbidden (403) unless the caller may do this."""
        if self.permission:
            require_account(call, self.permission)

    def allowed_actions(self, call: Call, found: Any) -> Actions:
        """Return the allowed actions of the object, for a refusal."""
        return {}

    def target(self, call: Call, found: Any) -> Target:
        """Return what `If-Match` is about."""
        raise NotImplementedError

    def made_target(self, call: Call, content: Any) -> Target | None:
        """Return the object that was made, by the content of the response, for its `ETag`."""
        return None

    def made_tag(self, call: Call, content: Any) -> str:
        """Return the `ETag` of what was made; empty if it has no read of its own."""
        made = self.made_target(call, content)
        return f'"{made.current_tag(locked=False)}"' if made else ""

    def wanted(self, call: Call, found: Any) -> str:
        """Return the address whose `ETag` is meant by `If-Match`."""
        return self.tag_of.format(**call.address)

    def read(self, call: Call, found: Any, content: Any) -> Any:
        """Return the validated body; raise Unprocessable (422)."""
        if self.body is None:
            return require_no_members(content)
        return validated(self.body, content)

    def prepare(self, call: Call, found: Any) -> Any:
        """Return what `perform` needs, by default what was found; compute it outside of a lock.

        A permission that depends on the body is checked here.
        """
        return found

    def perform(self, call: Call, prepared: Any) -> Any:
        """Write, in one transaction; return the content of the response, or an Answer."""
        raise NotImplementedError

    def try_out(self, call: Call, prepared: Any) -> Any:
        """Return what `perform` would respond (`dry_run`): perform, and roll back.

        An action that holds its locks for long computes this without writing instead.
        """
        with transaction.atomic():
            content = self.perform(call, prepared)
            transaction.set_rollback(True)
        return replace(content, wait=None) if isinstance(content, Answer) else content

    def resume(self, call: Call, accepted: Mapping[str, Any]) -> Answer:
        """Return an answer that waits for the task of the content of an earlier answer 202.

        An action that starts a task has one; the first request has written everything.
        """
        return Answer(accepted)


def carry_out(
    action: Action, call: Call, read_content: Callable[[], Any], keyed_write: KeyedWrite | None
) -> Answer:
    """Check and carry out an action.

    `keyed_write` begins the transaction in which the response is stored for a repeated request.
    """
    found = action.find(call)
    try:
        action.check(call, found)
        call = replace(call, body=action.read(call, found, read_content()))
        with place_to_pair(call.caller) if action.cost == "pairing" else nullcontext():
            prepared = action.prepare(call, found)
            return _write(action, call, found, prepared, keyed_write)
    except ApiError as error:
        if error.status in REFUSALS and (allowed := action.allowed_actions(call, found)):
            listed = listed_actions(allowed)
            if error.status != STALE and "accept" not in error.extra:
                # The object may allow it for another content: not for this one.
                listed = [
                    action_as_json(action.name, error)
                    if each["operation"] == action.name and each["level"] != "forbidden"
                    else each
                    for each in listed
                ]
            error.extra.setdefault("allowed_actions", listed)
        raise


def _write(
    action: Action, call: Call, found: Any, prepared: Any, keyed_write: KeyedWrite | None
) -> Answer:
    """Carry out a prepared action."""
    headers: dict[str, str] = {}

    def perform(call: Call, prepared: Any) -> Any:
        with transaction.atomic():
            answer = _as_answer(action.perform(call, prepared))
            made = None if answer.wait else answer.content
            if made and (tag := action.made_tag(call, made)):
                headers["ETag"] = tag
        return answer

    write: Callable[[Call, Any], Any] = perform
    if action.is_read_only:
        write = action.perform
    elif call.dry_run:
        write = action.try_out
    elif keyed_write is not None:
        keyed_write.begin()
    unchanged: AbstractContextManager[dict[str, str]] = nullcontext({})
    if action.has_precondition:
        unchanged = if_unchanged(
            action.target(call, found),
            call.if_match,
            call.auth,
            by=call.account,
            source=call.source,
            wanted=action.wanted(call, found),
            dry_run=call.dry_run,
        )
    with unchanged as changed:
        answer = _as_answer(write(call, prepared))
    if call.dry_run and not action.is_read_only:
        return Answer(dry_content(answer.content or {}, action.made), status=200)
    is_made = answer.status != HTTP_200_OK and answer.content  # an import has none before its end
    if action.location and is_made and answer.content.get("url", "") is not None:
        parts = {**call.address, **answer.content}
        headers["Location"] = absolute_url(action.location.format_map(parts))
    answer = replace(answer, headers={**answer.headers, **headers, **changed})
    if keyed_write is None or not keyed_write.has_begun:
        return answer.waited(call.wait)
    accepted = answer.waited(0.0)  # the task starts with the end of the transaction
    can_wait = accepted.status == ACCEPTED and call.wait > 0
    return replace(accepted, wait=answer.waited if can_wait else None)


def _as_answer(content: Any) -> Answer:
    """Return what an action has performed as an answer."""
    return content if isinstance(content, Answer) else Answer(content)


def dry_content(content: Mapping[str, Any], made: Sequence[str]) -> dict[str, Any]:
    """Return what a dry run answers: the content without what only the write makes."""
    for path in made:
        content = _without(content, path)
    return {"dry_run": True, **content}


def _without(content: Any, path: str) -> Any:
    """Return JSON without the member at a path, or with null there, in every row of a list."""
    if isinstance(content, list):
        return [_without(row, path) for row in content]
    name, _, rest = path.partition(".")
    name, is_null = name.removesuffix("?"), name.endswith("?")
    if not isinstance(content, Mapping) or name not in content:
        return content
    if rest or is_null:
        return {**content, name: _without(content[name], rest) if rest else None}
    return {key: value for key, value in content.items() if key != name}


def with_task(content: Callable[[], Mapping[str, Any]], load: LoadTask, number: int) -> Answer:
    """Return the answer 202 with a task, or 200 if it is done while the caller waits.

    `content` returns the other members as they are after the wait.
    """
    return Answer(
        content(), wait=lambda seconds: Answer(*wait_for_task(load, number, content, seconds))
    )


def with_accepted_task(accepted: Mapping[str, Any], load: LoadTask) -> Answer:
    """Return the answer 202 with the task that the content of an earlier one names."""
    content = {name: value for name, value in accepted.items() if name != "task"}
    return with_task(lambda: content, load, task_number(accepted))


def task_number(accepted: Mapping[str, Any]) -> int:
    """Return the number of the task in the content of an answer 202."""
    return int(accepted["task"]["id"].rpartition("-")[2])


def action_as_json(
    operation: str, refusal: ApiError | None, *, is_unsafe: bool = False
) -> dict[str, Any]:
    """Return the level of an operation, and why it is forbidden if it is."""
    level = "forbidden" if refusal else "unsafe" if is_unsafe else "safe"
    reason = {"code": refusal.code, "reason": refusal.detail} if refusal else {}
    return {"operation": operation, "level": level, **reason}


def listed_actions(actions: Actions) -> list[dict[str, Any]]:
    """Return the actions as the API lists them: each operation once, allowed if one of it is."""
    found: dict[str, dict[str, Any]] = {}
    for action in actions.values():
        before = found.get(action["operation"])
        if before is None or before["level"] == "forbidden":
            found[action["operation"]] = action
    return [*found.values()]
