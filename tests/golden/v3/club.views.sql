PRAGMA application_id = 1986618743;
PRAGMA user_version = 20;
BEGIN TRANSACTION;
CREATE TABLE boards ( -- Every board dealt in a match of bridge, including those of void matches.
    match TEXT NOT NULL, -- id of the match
    hand INTEGER NOT NULL, -- number of the hand in the match, from 1
    board INTEGER NOT NULL, -- number of the board, 0 without one
    over INTEGER NOT NULL, -- 1 once it is scored
    PRIMARY KEY (match, hand),
    FOREIGN KEY (match) REFERENCES matches
) WITHOUT ROWID;
CREATE TABLE boards_in_play (evening TEXT, board INTEGER, PRIMARY KEY (evening, board)) WITHOUT ROWID;
CREATE TABLE careers ( -- The players' results, month by month.
    player TEXT NOT NULL, -- id of the person, as known now
    game TEXT NOT NULL, -- id of the game
    seats INTEGER NOT NULL, -- number of players at the table
    month TEXT NOT NULL, -- month of play, such as 2026-11
    seat INTEGER NOT NULL, -- seat, from 0 clockwise
    place INTEGER NOT NULL, -- place in a complete match, from 1, shared by equal players; 0 in any other match
    matches INTEGER NOT NULL, -- matches begun
    won INTEGER NOT NULL, -- matches won, alone or not
    hands INTEGER NOT NULL, -- hands scored in them
    points INTEGER NOT NULL, -- points of those matches
    judged INTEGER NOT NULL, -- hands played out in matches that record irregular play
    PRIMARY KEY (player, game, seats, month, seat, place),
    FOREIGN KEY (player) REFERENCES people
) WITHOUT ROWID;
INSERT INTO "careers" VALUES('random-a','diamonds-bid',4,'2026-11',0,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('random-a','diamonds-draw',4,'2026-11',0,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('random-a','diversity',4,'2026-11',0,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('random-a','hecto-diversity',4,'2026-11',0,0,1,0,1,10,0);
INSERT INTO "careers" VALUES('random-a','poison-hearts',4,'2026-11',0,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('random-a','ruff',4,'2026-11',0,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('random-a','ruff-2',4,'2026-11',0,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('random-b','diamonds-bid',4,'2026-11',1,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('random-b','diamonds-draw',4,'2026-11',1,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('random-b','diversity',4,'2026-11',1,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('random-b','hecto-diversity',4,'2026-11',1,0,1,0,1,6,0);
INSERT INTO "careers" VALUES('random-b','poison-hearts',4,'2026-11',1,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('random-b','ruff',4,'2026-11',1,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('random-b','ruff-2',4,'2026-11',1,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('random-c','diamonds-bid',4,'2026-11',2,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('random-c','diamonds-draw',4,'2026-11',2,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('random-c','diversity',4,'2026-11',2,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('random-c','hecto-diversity',4,'2026-11',2,0,1,0,1,22,0);
INSERT INTO "careers" VALUES('random-c','poison-hearts',4,'2026-11',2,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('random-c','ruff',4,'2026-11',2,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('random-c','ruff-2',4,'2026-11',2,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('~SVQWHZKOIBSG356HWFTDMKN7CK','diamonds-bid',4,'2026-11',3,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('~SVQWHZKOIBSG356HWFTDMKN7CK','diamonds-draw',4,'2026-11',3,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('~SVQWHZKOIBSG356HWFTDMKN7CK','diversity',4,'2026-11',3,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('~SVQWHZKOIBSG356HWFTDMKN7CK','hecto-diversity',4,'2026-11',3,0,1,0,1,-38,0);
INSERT INTO "careers" VALUES('~SVQWHZKOIBSG356HWFTDMKN7CK','poison-hearts',4,'2026-11',3,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('~SVQWHZKOIBSG356HWFTDMKN7CK','ruff',4,'2026-11',3,0,1,0,0,0,0);
INSERT INTO "careers" VALUES('~SVQWHZKOIBSG356HWFTDMKN7CK','ruff-2',4,'2026-11',3,0,1,0,0,0,0);
CREATE TABLE checkpoint (position INTEGER NOT NULL, due INTEGER NOT NULL DEFAULT 0);
INSERT INTO "checkpoint" VALUES(113,0);
CREATE TABLE company ( -- With and against whom, in matches whose sides change from hand to hand.
    match TEXT NOT NULL, -- id of the match
    seat INTEGER NOT NULL, -- seat, from 0 clockwise
    other INTEGER NOT NULL, -- seat of the other player, from 0
    how TEXT NOT NULL, -- `with` as partners, or `against` each other
    hands INTEGER NOT NULL, -- hands scored in which they met like that
    gain INTEGER NOT NULL, -- points of the seat in those hands, less those of the other if against
    PRIMARY KEY (match, seat, other, how),
    FOREIGN KEY (match) REFERENCES matches,
    FOREIGN KEY (match, seat) REFERENCES players
) WITHOUT ROWID;
CREATE TABLE counts ( -- The counts behind the measures, and what was the case, for every complete hand.
    match TEXT NOT NULL, -- id of the match
    hand INTEGER NOT NULL, -- number of the hand in the match, from 1
    lead TEXT, -- suit of the first card led, or both suits of a two-suit card; null without a trick
    played_out INTEGER NOT NULL, -- 0 if only the points are known, from a score sheet
    counts TEXT NOT NULL, -- JSON object of lists by seat; counts that are 0 for everybody are left out. Situations count from 1, 0 is not known
    PRIMARY KEY (match, hand),
    FOREIGN KEY (match) REFERENCES matches,
    FOREIGN KEY (match, hand) REFERENCES hands
) WITHOUT ROWID;
INSERT INTO "counts" VALUES('d422d8c6-2083-40b3-b882-a725cf9415eb',1,NULL,1,'{"points":[10,6,22,-38],"draws":[0,0,1,1],"from_discards":[0,0,0,1],"closed":[0,0,0,1],"close_turn":[0,0,0,1],"caught":[1,1,1,0],"penalty":[10,6,22,0],"standing":[2,2,2,2],"void_suits":[5,3,4,2],"high_cards":[3,3,5,4]}');
CREATE TABLE deals ( -- Every deal whose cards are known, including those of void matches.
    match TEXT NOT NULL, -- id of the match
    hand INTEGER NOT NULL, -- number of the hand in the match, from 1
    cards_hash TEXT NOT NULL, -- a hash of the cards, equal for the same hands, wherever they were dealt
    recorded INTEGER NOT NULL, -- 1 if the deal was recorded, 0 if the cards follow from the play
    PRIMARY KEY (match, hand),
    FOREIGN KEY (match) REFERENCES matches
) WITHOUT ROWID;
INSERT INTO "deals" VALUES('00a4a9bd-81fa-4515-affa-8bc709611be1',1,'531e642b76648c8bd093a500c0109b1a',1);
INSERT INTO "deals" VALUES('1da05791-337e-4a19-b26f-fcc576ba6e1e',1,'8150eed07d5eb028d6c5385c5a85cfad',1);
INSERT INTO "deals" VALUES('7cff0aa7-2ee3-454a-8a90-aa325b246e25',1,'b0d6324a6a0d610804c4a774e2fb2732',1);
INSERT INTO "deals" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',1,'cf3b3c766dca72139b4c0481296cead4',1);
INSERT INTO "deals" VALUES('bb774ac7-7060-4698-9e87-90fb5eee9d6c',1,'3ee0c52c8f5ab349beb9cb6bb10c1a9b',1);
INSERT INTO "deals" VALUES('d422d8c6-2083-40b3-b882-a725cf9415eb',1,'468290d40467c883ec6f548e6fabb7aa',1);
INSERT INTO "deals" VALUES('f3132be7-840a-4fc7-9b3c-7e4710236ec9',1,'144da4de6579c2bd747e7dff33e9e701',1);
CREATE TABLE doubts ( -- Every hand with impossible points from a score sheet; they count as written.
    match TEXT NOT NULL, -- id of the match
    hand INTEGER NOT NULL, -- number of the hand in the match, from 1
    seq INTEGER NOT NULL, -- number of the event in its stream, from 1; here the one that gave the points
    why TEXT NOT NULL, -- why they are impossible
    PRIMARY KEY (match, hand),
    FOREIGN KEY (match) REFERENCES matches,
    FOREIGN KEY (match, hand) REFERENCES hands
) WITHOUT ROWID;
CREATE TABLE evening_boards ( -- Every board of bridge at every table of a session, played or still to be played.
    evening TEXT NOT NULL, -- id of the club, session or league
    round INTEGER NOT NULL, -- number of the round, from 1
    table_number INTEGER NOT NULL, -- number of the table, from 1
    board INTEGER NOT NULL, -- number of the board, 0 without one
    match TEXT, -- id of the match; here that gives or will give its result; null without one
    entered INTEGER NOT NULL, -- 1 if it has a result, a ruling or an absence without a match
    PRIMARY KEY (evening, round, table_number, board),
    FOREIGN KEY (match) REFERENCES matches,
    FOREIGN KEY (evening) REFERENCES evenings
) WITHOUT ROWID;
CREATE TABLE evening_players ( -- Every player of every club and session.
    evening TEXT NOT NULL, -- id of the club, session or league
    recorded_as TEXT NOT NULL, -- player id as written
    seq INTEGER NOT NULL, -- number of the event in its stream, from 1; here the first that counts and names the player
    PRIMARY KEY (evening, recorded_as),
    FOREIGN KEY (evening) REFERENCES evenings
) WITHOUT ROWID;
CREATE TABLE evening_results ( -- Every result of every session that counts.
    evening TEXT NOT NULL, -- id of the club, session or league
    round INTEGER NOT NULL, -- number of the round, from 1
    table_number INTEGER NOT NULL, -- number of the table, from 1
    board INTEGER NOT NULL, -- number of the board, 0 without one
    match TEXT, -- id of the match; here null if the result was entered as points, places or a score
    seq INTEGER NOT NULL, -- number of the event in its stream, from 1; here the one that gave the result
    PRIMARY KEY (evening, round, table_number, board),
    FOREIGN KEY (match) REFERENCES matches,
    FOREIGN KEY (evening) REFERENCES evenings
) WITHOUT ROWID;
CREATE TABLE evenings ( -- Every club, session and league as it stands, corrections applied.
    evening TEXT NOT NULL, -- id of the club, session or league
    position INTEGER NOT NULL, -- position of the opening in the ledger
    kind TEXT NOT NULL, -- club, session or league
    name TEXT NOT NULL, -- name, as written
    club TEXT, -- id of its club; for a club its own
    since TEXT, -- day of a session, first day of a league
    until TEXT, -- day of a session, last day of a league
    game TEXT, -- id of the game; here of a session; null for any
    status TEXT NOT NULL, -- open, or closed: the evening is over
    seq INTEGER NOT NULL, -- number of the event in its stream, from 1; here the latest
    published INTEGER NOT NULL, -- publications of its ranking, including undone ones
    hash TEXT NOT NULL, -- SHA-256 of the latest event, which covers all before it
    PRIMARY KEY (evening)
) WITHOUT ROWID;
CREATE TABLE hands ( -- Every hand begun in a match.
    match TEXT NOT NULL, -- id of the match
    hand INTEGER NOT NULL, -- number of the hand in the match, from 1
    dealer INTEGER NOT NULL, -- seat of the dealer, or of the first player in games without a dealer
    ended_by TEXT, -- play, claim or score; null while under way
    tricks INTEGER NOT NULL, -- tricks played out, including ties
    hidden INTEGER NOT NULL, -- 1 if the deal was not recorded
    first_seq INTEGER NOT NULL, -- number of the deal
    last_seq INTEGER, -- number of the event that ended it
    facts TEXT NOT NULL, -- the game's facts about it, as JSON; here its trump, who closed it
    PRIMARY KEY (match, hand),
    FOREIGN KEY (match) REFERENCES matches
) WITHOUT ROWID;
INSERT INTO "hands" VALUES('00a4a9bd-81fa-4515-affa-8bc709611be1',1,0,NULL,2,0,2,NULL,'{}');
INSERT INTO "hands" VALUES('1da05791-337e-4a19-b26f-fcc576ba6e1e',1,2,NULL,2,0,2,NULL,'{}');
INSERT INTO "hands" VALUES('7cff0aa7-2ee3-454a-8a90-aa325b246e25',1,0,NULL,2,0,2,NULL,'{}');
INSERT INTO "hands" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',1,0,NULL,5,0,2,NULL,'{}');
INSERT INTO "hands" VALUES('bb774ac7-7060-4698-9e87-90fb5eee9d6c',1,0,NULL,1,0,2,NULL,'{}');
INSERT INTO "hands" VALUES('d422d8c6-2083-40b3-b882-a725cf9415eb',1,2,'play',0,0,2,6,'{"closer":3}');
INSERT INTO "hands" VALUES('f3132be7-840a-4fc7-9b3c-7e4710236ec9',1,1,NULL,3,0,2,NULL,'{}');
CREATE TABLE kept_sheets (game TEXT NOT NULL, part TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (game, part));
CREATE TABLE matches ( -- Every match as it stands, corrections applied.
    match TEXT NOT NULL, -- id of the match
    position INTEGER NOT NULL, -- position of the opening in the ledger
    game TEXT NOT NULL, -- id of the game
    rules TEXT NOT NULL, -- edition of the rulebook it is played under
    status TEXT NOT NULL, -- open, complete, ended (early) or void; a void match is only in tables that say so
    policy TEXT NOT NULL, -- strict or record
    seats INTEGER NOT NULL, -- number of players at the table
    players TEXT NOT NULL, -- JSON list of player ids by seat, as written
    options TEXT NOT NULL, -- JSON object of every option
    event TEXT, -- club night or tournament, as written
    table_name TEXT, -- which table, as written
    venue TEXT, -- where, as written: the `place` of its opening
    date TEXT NOT NULL, -- day of play, or else of recording
    opened_at TEXT NOT NULL, -- when the opening was recorded (UTC)
    recorded_at TEXT NOT NULL, -- when the latest event was recorded (UTC)
    seq INTEGER NOT NULL, -- number of the event in its stream, from 1; here the latest
    hands INTEGER NOT NULL, -- number of hands begun
    hands_complete INTEGER NOT NULL, -- number of hands scored
    totals TEXT NOT NULL, -- JSON list of points by seat
    winners TEXT NOT NULL, -- JSON list of winning seats, empty until the match is complete
    violations INTEGER NOT NULL, -- irregular events that count
    corrections INTEGER NOT NULL, -- retracts, amends and voids, including undone ones
    hash TEXT NOT NULL, -- SHA-256 of the latest event, which covers all before it
    beginning TEXT, -- digest of the first trick, or of the points of a first hand without one
    sides TEXT NOT NULL, -- JSON list of the seats of each side, empty if everybody plays alone
    PRIMARY KEY (match)
) WITHOUT ROWID;
INSERT INTO "matches" VALUES('00a4a9bd-81fa-4515-affa-8bc709611be1',98,'diamonds-draw','diamonds-draw/2','open','strict',4,'["random-a","random-b","random-c","~SVQWHZKOIBSG356HWFTDMKN7CK"]','{"target":100}',NULL,NULL,NULL,'2026-11-26','2026-11-26T00:50:13.790Z','2026-11-26T00:50:13.804Z',14,1,0,'[0,0,0,0]','[]',0,1,'8895159479f7c1982345b6a688678a50c2d0a78500cd0a38e7c18bc52cd81ab6','015651264b4b2313','[]');
INSERT INTO "matches" VALUES('1da05791-337e-4a19-b26f-fcc576ba6e1e',43,'poison-hearts','poison-hearts/2','open','strict',4,'["random-a","random-b","random-c","~SVQWHZKOIBSG356HWFTDMKN7CK"]','{"double_suits":false,"rounds":4,"target":null}',NULL,NULL,NULL,'2026-11-26','2026-11-26T00:50:13.694Z','2026-11-26T00:50:13.713Z',14,1,0,'[0,0,0,0]','[]',0,1,'b51a58b807018ffd111e1f0079dcb19a7dce61c0ae742e7d7c23e345308d9df1','d8b5e2d6c825dde8','[]');
INSERT INTO "matches" VALUES('7cff0aa7-2ee3-454a-8a90-aa325b246e25',84,'ruff-2','ruff-2/2','open','strict',4,'["random-a","random-b","random-c","~SVQWHZKOIBSG356HWFTDMKN7CK"]','{"rounds":4}',NULL,NULL,NULL,'2026-11-26','2026-11-26T00:50:13.766Z','2026-11-26T00:50:13.781Z',14,1,0,'[0,0,0,0]','[]',0,1,'a0607c57ae7da9bfe8b7716ec0cbdc4514383c93ecdb65466cf66dd50f5a8b01','49ad8e41bff09aa2','[]');
INSERT INTO "matches" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',1,'diversity','diversity/2','open','strict',4,'["random-a","random-b","random-c","~SVQWHZKOIBSG356HWFTDMKN7CK"]','{"hands":4}',NULL,NULL,NULL,'2026-11-26','2026-11-26T00:50:13.652Z','2026-11-26T00:50:13.659Z',26,1,0,'[0,0,0,0]','[]',0,1,'bb89f4f5bf249f05ec2ac3d2a6974a5b8d65d6a1c1fce2e57edf69a58dc3daf4','260d85a1dccb3b13','[]');
INSERT INTO "matches" VALUES('bb774ac7-7060-4698-9e87-90fb5eee9d6c',27,'diamonds-bid','diamonds-bid/2','open','strict',4,'["random-a","random-b","random-c","~SVQWHZKOIBSG356HWFTDMKN7CK"]','{"target":500,"chips":false}',NULL,NULL,NULL,'2026-11-26','2026-11-26T00:50:13.670Z','2026-11-26T00:50:13.685Z',16,1,0,'[0,0,0,0]','[]',0,1,'36964307ae42596a8edae9b874f61a084a2083fcb3a06f54c2f4829c8ace3f6a','0128b5459e99151e','[]');
INSERT INTO "matches" VALUES('d422d8c6-2083-40b3-b882-a725cf9415eb',57,'hecto-diversity','hecto-diversity/1','open','strict',4,'["random-a","random-b","random-c","~SVQWHZKOIBSG356HWFTDMKN7CK"]','{"laps":1,"target":null,"layout":"8x10"}',NULL,NULL,NULL,'2026-11-26','2026-11-26T00:50:13.718Z','2026-11-26T00:50:13.733Z',9,1,1,'[10,6,22,-38]','[]',0,1,'de6795a8a41a8805227e37244d0ddd12e0d6d163fc77749954c70469ffd115f3','03b78a42a24a4f38','[]');
INSERT INTO "matches" VALUES('f3132be7-840a-4fc7-9b3c-7e4710236ec9',66,'ruff','ruff/2','open','strict',4,'["random-a","random-b","random-c","~SVQWHZKOIBSG356HWFTDMKN7CK"]','{"rounds":4}',NULL,NULL,NULL,'2026-11-26','2026-11-26T00:50:13.742Z','2026-11-26T00:50:13.757Z',18,1,0,'[0,0,0,0]','[]',0,1,'f2f4ccb2566a872e92bfe912793f45b5cf0f856755f53ccf0ad9a71ba16a89a2','22a32b85cab4e6d9','[]');
CREATE TABLE named_events ( -- Club nights and tournaments by name.
    event TEXT, -- club night or tournament, as written; here empty if the match names none
    matches_recorded INTEGER NOT NULL, -- matches with this text
    matches INTEGER NOT NULL, -- of these, matches that are not void
    PRIMARY KEY (event)
) WITHOUT ROWID;
INSERT INTO "named_events" VALUES('',7,7);
CREATE TABLE named_tables ( -- Tables by name.
    table_name TEXT, -- which table, as written; here empty if the match names none
    matches_recorded INTEGER NOT NULL, -- matches with this text
    matches INTEGER NOT NULL, -- of these, matches that are not void
    PRIMARY KEY (table_name)
) WITHOUT ROWID;
INSERT INTO "named_tables" VALUES('',7,7);
CREATE TABLE named_venues ( -- Venues by name.
    venue TEXT, -- where, as written: the `place` of its opening; here empty if the match names none
    matches_recorded INTEGER NOT NULL, -- matches with this text
    matches INTEGER NOT NULL, -- of these, matches that are not void
    PRIMARY KEY (venue)
) WITHOUT ROWID;
INSERT INTO "named_venues" VALUES('',7,7);
CREATE TABLE people ( -- Every person who played in a match that counts or came to an evening, and everybody with a name.
    player TEXT NOT NULL, -- id of the person, as known now
    name TEXT NOT NULL, -- name of the person, as shown on pages
    ids TEXT NOT NULL, -- JSON list of all ids of the person, the one of `player` first
    PRIMARY KEY (player)
) WITHOUT ROWID;
INSERT INTO "people" VALUES('random-a','Ána','["random-a"]');
INSERT INTO "people" VALUES('random-b','random-b','["random-b"]');
INSERT INTO "people" VALUES('random-c','random-c','["random-c"]');
INSERT INTO "people" VALUES('~SVQWHZKOIBSG356HWFTDMKN7CK','erased player SVQW','["~SVQWHZKOIBSG356HWFTDMKN7CK"]');
CREATE TABLE players ( -- Every player of every match.
    match TEXT NOT NULL, -- id of the match
    seat INTEGER NOT NULL, -- seat, from 0 clockwise
    player TEXT NOT NULL, -- id of the person, as known now
    hands INTEGER NOT NULL, -- hands scored
    total INTEGER NOT NULL, -- points of the match
    won INTEGER NOT NULL, -- 1 for a winner, alone or not, of a complete match
    game TEXT NOT NULL, -- id of the game
    date TEXT NOT NULL, -- day of play, or else of recording
    place INTEGER NOT NULL, -- place in a complete match, from 1, shared by equal players; 0 in any other match
    seats INTEGER NOT NULL, -- number of players at the table
    position INTEGER NOT NULL, -- position of the opening in the ledger
    judged INTEGER NOT NULL, -- hands played out in matches that record irregular play
    recorded_as TEXT NOT NULL, -- player id as written
    side INTEGER, -- side the seat plays for, from 0; without partners each seat is its own side; null for a match whose hands differ
    PRIMARY KEY (match, seat),
    FOREIGN KEY (match) REFERENCES matches,
    FOREIGN KEY (player) REFERENCES people
) WITHOUT ROWID;
INSERT INTO "players" VALUES('00a4a9bd-81fa-4515-affa-8bc709611be1',0,'random-a',0,0,0,'diamonds-draw','2026-11-26',0,4,98,0,'random-a',0);
INSERT INTO "players" VALUES('00a4a9bd-81fa-4515-affa-8bc709611be1',1,'random-b',0,0,0,'diamonds-draw','2026-11-26',0,4,98,0,'random-b',1);
INSERT INTO "players" VALUES('00a4a9bd-81fa-4515-affa-8bc709611be1',2,'random-c',0,0,0,'diamonds-draw','2026-11-26',0,4,98,0,'random-c',2);
INSERT INTO "players" VALUES('00a4a9bd-81fa-4515-affa-8bc709611be1',3,'~SVQWHZKOIBSG356HWFTDMKN7CK',0,0,0,'diamonds-draw','2026-11-26',0,4,98,0,'~SVQWHZKOIBSG356HWFTDMKN7CK',3);
INSERT INTO "players" VALUES('1da05791-337e-4a19-b26f-fcc576ba6e1e',0,'random-a',0,0,0,'poison-hearts','2026-11-26',0,4,43,0,'random-a',0);
INSERT INTO "players" VALUES('1da05791-337e-4a19-b26f-fcc576ba6e1e',1,'random-b',0,0,0,'poison-hearts','2026-11-26',0,4,43,0,'random-b',1);
INSERT INTO "players" VALUES('1da05791-337e-4a19-b26f-fcc576ba6e1e',2,'random-c',0,0,0,'poison-hearts','2026-11-26',0,4,43,0,'random-c',2);
INSERT INTO "players" VALUES('1da05791-337e-4a19-b26f-fcc576ba6e1e',3,'~SVQWHZKOIBSG356HWFTDMKN7CK',0,0,0,'poison-hearts','2026-11-26',0,4,43,0,'~SVQWHZKOIBSG356HWFTDMKN7CK',3);
INSERT INTO "players" VALUES('7cff0aa7-2ee3-454a-8a90-aa325b246e25',0,'random-a',0,0,0,'ruff-2','2026-11-26',0,4,84,0,'random-a',0);
INSERT INTO "players" VALUES('7cff0aa7-2ee3-454a-8a90-aa325b246e25',1,'random-b',0,0,0,'ruff-2','2026-11-26',0,4,84,0,'random-b',1);
INSERT INTO "players" VALUES('7cff0aa7-2ee3-454a-8a90-aa325b246e25',2,'random-c',0,0,0,'ruff-2','2026-11-26',0,4,84,0,'random-c',2);
INSERT INTO "players" VALUES('7cff0aa7-2ee3-454a-8a90-aa325b246e25',3,'~SVQWHZKOIBSG356HWFTDMKN7CK',0,0,0,'ruff-2','2026-11-26',0,4,84,0,'~SVQWHZKOIBSG356HWFTDMKN7CK',3);
INSERT INTO "players" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',0,'random-a',0,0,0,'diversity','2026-11-26',0,4,1,0,'random-a',0);
INSERT INTO "players" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',1,'random-b',0,0,0,'diversity','2026-11-26',0,4,1,0,'random-b',1);
INSERT INTO "players" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',2,'random-c',0,0,0,'diversity','2026-11-26',0,4,1,0,'random-c',2);
INSERT INTO "players" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',3,'~SVQWHZKOIBSG356HWFTDMKN7CK',0,0,0,'diversity','2026-11-26',0,4,1,0,'~SVQWHZKOIBSG356HWFTDMKN7CK',3);
INSERT INTO "players" VALUES('bb774ac7-7060-4698-9e87-90fb5eee9d6c',0,'random-a',0,0,0,'diamonds-bid','2026-11-26',0,4,27,0,'random-a',0);
INSERT INTO "players" VALUES('bb774ac7-7060-4698-9e87-90fb5eee9d6c',1,'random-b',0,0,0,'diamonds-bid','2026-11-26',0,4,27,0,'random-b',1);
INSERT INTO "players" VALUES('bb774ac7-7060-4698-9e87-90fb5eee9d6c',2,'random-c',0,0,0,'diamonds-bid','2026-11-26',0,4,27,0,'random-c',2);
INSERT INTO "players" VALUES('bb774ac7-7060-4698-9e87-90fb5eee9d6c',3,'~SVQWHZKOIBSG356HWFTDMKN7CK',0,0,0,'diamonds-bid','2026-11-26',0,4,27,0,'~SVQWHZKOIBSG356HWFTDMKN7CK',3);
INSERT INTO "players" VALUES('d422d8c6-2083-40b3-b882-a725cf9415eb',0,'random-a',1,10,0,'hecto-diversity','2026-11-26',0,4,57,0,'random-a',0);
INSERT INTO "players" VALUES('d422d8c6-2083-40b3-b882-a725cf9415eb',1,'random-b',1,6,0,'hecto-diversity','2026-11-26',0,4,57,0,'random-b',1);
INSERT INTO "players" VALUES('d422d8c6-2083-40b3-b882-a725cf9415eb',2,'random-c',1,22,0,'hecto-diversity','2026-11-26',0,4,57,0,'random-c',2);
INSERT INTO "players" VALUES('d422d8c6-2083-40b3-b882-a725cf9415eb',3,'~SVQWHZKOIBSG356HWFTDMKN7CK',1,-38,0,'hecto-diversity','2026-11-26',0,4,57,0,'~SVQWHZKOIBSG356HWFTDMKN7CK',3);
INSERT INTO "players" VALUES('f3132be7-840a-4fc7-9b3c-7e4710236ec9',0,'random-a',0,0,0,'ruff','2026-11-26',0,4,66,0,'random-a',0);
INSERT INTO "players" VALUES('f3132be7-840a-4fc7-9b3c-7e4710236ec9',1,'random-b',0,0,0,'ruff','2026-11-26',0,4,66,0,'random-b',1);
INSERT INTO "players" VALUES('f3132be7-840a-4fc7-9b3c-7e4710236ec9',2,'random-c',0,0,0,'ruff','2026-11-26',0,4,66,0,'random-c',2);
INSERT INTO "players" VALUES('f3132be7-840a-4fc7-9b3c-7e4710236ec9',3,'~SVQWHZKOIBSG356HWFTDMKN7CK',0,0,0,'ruff','2026-11-26',0,4,66,0,'~SVQWHZKOIBSG356HWFTDMKN7CK',3);
CREATE TABLE rated (position INTEGER NOT NULL);
INSERT INTO "rated" VALUES(0);
CREATE TABLE ratings ( -- Ratings after every complete match (Weng and Lin 2011, Plackett-Luce), brought up to date when they are read.
    game TEXT NOT NULL, -- id of the game
    number INTEGER NOT NULL, -- number of the match among the complete ones of the game, by date and position
    seat INTEGER NOT NULL, -- seat, from 0 clockwise
    match TEXT NOT NULL, -- id of the match
    date TEXT NOT NULL, -- day of play, or else of recording
    position INTEGER NOT NULL, -- position of the opening in the ledger
    player TEXT NOT NULL, -- id of the person, as known now
    place INTEGER NOT NULL, -- place in a complete match, from 1, shared by equal players; 0 in any other match
    played INTEGER NOT NULL, -- the player's complete matches of the game so far
    mu REAL NOT NULL, -- estimated strength after the match; everybody starts at 25
    sigma REAL NOT NULL, -- its uncertainty, a standard deviation; everybody starts at 25/3, and it grows during an absence
    PRIMARY KEY (game, number, seat),
    FOREIGN KEY (match) REFERENCES matches,
    FOREIGN KEY (match, seat) REFERENCES players,
    FOREIGN KEY (player) REFERENCES people
) WITHOUT ROWID;
CREATE TABLE rules ( -- How often each rule of a game decided something or was broken, in all matches.
    game TEXT NOT NULL, -- id of the game
    rule TEXT NOT NULL, -- id of the rule
    verdict TEXT NOT NULL, -- resolved: it decided something; broken: an irregular event that counts
    hands INTEGER NOT NULL, -- hands in which it did so
    count INTEGER NOT NULL, -- how often
    PRIMARY KEY (game, rule, verdict)
) WITHOUT ROWID;
INSERT INTO "rules" VALUES('diamonds-bid','trick.led-suit','resolved',1,1);
INSERT INTO "rules" VALUES('diamonds-draw','trick.led-suit','resolved',1,2);
INSERT INTO "rules" VALUES('diversity','trick.repeated-suit','resolved',1,5);
INSERT INTO "rules" VALUES('hecto-diversity','score.closer','resolved',1,1);
INSERT INTO "rules" VALUES('hecto-diversity','score.penalty','resolved',1,1);
INSERT INTO "rules" VALUES('poison-hearts','trick.highest','resolved',1,2);
INSERT INTO "rules" VALUES('ruff','trick.led-suit','resolved',1,2);
INSERT INTO "rules" VALUES('ruff','trick.ruff','resolved',1,1);
INSERT INTO "rules" VALUES('ruff-2','trick.led-suit','resolved',1,2);
CREATE TABLE rulings ( -- How often each rule decided something in a hand (a trick, the points, the end of the match) or was broken.
    match TEXT NOT NULL, -- id of the match
    hand INTEGER NOT NULL, -- number of the hand in the match, from 1
    rule TEXT NOT NULL, -- id of the rule
    verdict TEXT NOT NULL, -- resolved: it decided something; broken: an irregular event that counts
    game TEXT NOT NULL, -- id of the game
    count INTEGER NOT NULL, -- how often in the hand
    PRIMARY KEY (match, hand, rule, verdict),
    FOREIGN KEY (match) REFERENCES matches,
    FOREIGN KEY (match, hand) REFERENCES hands
) WITHOUT ROWID;
INSERT INTO "rulings" VALUES('00a4a9bd-81fa-4515-affa-8bc709611be1',1,'trick.led-suit','resolved','diamonds-draw',2);
INSERT INTO "rulings" VALUES('1da05791-337e-4a19-b26f-fcc576ba6e1e',1,'trick.highest','resolved','poison-hearts',2);
INSERT INTO "rulings" VALUES('7cff0aa7-2ee3-454a-8a90-aa325b246e25',1,'trick.led-suit','resolved','ruff-2',2);
INSERT INTO "rulings" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',1,'trick.repeated-suit','resolved','diversity',5);
INSERT INTO "rulings" VALUES('bb774ac7-7060-4698-9e87-90fb5eee9d6c',1,'trick.led-suit','resolved','diamonds-bid',1);
INSERT INTO "rulings" VALUES('d422d8c6-2083-40b3-b882-a725cf9415eb',1,'score.closer','resolved','hecto-diversity',1);
INSERT INTO "rulings" VALUES('d422d8c6-2083-40b3-b882-a725cf9415eb',1,'score.penalty','resolved','hecto-diversity',1);
INSERT INTO "rulings" VALUES('f3132be7-840a-4fc7-9b3c-7e4710236ec9',1,'trick.led-suit','resolved','ruff',2);
INSERT INTO "rulings" VALUES('f3132be7-840a-4fc7-9b3c-7e4710236ec9',1,'trick.ruff','resolved','ruff',1);
CREATE TABLE seats ( -- Every player of every hand.
    match TEXT NOT NULL, -- id of the match
    hand INTEGER NOT NULL, -- number of the hand in the match, from 1
    seat INTEGER NOT NULL, -- seat, from 0 clockwise
    player TEXT NOT NULL, -- id of the person, as known now
    tricks_taken INTEGER NOT NULL, -- tricks taken, including claimed ones
    score INTEGER, -- points of the hand; null while under way
    total INTEGER, -- points of the match after the hand
    side INTEGER, -- side the seat plays for, from 0; without partners each seat is its own side; null for a match whose hands differ
    facts TEXT NOT NULL, -- the game's facts about it, as JSON; here its bid, its bags
    PRIMARY KEY (match, hand, seat),
    FOREIGN KEY (match) REFERENCES matches,
    FOREIGN KEY (match, hand) REFERENCES hands,
    FOREIGN KEY (match, seat) REFERENCES players,
    FOREIGN KEY (player) REFERENCES people
) WITHOUT ROWID;
INSERT INTO "seats" VALUES('00a4a9bd-81fa-4515-affa-8bc709611be1',1,0,'random-a',1,NULL,NULL,0,'{}');
INSERT INTO "seats" VALUES('00a4a9bd-81fa-4515-affa-8bc709611be1',1,1,'random-b',0,NULL,NULL,1,'{}');
INSERT INTO "seats" VALUES('00a4a9bd-81fa-4515-affa-8bc709611be1',1,2,'random-c',0,NULL,NULL,2,'{}');
INSERT INTO "seats" VALUES('00a4a9bd-81fa-4515-affa-8bc709611be1',1,3,'~SVQWHZKOIBSG356HWFTDMKN7CK',1,NULL,NULL,3,'{}');
INSERT INTO "seats" VALUES('1da05791-337e-4a19-b26f-fcc576ba6e1e',1,0,'random-a',0,NULL,NULL,0,'{}');
INSERT INTO "seats" VALUES('1da05791-337e-4a19-b26f-fcc576ba6e1e',1,1,'random-b',1,NULL,NULL,1,'{}');
INSERT INTO "seats" VALUES('1da05791-337e-4a19-b26f-fcc576ba6e1e',1,2,'random-c',0,NULL,NULL,2,'{}');
INSERT INTO "seats" VALUES('1da05791-337e-4a19-b26f-fcc576ba6e1e',1,3,'~SVQWHZKOIBSG356HWFTDMKN7CK',1,NULL,NULL,3,'{}');
INSERT INTO "seats" VALUES('7cff0aa7-2ee3-454a-8a90-aa325b246e25',1,0,'random-a',0,NULL,NULL,0,'{}');
INSERT INTO "seats" VALUES('7cff0aa7-2ee3-454a-8a90-aa325b246e25',1,1,'random-b',0,NULL,NULL,1,'{}');
INSERT INTO "seats" VALUES('7cff0aa7-2ee3-454a-8a90-aa325b246e25',1,2,'random-c',2,NULL,NULL,2,'{}');
INSERT INTO "seats" VALUES('7cff0aa7-2ee3-454a-8a90-aa325b246e25',1,3,'~SVQWHZKOIBSG356HWFTDMKN7CK',0,NULL,NULL,3,'{}');
INSERT INTO "seats" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',1,0,'random-a',0,NULL,NULL,0,'{}');
INSERT INTO "seats" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',1,1,'random-b',2,NULL,NULL,1,'{}');
INSERT INTO "seats" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',1,2,'random-c',2,NULL,NULL,2,'{}');
INSERT INTO "seats" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',1,3,'~SVQWHZKOIBSG356HWFTDMKN7CK',1,NULL,NULL,3,'{}');
INSERT INTO "seats" VALUES('bb774ac7-7060-4698-9e87-90fb5eee9d6c',1,0,'random-a',1,NULL,NULL,0,'{"bids":1}');
INSERT INTO "seats" VALUES('bb774ac7-7060-4698-9e87-90fb5eee9d6c',1,1,'random-b',0,NULL,NULL,1,'{"bids":13}');
INSERT INTO "seats" VALUES('bb774ac7-7060-4698-9e87-90fb5eee9d6c',1,2,'random-c',0,NULL,NULL,2,'{"bids":12}');
INSERT INTO "seats" VALUES('bb774ac7-7060-4698-9e87-90fb5eee9d6c',1,3,'~SVQWHZKOIBSG356HWFTDMKN7CK',0,NULL,NULL,3,'{"bids":12}');
INSERT INTO "seats" VALUES('d422d8c6-2083-40b3-b882-a725cf9415eb',1,0,'random-a',0,10,10,0,'{"penalties":10}');
INSERT INTO "seats" VALUES('d422d8c6-2083-40b3-b882-a725cf9415eb',1,1,'random-b',0,6,6,1,'{"penalties":6}');
INSERT INTO "seats" VALUES('d422d8c6-2083-40b3-b882-a725cf9415eb',1,2,'random-c',0,22,22,2,'{"penalties":22}');
INSERT INTO "seats" VALUES('d422d8c6-2083-40b3-b882-a725cf9415eb',1,3,'~SVQWHZKOIBSG356HWFTDMKN7CK',0,-38,-38,3,'{"penalties":0}');
INSERT INTO "seats" VALUES('f3132be7-840a-4fc7-9b3c-7e4710236ec9',1,0,'random-a',1,NULL,NULL,0,'{}');
INSERT INTO "seats" VALUES('f3132be7-840a-4fc7-9b3c-7e4710236ec9',1,1,'random-b',0,NULL,NULL,1,'{}');
INSERT INTO "seats" VALUES('f3132be7-840a-4fc7-9b3c-7e4710236ec9',1,2,'random-c',1,NULL,NULL,2,'{}');
INSERT INTO "seats" VALUES('f3132be7-840a-4fc7-9b3c-7e4710236ec9',1,3,'~SVQWHZKOIBSG356HWFTDMKN7CK',1,NULL,NULL,3,'{}');
CREATE TABLE secret_matches (match TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE standings ( -- What players have scored in a game; points at tables of different sizes cannot be compared.
    game TEXT NOT NULL, -- id of the game
    seats INTEGER NOT NULL, -- number of players at the table
    player TEXT NOT NULL, -- id of the person, as known now
    matches INTEGER NOT NULL, -- matches begun
    complete INTEGER NOT NULL, -- of these, complete ones
    won INTEGER NOT NULL, -- matches won, alone or not
    hands INTEGER NOT NULL, -- hands scored in them
    points INTEGER NOT NULL, -- points of those matches
    judged INTEGER NOT NULL, -- hands played out in matches that record irregular play
    PRIMARY KEY (game, seats, player),
    FOREIGN KEY (player) REFERENCES people
) WITHOUT ROWID;
INSERT INTO "standings" VALUES('diamonds-bid',4,'random-a',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('diamonds-bid',4,'random-b',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('diamonds-bid',4,'random-c',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('diamonds-bid',4,'~SVQWHZKOIBSG356HWFTDMKN7CK',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('diamonds-draw',4,'random-a',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('diamonds-draw',4,'random-b',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('diamonds-draw',4,'random-c',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('diamonds-draw',4,'~SVQWHZKOIBSG356HWFTDMKN7CK',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('diversity',4,'random-a',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('diversity',4,'random-b',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('diversity',4,'random-c',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('diversity',4,'~SVQWHZKOIBSG356HWFTDMKN7CK',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('hecto-diversity',4,'random-a',1,0,0,1,10,0);
INSERT INTO "standings" VALUES('hecto-diversity',4,'random-b',1,0,0,1,6,0);
INSERT INTO "standings" VALUES('hecto-diversity',4,'random-c',1,0,0,1,22,0);
INSERT INTO "standings" VALUES('hecto-diversity',4,'~SVQWHZKOIBSG356HWFTDMKN7CK',1,0,0,1,-38,0);
INSERT INTO "standings" VALUES('poison-hearts',4,'random-a',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('poison-hearts',4,'random-b',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('poison-hearts',4,'random-c',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('poison-hearts',4,'~SVQWHZKOIBSG356HWFTDMKN7CK',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('ruff',4,'random-a',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('ruff',4,'random-b',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('ruff',4,'random-c',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('ruff',4,'~SVQWHZKOIBSG356HWFTDMKN7CK',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('ruff-2',4,'random-a',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('ruff-2',4,'random-b',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('ruff-2',4,'random-c',1,0,0,0,0,0);
INSERT INTO "standings" VALUES('ruff-2',4,'~SVQWHZKOIBSG356HWFTDMKN7CK',1,0,0,0,0,0);
CREATE TABLE tricks ( -- Every complete trick.
    match TEXT NOT NULL, -- id of the match
    hand INTEGER NOT NULL, -- number of the hand in the match, from 1
    trick INTEGER NOT NULL, -- number of the trick in the hand, from 1
    leader INTEGER NOT NULL, -- seat that led
    cards TEXT NOT NULL, -- faces in the order played, the leader's first
    taker INTEGER, -- seat that took it; null for a tie
    rule TEXT NOT NULL, -- id of the rule; here the one that decided it
    played_by TEXT, -- JSON list of the seats in the order played; null if all played in turn from the leader
    PRIMARY KEY (match, hand, trick),
    FOREIGN KEY (match) REFERENCES matches,
    FOREIGN KEY (match, hand) REFERENCES hands
) WITHOUT ROWID;
INSERT INTO "tricks" VALUES('00a4a9bd-81fa-4515-affa-8bc709611be1',1,1,1,'3H 7S 9H AH',0,'trick.led-suit',NULL);
INSERT INTO "tricks" VALUES('00a4a9bd-81fa-4515-affa-8bc709611be1',1,2,0,'3C 7C QD QC',3,'trick.led-suit',NULL);
INSERT INTO "tricks" VALUES('1da05791-337e-4a19-b26f-fcc576ba6e1e',1,1,2,'G1 G5 G2 G2',3,'trick.highest',NULL);
INSERT INTO "tricks" VALUES('1da05791-337e-4a19-b26f-fcc576ba6e1e',1,2,3,'Y4 Y2 Y8 Y4',1,'trick.highest',NULL);
INSERT INTO "tricks" VALUES('7cff0aa7-2ee3-454a-8a90-aa325b246e25',1,1,1,'TH AH KH 3H',2,'trick.led-suit',NULL);
INSERT INTO "tricks" VALUES('7cff0aa7-2ee3-454a-8a90-aa325b246e25',1,2,2,'9C 5C 3C 7C',2,'trick.led-suit',NULL);
INSERT INTO "tricks" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',1,1,1,'QS 8C 2C 7C',2,'trick.repeated-suit',NULL);
INSERT INTO "tricks" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',1,2,3,'JD 9C AD 6S',1,'trick.repeated-suit',NULL);
INSERT INTO "tricks" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',1,3,2,'JC 6H TC 6D',2,'trick.repeated-suit',NULL);
INSERT INTO "tricks" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',1,4,3,'KH 5H 9D 3D',3,'trick.repeated-suit',NULL);
INSERT INTO "tricks" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',1,5,0,'4S AS TD 4D',1,'trick.repeated-suit',NULL);
INSERT INTO "tricks" VALUES('bb774ac7-7060-4698-9e87-90fb5eee9d6c',1,1,2,'2C 7C AC TC',0,'trick.led-suit',NULL);
INSERT INTO "tricks" VALUES('f3132be7-840a-4fc7-9b3c-7e4710236ec9',1,1,2,'4H KH 6H 7H',3,'trick.led-suit',NULL);
INSERT INTO "tricks" VALUES('f3132be7-840a-4fc7-9b3c-7e4710236ec9',1,2,3,'7D 4D 3D KD',2,'trick.led-suit',NULL);
INSERT INTO "tricks" VALUES('f3132be7-840a-4fc7-9b3c-7e4710236ec9',1,3,2,'9H AH 3C 5H',0,'trick.ruff',NULL);
CREATE TABLE unrated (match TEXT NOT NULL);
CREATE TABLE violations ( -- Every irregular event that counts, with the cards that were legal.
    match TEXT NOT NULL, -- id of the match
    seq INTEGER NOT NULL, -- number of the event in its stream, from 1
    hand INTEGER NOT NULL, -- number of the hand in the match, from 1
    seat INTEGER NOT NULL, -- seat, from 0 clockwise; here the one that broke the rule
    player TEXT NOT NULL, -- id of the person, as known now
    rule TEXT NOT NULL, -- id of the rule; here the first one broken
    legal TEXT NOT NULL, -- faces of the cards that would have broken no rule
    PRIMARY KEY (match, seq),
    FOREIGN KEY (match) REFERENCES matches,
    FOREIGN KEY (match, hand) REFERENCES hands,
    FOREIGN KEY (match, seat) REFERENCES players,
    FOREIGN KEY (player) REFERENCES people
) WITHOUT ROWID;
CREATE INDEX ratings_match ON ratings (match);
CREATE INDEX ratings_player ON ratings (game, player, number);
CREATE UNIQUE INDEX matches_position ON matches (position);
CREATE INDEX matches_game ON matches (game, position);
CREATE INDEX matches_event ON matches (event, position) WHERE event IS NOT NULL;
CREATE INDEX matches_table ON matches (table_name, position) WHERE table_name IS NOT NULL;
CREATE INDEX matches_venue ON matches (venue, position) WHERE venue IS NOT NULL;
CREATE INDEX matches_date ON matches (date, position);
CREATE INDEX matches_status ON matches (status, position);
CREATE INDEX matches_players ON matches (players, date, event, table_name, position);
CREATE INDEX matches_beginning ON matches (beginning, position) WHERE beginning IS NOT NULL;
CREATE INDEX matches_violations ON matches (position) WHERE violations > 0;
CREATE INDEX matches_corrections ON matches (position) WHERE corrections > 0;
CREATE INDEX players_position ON players (player, position);
CREATE INDEX players_player ON players (player, date, position, game, seats, place);
CREATE INDEX deals_cards ON deals (cards_hash);
CREATE INDEX seats_player ON seats (player, match);
CREATE INDEX evening_players_player ON evening_players (recorded_as);
CREATE INDEX evening_boards_match ON evening_boards (match);
CREATE INDEX evening_boards_board ON evening_boards (evening, board);
CREATE INDEX evening_results_match ON evening_results (match) WHERE match IS NOT NULL;
CREATE INDEX violations_rule ON violations (rule);
CREATE INDEX violations_player ON violations (player);
CREATE VIEW plays ( -- Every card played to a complete trick; void matches are left out.
    match, -- id of the match
    game, -- id of the game
    hand, -- number of the hand in the match, from 1
    trick, -- number of the trick in the hand, from 1
    play, -- number of the card in the trick, from 1 for the lead
    seat, -- seat, from 0 clockwise
    player, -- id of the person, as known now
    card, -- face of the card
    took -- 1 if the seat took the trick
) AS SELECT t.match, m.game, t.hand, t.trick, c.key + 1, p.seat, p.player, c.value, p.seat IS t.taker
    FROM tricks AS t CROSS JOIN matches AS m USING (match)
    CROSS JOIN json_each('["' || replace(t.cards, ' ', '","') || '"]') AS c
    CROSS JOIN players AS p ON p.match = t.match
    AND p.seat = coalesce(json_extract(t.played_by, '$[' || c.key || ']'), (t.leader + c.key) % m.seats);
CREATE TRIGGER careers_added AFTER INSERT ON players BEGIN INSERT INTO careers VALUES (NEW.player, NEW.game, NEW.seats, substr(NEW.date, 1, 7), NEW.seat, NEW.place, 1, NEW.won, NEW.hands, NEW.total, NEW.judged) ON CONFLICT DO UPDATE SET matches = matches + excluded.matches, won = won + excluded.won, hands = hands + excluded.hands, points = points + excluded.points, judged = judged + excluded.judged; END;
CREATE TRIGGER careers_gone AFTER DELETE ON players BEGIN UPDATE careers SET matches = matches - (1), won = won - (OLD.won), hands = hands - (OLD.hands), points = points - (OLD.total), judged = judged - (OLD.judged) WHERE player = OLD.player AND game = OLD.game AND seats = OLD.seats AND month = substr(OLD.date, 1, 7) AND seat = OLD.seat AND place = OLD.place; DELETE FROM careers WHERE player = OLD.player AND game = OLD.game AND seats = OLD.seats AND month = substr(OLD.date, 1, 7) AND seat = OLD.seat AND place = OLD.place AND matches = 0; END;
CREATE TRIGGER careers_changed AFTER UPDATE ON players WHEN (OLD.player, OLD.game, OLD.seats, substr(OLD.date, 1, 7), OLD.seat, OLD.place, 1, OLD.won, OLD.hands, OLD.total, OLD.judged) IS NOT (NEW.player, NEW.game, NEW.seats, substr(NEW.date, 1, 7), NEW.seat, NEW.place, 1, NEW.won, NEW.hands, NEW.total, NEW.judged) BEGIN UPDATE careers SET matches = matches - (1), won = won - (OLD.won), hands = hands - (OLD.hands), points = points - (OLD.total), judged = judged - (OLD.judged) WHERE player = OLD.player AND game = OLD.game AND seats = OLD.seats AND month = substr(OLD.date, 1, 7) AND seat = OLD.seat AND place = OLD.place; DELETE FROM careers WHERE player = OLD.player AND game = OLD.game AND seats = OLD.seats AND month = substr(OLD.date, 1, 7) AND seat = OLD.seat AND place = OLD.place AND matches = 0; INSERT INTO careers VALUES (NEW.player, NEW.game, NEW.seats, substr(NEW.date, 1, 7), NEW.seat, NEW.place, 1, NEW.won, NEW.hands, NEW.total, NEW.judged) ON CONFLICT DO UPDATE SET matches = matches + excluded.matches, won = won + excluded.won, hands = hands + excluded.hands, points = points + excluded.points, judged = judged + excluded.judged; END;
CREATE TRIGGER standings_added AFTER INSERT ON players BEGIN INSERT INTO standings VALUES (NEW.game, NEW.seats, NEW.player, 1, NEW.place > 0, NEW.won, NEW.hands, NEW.total, NEW.judged) ON CONFLICT DO UPDATE SET matches = matches + excluded.matches, complete = complete + excluded.complete, won = won + excluded.won, hands = hands + excluded.hands, points = points + excluded.points, judged = judged + excluded.judged; END;
CREATE TRIGGER standings_gone AFTER DELETE ON players BEGIN UPDATE standings SET matches = matches - (1), complete = complete - (OLD.place > 0), won = won - (OLD.won), hands = hands - (OLD.hands), points = points - (OLD.total), judged = judged - (OLD.judged) WHERE game = OLD.game AND seats = OLD.seats AND player = OLD.player; DELETE FROM standings WHERE game = OLD.game AND seats = OLD.seats AND player = OLD.player AND matches = 0; END;
CREATE TRIGGER standings_changed AFTER UPDATE ON players WHEN (OLD.game, OLD.seats, OLD.player, 1, OLD.place > 0, OLD.won, OLD.hands, OLD.total, OLD.judged) IS NOT (NEW.game, NEW.seats, NEW.player, 1, NEW.place > 0, NEW.won, NEW.hands, NEW.total, NEW.judged) BEGIN UPDATE standings SET matches = matches - (1), complete = complete - (OLD.place > 0), won = won - (OLD.won), hands = hands - (OLD.hands), points = points - (OLD.total), judged = judged - (OLD.judged) WHERE game = OLD.game AND seats = OLD.seats AND player = OLD.player; DELETE FROM standings WHERE game = OLD.game AND seats = OLD.seats AND player = OLD.player AND matches = 0; INSERT INTO standings VALUES (NEW.game, NEW.seats, NEW.player, 1, NEW.place > 0, NEW.won, NEW.hands, NEW.total, NEW.judged) ON CONFLICT DO UPDATE SET matches = matches + excluded.matches, complete = complete + excluded.complete, won = won + excluded.won, hands = hands + excluded.hands, points = points + excluded.points, judged = judged + excluded.judged; END;
CREATE TRIGGER named_events_added AFTER INSERT ON matches BEGIN INSERT INTO named_events VALUES (coalesce(NEW.event, ''), 1, (NEW.status <> 'void')) ON CONFLICT DO UPDATE SET matches_recorded = matches_recorded + excluded.matches_recorded, matches = matches + excluded.matches; END;
CREATE TRIGGER named_events_gone AFTER DELETE ON matches BEGIN UPDATE named_events SET matches_recorded = matches_recorded - (1), matches = matches - ((OLD.status <> 'void')) WHERE event = coalesce(OLD.event, ''); DELETE FROM named_events WHERE event = coalesce(OLD.event, '') AND matches_recorded = 0; END;
CREATE TRIGGER named_events_changed AFTER UPDATE ON matches WHEN (coalesce(OLD.event, ''), 1, (OLD.status <> 'void')) IS NOT (coalesce(NEW.event, ''), 1, (NEW.status <> 'void')) BEGIN UPDATE named_events SET matches_recorded = matches_recorded - (1), matches = matches - ((OLD.status <> 'void')) WHERE event = coalesce(OLD.event, ''); DELETE FROM named_events WHERE event = coalesce(OLD.event, '') AND matches_recorded = 0; INSERT INTO named_events VALUES (coalesce(NEW.event, ''), 1, (NEW.status <> 'void')) ON CONFLICT DO UPDATE SET matches_recorded = matches_recorded + excluded.matches_recorded, matches = matches + excluded.matches; END;
CREATE TRIGGER named_tables_added AFTER INSERT ON matches BEGIN INSERT INTO named_tables VALUES (coalesce(NEW.table_name, ''), 1, (NEW.status <> 'void')) ON CONFLICT DO UPDATE SET matches_recorded = matches_recorded + excluded.matches_recorded, matches = matches + excluded.matches; END;
CREATE TRIGGER named_tables_gone AFTER DELETE ON matches BEGIN UPDATE named_tables SET matches_recorded = matches_recorded - (1), matches = matches - ((OLD.status <> 'void')) WHERE table_name = coalesce(OLD.table_name, ''); DELETE FROM named_tables WHERE table_name = coalesce(OLD.table_name, '') AND matches_recorded = 0; END;
CREATE TRIGGER named_tables_changed AFTER UPDATE ON matches WHEN (coalesce(OLD.table_name, ''), 1, (OLD.status <> 'void')) IS NOT (coalesce(NEW.table_name, ''), 1, (NEW.status <> 'void')) BEGIN UPDATE named_tables SET matches_recorded = matches_recorded - (1), matches = matches - ((OLD.status <> 'void')) WHERE table_name = coalesce(OLD.table_name, ''); DELETE FROM named_tables WHERE table_name = coalesce(OLD.table_name, '') AND matches_recorded = 0; INSERT INTO named_tables VALUES (coalesce(NEW.table_name, ''), 1, (NEW.status <> 'void')) ON CONFLICT DO UPDATE SET matches_recorded = matches_recorded + excluded.matches_recorded, matches = matches + excluded.matches; END;
CREATE TRIGGER named_venues_added AFTER INSERT ON matches BEGIN INSERT INTO named_venues VALUES (coalesce(NEW.venue, ''), 1, (NEW.status <> 'void')) ON CONFLICT DO UPDATE SET matches_recorded = matches_recorded + excluded.matches_recorded, matches = matches + excluded.matches; END;
CREATE TRIGGER named_venues_gone AFTER DELETE ON matches BEGIN UPDATE named_venues SET matches_recorded = matches_recorded - (1), matches = matches - ((OLD.status <> 'void')) WHERE venue = coalesce(OLD.venue, ''); DELETE FROM named_venues WHERE venue = coalesce(OLD.venue, '') AND matches_recorded = 0; END;
CREATE TRIGGER named_venues_changed AFTER UPDATE ON matches WHEN (coalesce(OLD.venue, ''), 1, (OLD.status <> 'void')) IS NOT (coalesce(NEW.venue, ''), 1, (NEW.status <> 'void')) BEGIN UPDATE named_venues SET matches_recorded = matches_recorded - (1), matches = matches - ((OLD.status <> 'void')) WHERE venue = coalesce(OLD.venue, ''); DELETE FROM named_venues WHERE venue = coalesce(OLD.venue, '') AND matches_recorded = 0; INSERT INTO named_venues VALUES (coalesce(NEW.venue, ''), 1, (NEW.status <> 'void')) ON CONFLICT DO UPDATE SET matches_recorded = matches_recorded + excluded.matches_recorded, matches = matches + excluded.matches; END;
CREATE TRIGGER rules_added AFTER INSERT ON rulings BEGIN INSERT INTO rules VALUES (NEW.game, NEW.rule, NEW.verdict, 1, NEW.count) ON CONFLICT DO UPDATE SET hands = hands + excluded.hands, count = count + excluded.count; END;
CREATE TRIGGER rules_gone AFTER DELETE ON rulings BEGIN UPDATE rules SET hands = hands - (1), count = count - (OLD.count) WHERE game = OLD.game AND rule = OLD.rule AND verdict = OLD.verdict; DELETE FROM rules WHERE game = OLD.game AND rule = OLD.rule AND verdict = OLD.verdict AND hands = 0; END;
CREATE TRIGGER rules_changed AFTER UPDATE ON rulings WHEN (OLD.game, OLD.rule, OLD.verdict, 1, OLD.count) IS NOT (NEW.game, NEW.rule, NEW.verdict, 1, NEW.count) BEGIN UPDATE rules SET hands = hands - (1), count = count - (OLD.count) WHERE game = OLD.game AND rule = OLD.rule AND verdict = OLD.verdict; DELETE FROM rules WHERE game = OLD.game AND rule = OLD.rule AND verdict = OLD.verdict AND hands = 0; INSERT INTO rules VALUES (NEW.game, NEW.rule, NEW.verdict, 1, NEW.count) ON CONFLICT DO UPDATE SET hands = hands + excluded.hands, count = count + excluded.count; END;
COMMIT;
