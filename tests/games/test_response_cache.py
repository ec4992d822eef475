"""The store of responses: found for the same state only, bounded, computed once at a time."""

from threading import Barrier, Thread

from games.http import response_cache
from games.http.response_cache import LONGEST_AGE, OVERHEAD, ResponseCache

ENTRY = 1_000
SIZE = ENTRY + OVERHEAD


def fill(cache: ResponseCache, *keys: str, state: int = 1, size: int = ENTRY) -> None:
    for key in keys:
        cache.store(key, state, b"x" * size, headers=(), tag=f'"{key}"')


def test_a_response_is_found_for_its_state_only() -> None:
    cache = ResponseCache(100 * SIZE)

    fill(cache, "a", state=1)

    found = cache.find("a", 1)
    assert found is not None
    assert (found.tag, found.content) == ('"a"', b"x" * ENTRY)
    assert cache.find("a", 2) is None
    assert cache.find("b", 1) is None


def test_the_next_state_replaces_the_former() -> None:
    cache = ResponseCache(100 * SIZE)

    fill(cache, "a", state=1)
    fill(cache, "a", state=2)

    assert cache.find("a", 1) is None
    assert cache.find("a", 2) is not None
    assert cache.size == SIZE


def test_what_was_not_used_for_the_longest_time_is_dropped() -> None:
    cache = ResponseCache(9 * SIZE)
    keys = "abcdefghi"
    fill(cache, *keys)

    cache.find("a", 1)
    fill(cache, "j")

    assert [key for key in (*keys, "j") if cache.find(key, 1)] == list("acdefghij")
    assert cache.size == 9 * SIZE


def test_a_response_that_takes_an_eighth_of_the_store_is_not_stored() -> None:
    cache = ResponseCache(8 * SIZE)
    fill(cache, "a")

    fill(cache, "a", size=ENTRY + 1)

    assert (cache.find("a", 1), cache.size) == (None, 0)


def test_a_response_is_not_found_when_it_is_old(monkeypatch) -> None:
    cache = ResponseCache(100 * SIZE)
    fill(cache, "a")
    now = response_cache.time.monotonic()

    monkeypatch.setattr(response_cache.time, "monotonic", lambda: now + LONGEST_AGE + 1)

    assert cache.find("a", 1) is None


def test_one_of_many_requests_computes_a_response() -> None:
    cache, computed, barrier = ResponseCache(100 * SIZE), [], Barrier(8)

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
