"""The names of months and weekdays in the languages of the pages, long and short, in plain letters: those of Unicode's CLDR."""

from __future__ import annotations

from typing import Final

MONTHS: Final = (
    "january jan januar janvier janv",
    "february feb februar fevrier fevr",
    "march mar marz mars",
    "april apr avril avr",
    "may mai",
    "june jun juni juin",
    "july jul juli juillet juil",
    "august aug aout",
    "september sep sept septembre",
    "october oct oktober okt octobre",
    "november nov novembre",
    "december dec dezember dez decembre",
)
"""The names of each month, from January."""
WEEKDAYS: Final = (
    "monday mon mo montag lundi lun lu",
    "tuesday tue tu dienstag di mardi mar ma",
    "wednesday wed we mittwoch mi mercredi mer me",
    "thursday thu th donnerstag do jeudi jeu je",
    "friday fri fr freitag vendredi ven ve",
    "saturday sat sa samstag samedi sam",
    "sunday sun su sonntag so di dimanche dim",
)
"""The names of each weekday, from Monday; `di` is two of them, by language."""
