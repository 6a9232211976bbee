"""A lesson: the class follows its teacher, votes, and is sent nothing of the hand beyond the teacher's moment."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from cardledger.errors import LedgerError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.events import encode
from cardledger.rules.lessons import lesson as rules
from cardledger.rules.lessons.lesson_events import LessonMoment
from cardledger.study.stats.review import lessons
from cardledger.study.stats.review.quiz import Quiz
from cardledger_web.app import ledger_of
from tests.api.test_answers import anybody, client_of
from tests.api.test_quiz import two_ends

if TYPE_CHECKING:
    from flask import Flask

API = "/api/v1"
HERE = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def opened(empty: Flask) -> tuple[str, str, list[LessonMoment]]:
    """A lesson on a hand of whist as its first player saw it, its match, and its moments."""
    ledger = ledger_of(empty)
    match = ledger.record(None, two_ends("whist")[0], 0).match
    moments = lessons.moments_of_hand(ledger, match, 1, 0)
    return lessons.open_lesson(ledger, "Monday", moments, "teacher"), match, moments


def test_the_pages_of_a_hand_lead_to_a_lesson_for_those_who_may_open_one(empty: Flask) -> None:
    ledger, teacher = ledger_of(empty), client_of(empty, "teacher", "scorer")
    match = ledger.record(None, two_ends("whist")[0], 0).match
    link = f'href="/lessons?match={match}&amp;hand=1"'
    for page in (f"/matches/{match}/hands/1", f"/matches/{match}/replay/{ledger.stream(match).seq}"):
        for _ in range(2):
            assert link in teacher.get(page).text, "also of an answer that is kept"
            assert "/lessons?" not in client_of(empty, "zoe").get(page).text
            assert "/lessons?" not in anybody(empty).get(page).text
        assert "/lessons?" not in teacher.get(f"{page}?embed=1").text or "hands" in page
    assert f'name="match" value="{match}"' in teacher.get(unescape(link[6:-1])).text


def body(page: str) -> str:
    return page.partition('<div id="now"')[2].partition("<footer")[0]


def test_a_teacher_opens_one_on_a_hand_and_the_class_follows(empty: Flask) -> None:
    ledger, teacher = ledger_of(empty), client_of(empty, "teacher", "scorer")
    match = ledger.record(None, two_ends("whist")[0], 0).match
    assert client_of(empty, "zoe").get("/lessons").status_code == 403
    page = teacher.get(f"/lessons?match={match}&hand=1").text
    assert "Whose hand does the class see?" in page
    sent = teacher.post("/lessons", data={"match": match, "hand": "1", "seat": "0", "name": "Monday"})
    assert sent.status_code == 303
    address = urlsplit(sent.headers["Location"]).path
    assert "Monday" in teacher.get("/lessons").text
    asked = Quiz(ledger.stream(match), 1).questions(0)
    for viewer in (anybody(empty), teacher):
        for page in (viewer.get(address).text, viewer.get(f"{address}/screen").text):
            assert "What would you do as" in page
    assert "For the teacher" in teacher.get(address).text and "For the teacher" not in anybody(empty).get(address).text
    assert teacher.post(f"{address}/stops", data={"to": "2"}).status_code == 303
    now = lessons.lesson_now(ledger, address.rpartition("/")[2])
    assert now.asked is not None and now.asked.seq == asked[1].seq
    assert teacher.post(f"{address}/stops", data={"to": "on"}).status_code == 303
    assert teacher.post(f"{address}/stops", data={"to": "elsewhere"}).status_code == 400
    assert teacher.post(f"{address}/stops", data={"to": "0"}).status_code == 400
    assert client_of(empty, "zoe").post(f"{address}/stops", data={"to": "0"}).status_code == 403
    assert teacher.post(f"{address}/close").status_code == 303
    assert "The lesson is over" in anybody(empty).get(address).text
    assert teacher.post(f"{address}/stops", data={"to": "1"}).status_code == 409


def test_nothing_of_what_comes_later_is_sent(empty: Flask) -> None:
    one, other, same = two_ends("whist")
    ledger, told = ledger_of(empty), []
    for events in (one, other):
        match = ledger.record(None, events, 0).match
        lesson = lessons.open_lesson(ledger, "Monday", lessons.moments_of_hand(ledger, match, 1, 0), "teacher")
        asked = [one.seq for one in Quiz(ledger.stream(match), 1).questions(0) if one.seq <= same]
        found = []
        for seq in asked:
            lessons.stop(ledger, lesson, LessonMoment(match, 1, seq, 0), "teacher")
            pupil = anybody(empty)
            page = body(pupil.get(f"/lessons/{lesson}").text)
            assert "What would you do" in page
            look = body(pupil.get(f"/lessons/{lesson}?at=9999").text)
            texts = (page, look, pupil.get(f"{API}/lessons/{lesson}").text)
            found += [text.replace(match, "").replace(lesson, "") for text in texts]
        told.append(found)
    assert told[0] == told[1] and told[0]


def test_a_free_look_goes_back_and_never_beyond_the_teacher(
    empty: Flask, opened: tuple[str, str, list[LessonMoment]]
) -> None:
    lesson, _match, moments = opened
    lessons.stop(ledger_of(empty), lesson, moments[2], "teacher")
    pupil = anybody(empty)
    at_teacher = body(pupil.get(f"/lessons/{lesson}").text)
    (back,) = re.findall(r'href="([^"]*at=\d+)">Look back', at_teacher)
    assert "Look on" not in at_teacher
    looking = pupil.get(unescape(back)).text
    assert (
        "You look at another moment" in looking
        and "Back to the teacher" in looking
        and "What would you do" not in looking
    )
    assert body(pupil.get(f"/lessons/{lesson}?at={moments[5].event}").text) == at_teacher


def test_phones_join_by_a_link_vote_and_see_the_votes_when_the_teacher_shows_them(
    empty: Flask, opened: tuple[str, str, list[LessonMoment]]
) -> None:
    lesson, _match, moments = opened
    ledger, teacher = ledger_of(empty), client_of(empty, "teacher", "scorer")
    lessons.stop(ledger, lesson, moments[2], "teacher")
    page = teacher.post(f"/lessons/{lesson}/invitation").text
    assert "<svg" in page
    (link,) = {unescape(one) for one in re.findall(r'value="([^"]*token=[^"]*)"', page)}
    asked = Quiz(ledger.stream(moments[2].match), 1).question(moments[2].event)
    phones = [anybody(empty) for _ in range(3)]
    for number, phone in enumerate(phones):
        assert phone.get(urlsplit(link)._replace(scheme="", netloc="").geturl()).status_code in (200, 302, 303)
        page = phone.get(f"/lessons/{lesson}").text
        assert 'name="choice"' in page
        form = {
            "event": str(moments[2].event),
            "choice": asked.choices[min(number, 1)],
            "voter": "Zoe" if number == 2 else "",
        }
        sent = phone.post(f"/lessons/{lesson}/votes", data=form, headers=HERE)
        assert sent.status_code == 303
        assert "You voted for" in phone.get(sent.headers["Location"]).text
        assert phone.post(f"/lessons/{lesson}/stops", data={"to": "0"}, headers=HERE).status_code == 403
    assert anybody(empty).post(f"/lessons/{lesson}/votes", data=form).status_code in (401, 403)
    assert client_of(empty, "zoe").post(f"/lessons/{lesson}/votes", data=form).status_code == 403
    assert (
        phones[0].post(f"/lessons/{lesson}/votes", data=form | {"choice": "the moon"}, headers=HERE).status_code == 409
    )
    waiting = phones[0].get(f"/lessons/{lesson}").text
    assert "3 have voted." in waiting and "Votes of the class" not in waiting
    assert phones[0].get(f"{API}/lessons/{lesson}").json["votes"] is None
    assert teacher.post(f"/lessons/{lesson}/shown", data={"what": "votes"}).status_code == 303
    seen = phones[0].get(f"/lessons/{lesson}").text
    assert "Votes of the class" in seen and 'name="choice"' not in seen and "Points that each choice costs" not in seen
    assert phones[0].post(f"/lessons/{lesson}/votes", data=form, headers=HERE).status_code == 409
    assert teacher.post(f"/lessons/{lesson}/shown", data={"what": "costs"}).status_code == 303
    assert "Points that each choice costs" in phones[0].get(f"/lessons/{lesson}").text
    told = phones[0].get(f"{API}/lessons/{lesson}").json
    assert sum(one["votes"] for one in told["votes"]) == 3 and told["costs"]
    stored = [row.line for row in ledger.store.read(lesson)]
    assert not any("Zoe" in line for line in stored), "names are pseudonyms"


def test_a_phone_has_one_vote_and_two_pupils_with_one_name_are_two(
    empty: Flask, opened: tuple[str, str, list[LessonMoment]]
) -> None:
    lesson, _match, moments = opened
    ledger, teacher = ledger_of(empty), client_of(empty, "teacher", "scorer")
    page = teacher.post(f"/lessons/{lesson}/invitation").text
    (link,) = {unescape(one) for one in re.findall(r'value="([^"]*token=[^"]*)"', page)}
    phones = [anybody(empty) for _ in range(3)]
    for phone in phones:
        phone.get(urlsplit(link)._replace(scheme="", netloc="").geturl())

    def voted(phone: int, name: str, choice: int = 0) -> int:
        asked = Quiz(ledger.stream(moment.match), 1).question(moment.event)
        form = {"event": str(moment.event), "choice": asked.choices[choice], "voter": name}
        assert phones[phone].post(f"/lessons/{lesson}/votes", data=form, headers=HERE).status_code == 303
        return lessons.lesson_now(ledger, lesson).voted

    moment = moments[2]
    lessons.stop(ledger, lesson, moment, "teacher")
    assert [voted(0, "Anna"), voted(1, "Anna"), voted(2, "")] == [1, 2, 3]
    assert 'value="Anna"' in phones[0].get(f"/lessons/{lesson}").text
    assert 'value="Anna 2"' in phones[1].get(f"/lessons/{lesson}").text
    assert [voted(0, "Anna"), voted(1, ""), voted(0, "Eva"), voted(2, "Anna")] == [3] * 4, "one vote, whatever its name"
    moment = moments[3]
    lessons.stop(ledger, lesson, moment, "teacher")
    assert [voted(1, "Anna 2"), voted(2, "Anna"), voted(0, ""), voted(0, "")] == [1, 2, 3, 3]
    assert 'value="Anna 3"' in phones[2].get(f"/lessons/{lesson}").text
    other = lessons.open_lesson(ledger, "Tuesday", moments, "teacher")
    assert lessons.lesson_now(ledger, other).voted == 0
    people = ledger.people()
    state, _seq = lessons.lesson_state(ledger, lesson)
    assert {people.name(one) for one in state.votes} == {"Anna", "Anna 2", "Anna 3"}


def test_a_lesson_is_opened_and_led_over_http(empty: Flask, opened: tuple[str, str, list[LessonMoment]]) -> None:
    _lesson, match, moments = opened
    teacher = client_of(empty, "teacher", "scorer")
    given = [{"match": match, "hand": 1, "event": one.event, "seat": 0} for one in moments[:2]]
    made = teacher.post(f"{API}/lessons", json={"name": "Tuesday", "moments": given})
    assert made.status_code == 201, made.json
    lesson = made.json["lesson"]
    assert teacher.post(f"{API}/lessons/{lesson}/stops", json=given[1]).json["choices"]
    voted = teacher.post(
        f"{API}/lessons/{lesson}/votes", json={"event": given[1]["event"], "choice": "the moon", "voter": "eva"}
    )
    assert voted.json["code"] == "quiz.choice"
    late = teacher.post(
        f"{API}/lessons/{lesson}/votes", json={"event": given[0]["event"], "choice": "2C", "voter": "eva"}
    )
    assert late.json["code"] == "lesson.phase"
    wrong = teacher.post(f"{API}/lessons/{lesson}/stops", json=given[0] | {"event": 99999})
    assert (wrong.status_code, wrong.json["code"]) == (404, "quiz.question")
    assert teacher.post(f"{API}/lessons/{lesson}/close").json["status"] == "closed"
    assert [one["status"] for one in teacher.get(f"{API}/lessons").json["lessons"]] == ["closed", "open"]
    assert teacher.get(f"{API}/lessons/lesson-nothing").status_code == 404


def test_followers_hear_that_somebody_voted_but_not_what(
    empty: Flask, opened: tuple[str, str, list[LessonMoment]]
) -> None:
    lesson, _match, moments = opened
    ledger = ledger_of(empty)
    lessons.stop(ledger, lesson, moments[0], "teacher")
    asked = Quiz(ledger.stream(moments[0].match), 1).question(moments[0].event)
    lessons.vote(ledger, lesson, "eva", asked.choices[0], moments[0].event, "class")
    answer = anybody(empty).get(
        f"{API}/lessons/{lesson}/live?after=1", headers={"Accept": "application/x-ndjson"}, buffered=False
    )
    chunks = iter(answer.response)
    next(chunks)
    heard = str(next(chunks))
    assert '"type":"stop"' in heard and '"choice":"?"' in heard


def test_votes_have_limits(
    empty: Flask, opened: tuple[str, str, list[LessonMoment]], monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson, _match, moments = opened
    ledger = ledger_of(empty)
    lessons.stop(ledger, lesson, moments[0], "teacher")
    asked = Quiz(ledger.stream(moments[0].match), 1).question(moments[0].event)

    def voted(voter: str) -> str:
        try:
            lessons.vote(ledger, lesson, voter, asked.choices[0], moments[0].event, "class")
        except LedgerError as error:
            return error.code
        return ""

    assert [voted("eva") for _ in range(rules.MOST_CHANGES + 1)] == [""] * rules.MOST_CHANGES + ["lesson.twice"]
    monkeypatch.setattr(rules, "MOST_VOTERS", 2)
    assert [voted(name) for name in ("finn", "gita", "hugo")] == ["", "format.size", "format.size"]
    assert lessons.lesson_now(ledger, lesson).voted == 2
    assert [error for _, error in ledger.verify() if error] == []
    assert all(len(encode(event)) < 2_000 for event in ledger.folded_each([lesson]).__next__().stream.events)


def test_a_teacher_goes_on_from_a_hand_that_a_correction_has_taken_away(
    empty: Flask, opened: tuple[str, str, list[LessonMoment]]
) -> None:
    ledger, teacher = ledger_of(empty), client_of(empty, "teacher", "scorer")
    other = ledger.record(None, two_ends("ruff")[0], 0).match
    _, match, moments = opened
    lesson = lessons.open_lesson(
        ledger, "Two hands", [moments[1], *lessons.moments_of_hand(ledger, other, 1, 0)], "teacher"
    )
    lessons.stop(ledger, lesson, moments[1], "teacher")
    ledger.record(match, [ev.Retract(to=moments[0].event - 1)], ledger.stream(match).seq)
    for viewer in (teacher, anybody(empty)):
        for page in (f"/lessons/{lesson}", f"/lessons/{lesson}/screen"):
            shown = viewer.get(page)
            assert shown.status_code == 200 and "Wait for the teacher" in shown.text
        told = viewer.get(f"{API}/lessons/{lesson}").json
        assert (told["moment"], told["table"], told["choices"]) == (None, None, None)
    assert teacher.post(f"/lessons/{lesson}/votes", data={"choice": "2C", "event": moments[1].event}).status_code == 409
    assert teacher.post(f"/lessons/{lesson}/stops", data={"to": "2"}).status_code == 303
    assert "What would you do as" in anybody(empty).get(f"/lessons/{lesson}").text


def test_votes_that_nobody_gave_are_an_empty_list(empty: Flask, opened: tuple[str, str, list[LessonMoment]]) -> None:
    ledger, (lesson, _, moments) = ledger_of(empty), opened
    lessons.stop(ledger, lesson, moments[0], "teacher")
    lessons.show(ledger, lesson, "votes", "teacher")
    assert lessons.in_json(lessons.lesson_now(ledger, lesson), None)["votes"] == []
