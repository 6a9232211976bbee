"""The sections of the help: which commands belong together, and each in a few words."""

from __future__ import annotations

SECTIONS: dict[str, dict[str, str]] = {
    "Games": {
        "games": "List the games that can be recorded",
        "rules": "Print a rulebook, with the ids that rulings cite",
        "simulate": "Let bots play",
        "explain": "Say what a code means and what to do next",
    },
    "Matches": {
        "import": "Store the matches of files",
        "export": "Write matches as a match file, or as boards of bridge",
        "replay": "Replay match files without storing them",
        "matches": "List the matches of a ledger",
        "hands": "List every hand in which something happened",
        "show": "Show every hand, trick and score of a match",
        "amend": "Correct an event",
        "void": "Declare that a match counts nowhere",
    },
    "Clubs and players": {
        "evening": "Record evenings and leagues, and rank them",
        "people": "Name people, and join the ids of one person",
    },
    "Statistics": {
        "stats": "Measures, comparisons and ratings of players",
        "luck": "Points a hand with the luck of the deal taken off",
        "review": "What each free choice of a match cost",
        "quiz": "Play a hand from a seat, and see what choices cost",
        "discussion": "Show what people say about a match",
        "lesson": "Lead a class through recorded hands",
        "puzzles": "Find decisions with one best choice, which was missed",
        "double-dummy": "Best play of bridge with all hands open",
        "habits": "What a player's decisions cost, by situation",
        "tables": "Describe and write the tables for other programs",
        "analyse": "Fold whole archives into tables",
        "publish-data": "Publish an anonymous edition for others",
        "what-if": "Judge hands again under another edition",
        "warm": "Compile rules and bots, for luck and reviews",
    },
    "Pages and API": {
        "demo": "Serve the samples and a made-up club",
        "serve": "Serve a ledger to browsers and programs",
        "clubs": "List the clubs of a house with their health, and make clubs",
        "publish": "Write the pages as files, for any web space",
        "token": "Give people and programs access",
        "acts": "List what admins did",
        "webhook": "Send events to other programs",
        "config": "Print the settings of the server, and their sources",
    },
    "Safety": {
        "doctor": "Report the state of a ledger, with advice",
        "verify": "Recompute every hash and every result",
        "rebuild": "Make the read models again from the events",
        "backup": "Back a ledger up while others write",
        "restore": "Make a ledger from a backup",
        "drill": "Prove that the last copy can be restored",
        "copy": "Copy a ledger to another file or database",
        "pack": "Write a ledger as a small Parquet file",
        "unpack": "Store the matches of a Parquet file",
        "checkpoint": "Seal the record with a signed checkpoint",
        "prove": "Write the proof that an event was sealed",
        "receipt": "Write a match with its proof",
        "witness": "Let ledgers sign each other's checkpoints",
        "key": "Show or change the signing keys",
    },
}
"""Summaries by section and command, in the order of the help. Commands of other packages follow under `More`."""
