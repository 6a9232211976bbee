PRAGMA application_id = 1819632491;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE checkpoint (position INTEGER NOT NULL);
INSERT INTO "checkpoint" VALUES(112);
CREATE TABLE deals (key TEXT PRIMARY KEY, edition TEXT NOT NULL, points TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE hands (match TEXT NOT NULL, hand INTEGER NOT NULL, game TEXT NOT NULL, seats INTEGER NOT NULL,
        dealer INTEGER NOT NULL, first_seq INTEGER NOT NULL, scores TEXT, why TEXT, deal TEXT, key TEXT, situation TEXT,
        dealt TEXT, course TEXT, PRIMARY KEY (match, hand)) WITHOUT ROWID;
INSERT INTO "hands" VALUES('018b44f2-cc8e-4a2f-bc08-a9f415ee8c34',1,'ruff',4,1,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "hands" VALUES('273a3b9d-885f-41dc-ad7c-45fb9bc6c6e1',1,'ruff-2',4,0,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "hands" VALUES('7f3cf609-4ea0-4b0b-83e6-931cc7fd786c',1,'diamonds-draw',4,0,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "hands" VALUES('92f7e567-4744-494b-9ccb-d1bb0202a476',1,'diamonds-bid',4,0,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "hands" VALUES('e50923af-c1de-490d-a1de-2e43ad946c54',1,'hecto-diversity',4,2,2,'[10, 6, 22, -38]',NULL,'b7760e23ffcf36b2907c3588aa459253','b7760e23ffcf36b2907c3588aa459253','["hecto-diversity/1",4,[["layout","8x10"]],null]','{"situation":{"game":"hecto-diversity","n":4,"options":[["layout","8x10"]],"taken":null},"hands":[["2","6","10","14","59","70","80"],["8","11","26","40","43","69","77"],["38","53","60","63","64","67","73"],["20","24","32","36","49","66","75"]],"upcard":"50","stock":["22","27","61","56","1","16","47","23","31","52","33","28","15","74","72","3","78","48","79","19","5","45","46","54","71","51","44","57","62","39","9","42","25","55","65","7","12","21","58","17","13","18","68","76","30","34","4","35","37","29","41"],"whole":true}','3edfc6ad3e5925bad294156d62e94ae1');
INSERT INTO "hands" VALUES('f0e39a7c-29b3-4ae5-8efc-c49c319ff874',1,'diversity',4,0,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "hands" VALUES('ff12a54e-abd1-4c2d-862d-d7ce13879f44',1,'poison-hearts',4,2,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL);
CREATE TABLE reviews (match TEXT NOT NULL, hand INTEGER NOT NULL, edition TEXT NOT NULL, decisions TEXT NOT NULL,
        draws TEXT NOT NULL, PRIMARY KEY (match, hand)) WITHOUT ROWID;
CREATE TABLE situations (situation TEXT PRIMARY KEY, edition TEXT NOT NULL, deals INTEGER NOT NULL,
        points TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX hands_deal ON hands (deal);
CREATE INDEX hands_game ON hands (game, seats);
COMMIT;
