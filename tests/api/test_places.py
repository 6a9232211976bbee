"""Places: none that is free is refused, none is given twice, and clients come to equal shares, scorers before readers."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from cardledger_api.http.shared_places import Places, TakenPlace

COMINGS = st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 2)), max_size=60)


class Crowd:
    """Clients who take places, and lose them."""

    def __init__(self, count: int) -> None:
        self.places = Places(count)
        self.there: list[TakenPlace] = []

    def comes(self, client: str, rank: int) -> bool:
        """Tell whether somebody gets a place."""
        lost: list[bool] = []
        place = self.places.take(client, rank, lambda: lost.append(True))
        if place is None:
            return False
        holder = [place]
        object.__setattr__(place, "leave", lambda: self.there.remove(holder[0]))
        self.there.append(place)
        return True


@given(st.integers(1, 12), COMINGS)
def test_there_are_never_more_streams_than_places_and_no_free_place_is_refused(count: int, comings: list) -> None:
    crowd = Crowd(count)
    for client, rank in comings:
        free = len(crowd.there) < count
        got = crowd.comes(client, rank)
        assert got or not free
        assert len(crowd.places) == len(crowd.there) <= count


@given(st.integers(1, 12), COMINGS)
def test_scorers_get_a_place_as_long_as_somebody_else_has_one(count: int, comings: list) -> None:
    crowd = Crowd(count)
    for client, rank in comings:
        others = any(place.rank < 2 for place in crowd.there) or len(crowd.there) < count
        kept = sum(place.rank == 2 for place in crowd.there)
        got = crowd.comes(client, rank)
        if rank == 2:
            assert got or not others
        assert sum(place.rank == 2 for place in crowd.there) == kept + (got and rank == 2 and others)


@given(st.integers(1, 24), st.integers(1, 6))
def test_clients_that_all_want_more_get_equal_shares(count: int, clients: int) -> None:
    crowd = Crowd(count)
    for number in range(count):
        assert crowd.comes("greedy", 0), number
    for _ in range(count):
        for number in range(clients):
            crowd.comes(str(number), 0)
    shares = Counter(place.client for place in crowd.there)
    assert max(shares.values()) - min(shares.get(str(number), 0) for number in range(clients)) <= 1


@given(st.integers(1, 6), COMINGS)
def test_a_place_given_back_is_free_once(count: int, comings: list) -> None:
    crowd = Crowd(count)
    for client, rank in comings:
        crowd.comes(client, rank)
    for place in [*crowd.there]:
        crowd.places.give_back(place)
        crowd.places.give_back(place)
    assert len(crowd.places) == 0
