PRAGMA application_id = 1819632491;
PRAGMA user_version = 4;
BEGIN TRANSACTION;
CREATE TABLE checkpoint (position INTEGER NOT NULL);
INSERT INTO "checkpoint" VALUES(113);
CREATE TABLE deals (key TEXT PRIMARY KEY, edition TEXT NOT NULL, points TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE double_dummy (key TEXT PRIMARY KEY, edition TEXT NOT NULL, tricks TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE double_dummy_counts (match TEXT NOT NULL, hand INTEGER NOT NULL, seq INTEGER NOT NULL,
        counts TEXT NOT NULL, PRIMARY KEY (match, hand)) WITHOUT ROWID;
CREATE TABLE hands (match TEXT NOT NULL, hand INTEGER NOT NULL, game TEXT NOT NULL, seats INTEGER NOT NULL,
        dealer INTEGER NOT NULL, first_seq INTEGER NOT NULL, scores TEXT, why TEXT, deal TEXT, key TEXT, situation TEXT,
        dealt TEXT, course TEXT, recorded INTEGER NOT NULL, PRIMARY KEY (match, hand)) WITHOUT ROWID;
INSERT INTO "hands" VALUES('00a4a9bd-81fa-4515-affa-8bc709611be1',1,'diamonds-draw',4,0,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL,1);
INSERT INTO "hands" VALUES('1da05791-337e-4a19-b26f-fcc576ba6e1e',1,'poison-hearts',4,2,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL,1);
INSERT INTO "hands" VALUES('7cff0aa7-2ee3-454a-8a90-aa325b246e25',1,'ruff-2',4,0,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL,1);
INSERT INTO "hands" VALUES('ad5c200b-0f03-4052-a6ce-94beefe91547',1,'diversity',4,0,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL,1);
INSERT INTO "hands" VALUES('bb774ac7-7060-4698-9e87-90fb5eee9d6c',1,'diamonds-bid',4,0,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL,1);
INSERT INTO "hands" VALUES('d422d8c6-2083-40b3-b882-a725cf9415eb',1,'hecto-diversity',4,2,2,'[10, 6, 22, -38]',NULL,'b7760e23ffcf36b2907c3588aa459253','b7760e23ffcf36b2907c3588aa459253','["hecto-diversity/1",4,[["layout","8x10"]],null]','{"situation":{"game":"hecto-diversity","n":4,"options":[["layout","8x10"]],"taken":null},"hands":[["2","6","10","14","59","70","80"],["8","11","26","40","43","69","77"],["38","53","60","63","64","67","73"],["20","24","32","36","49","66","75"]],"upcard":"50","stock":["22","27","61","56","1","16","47","23","31","52","33","28","15","74","72","3","78","48","79","19","5","45","46","54","71","51","44","57","62","39","9","42","25","55","65","7","12","21","58","17","13","18","68","76","30","34","4","35","37","29","41"],"whole":true}','3edfc6ad3e5925bad294156d62e94ae1',1);
INSERT INTO "hands" VALUES('f3132be7-840a-4fc7-9b3c-7e4710236ec9',1,'ruff',4,1,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL,1);
CREATE TABLE reviews (match TEXT NOT NULL, hand INTEGER NOT NULL, edition TEXT NOT NULL, decisions TEXT NOT NULL,
    draws TEXT NOT NULL, PRIMARY KEY (match, hand, edition)) WITHOUT ROWID;
CREATE TABLE situations (situation TEXT PRIMARY KEY, edition TEXT NOT NULL, deals INTEGER NOT NULL,
        points TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE solved_to (position INTEGER NOT NULL);
INSERT INTO "solved_to" VALUES(0);
CREATE INDEX hands_deal ON hands (deal);
CREATE INDEX hands_game ON hands (game, seats);
COMMIT;
