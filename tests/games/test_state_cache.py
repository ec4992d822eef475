"""Values found for the same state only, bounded, computed once at a time."""

from threading import Barrier, Event, Thread

from games import state_cache
from games.state_cache import LONGEST_AGE, StateCache

SIZE = 1_000


def fill(cache: StateCache[str], *keys: str, state: int = 1, size: int = SIZE) -> None:
    for key in keys:
        cache.store(key, state, f"value of {key}", size=size)


def test_a_response_is_found_for_its_state_only() -> None:
    cache = StateCache[str](100 * SIZE)

    fill(cache, "a", state=1)

    assert cache.find("a", 1) == "value of a"
    assert cache.find("a", 2) is None
    assert cache.find("b", 1) is None


def test_the_next_state_replaces_the_former() -> None:
    cache = StateCache[str](100 * SIZE)

    fill(cache, "a", state=1)
    fill(cache, "a", state=2)

    assert cache.find("a", 1) is None
    assert cache.find("a", 2) is not None
    assert cache.size == SIZE


def test_what_was_not_used_for_the_longest_time_is_dropped() -> None:
    cache = StateCache[str](9 * SIZE)
    keys = "abcdefghi"
    fill(cache, *keys)

    cache.find("a", 1)
    fill(cache, "j")

    assert [key for key in (*keys, "j") if cache.find(key, 1)] == list("acdefghij")
    assert cache.size == 9 * SIZE


def test_a_response_that_takes_a_quarter_of_the_store_is_not_stored() -> None:
    cache = StateCache[str](4 * SIZE)
    fill(cache, "a")

    fill(cache, "a", size=SIZE + 1)

    assert (cache.find("a", 1), cache.size) == (None, 0)


def test_a_response_is_not_found_when_it_is_old(monkeypatch) -> None:
    cache = StateCache[str](100 * SIZE)
    fill(cache, "a")
    now = state_cache.time.monotonic()

    monkeypatch.setattr(state_cache.time, "monotonic", lambda: now + LONGEST_AGE + 1)

    assert cache.find("a", 1) is None


def test_one_of_many_requests_computes_a_response() -> None:
    cache, computed, barrier = StateCache[str](100 * SIZE), [], Barrier(8)

    def respond() -> None:
        barrier.wait()
        with cache.computing("a"):
            if cache.find("a", 1) is None:
                computed.append("a")
                fill(cache, "a")

    threads = [Thread(target=respond) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert computed == ["a"]
    assert cache._computations == {}


def test_a_value_without_a_state_is_for_those_who_waited_before_it_began() -> None:
    cache = StateCache[str](100 * SIZE)

    with cache.computing("a") as computation:
        computation.share("new", began_at=5.0)

        assert [computation.shared_since(arrived_at) for arrived_at in (4.0, 5.0)] == ["new"] * 2
        assert computation.shared_since(5.1) is None
    with cache.computing("a") as later:
        assert later.shared_since(0.0) is None


def test_who_waits_takes_a_shared_value_while_another_computation_runs() -> None:
    cache, is_waiting, found = StateCache[str](SIZE), Event(), list[str | None]()

    def wait() -> None:
        is_waiting.set()
        with cache.computing("a", arrived_at=1.0) as computation:
            found.append(computation.shared_since(1.0))

    waiter = Thread(target=wait)
    with cache.computing("a") as computation:
        waiter.start()
        is_waiting.wait(5)
        computation.share("new", began_at=2.0)
        waiter.join(5)
        assert found == ["new"]
        with cache.computing("a", arrived_at=2.0) as again:  # does not end the one that runs
            assert again.shared_since(2.0) == "new"
        assert computation.is_running
    assert not computation.is_running
