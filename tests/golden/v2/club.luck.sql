PRAGMA application_id = 1819632491;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE checkpoint (position INTEGER NOT NULL);
INSERT INTO "checkpoint" VALUES(113);
CREATE TABLE deals (key TEXT PRIMARY KEY, edition TEXT NOT NULL, points TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE hands (match TEXT NOT NULL, hand INTEGER NOT NULL, game TEXT NOT NULL, seats INTEGER NOT NULL,
        dealer INTEGER NOT NULL, first_seq INTEGER NOT NULL, scores TEXT, why TEXT, deal TEXT, key TEXT, situation TEXT,
        dealt TEXT, course TEXT, PRIMARY KEY (match, hand)) WITHOUT ROWID;
INSERT INTO "hands" VALUES('1af3f4de-0ee1-4db6-a1ac-9dc0e74a45ff',1,'ruff',4,1,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "hands" VALUES('2bec4610-52f9-47ff-a67b-f92f7b7465af',1,'diamonds-draw',4,0,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "hands" VALUES('5b977caa-be7b-4786-b6bc-9d496877f96e',1,'ruff-2',4,0,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "hands" VALUES('88cad700-6ce7-437d-9a34-740e693c9841',1,'diamonds-bid',4,0,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "hands" VALUES('8a2df73f-86a7-46de-acca-ae63a08b7321',1,'poison-hearts',4,2,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "hands" VALUES('dcbc895f-2520-45cd-ba5b-68ff1545c89e',1,'hecto-diversity',4,2,2,'[10, 6, 22, -38]',NULL,'b7760e23ffcf36b2907c3588aa459253','b7760e23ffcf36b2907c3588aa459253','["hecto-diversity/1",4,[["layout","8x10"]],null]','{"situation":{"game":"hecto-diversity","n":4,"options":[["layout","8x10"]],"taken":null},"hands":[["2","6","10","14","59","70","80"],["8","11","26","40","43","69","77"],["38","53","60","63","64","67","73"],["20","24","32","36","49","66","75"]],"upcard":"50","stock":["22","27","61","56","1","16","47","23","31","52","33","28","15","74","72","3","78","48","79","19","5","45","46","54","71","51","44","57","62","39","9","42","25","55","65","7","12","21","58","17","13","18","68","76","30","34","4","35","37","29","41"],"whole":true}','3edfc6ad3e5925bad294156d62e94ae1');
INSERT INTO "hands" VALUES('fd291b2a-211a-4e72-89f7-90fd511348cb',1,'diversity',4,0,2,NULL,'under way',NULL,NULL,NULL,NULL,NULL);
CREATE TABLE reviews (match TEXT NOT NULL, hand INTEGER NOT NULL, edition TEXT NOT NULL, decisions TEXT NOT NULL,
        draws TEXT NOT NULL, PRIMARY KEY (match, hand)) WITHOUT ROWID;
CREATE TABLE situations (situation TEXT PRIMARY KEY, edition TEXT NOT NULL, deals INTEGER NOT NULL,
        points TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX hands_deal ON hands (deal);
CREATE INDEX hands_game ON hands (game, seats);
COMMIT;
