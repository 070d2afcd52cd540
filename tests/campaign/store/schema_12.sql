BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'judge_tui','m001_the_nouns','2026-11-28 18:44:03.260916+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'judge_tui','m002_assignments','2026-11-28 18:44:03.261805+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'judge_tui','m003_tallies','2026-11-28 18:44:03.261920+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'judge_tui','m004_settled','2026-11-28 18:44:03.262018+00:00');
INSERT INTO "_sqlite_migrations" VALUES(5,'judge_tui','m005_asked','2026-11-28 18:44:03.270063+00:00');
INSERT INTO "_sqlite_migrations" VALUES(6,'judge_tui','m006_asked_without_a_clock','2026-11-28 18:44:03.271295+00:00');
INSERT INTO "_sqlite_migrations" VALUES(7,'judge_tui','m007_what_a_file_knew','2026-11-28 18:44:03.271403+00:00');
INSERT INTO "_sqlite_migrations" VALUES(8,'judge_tui','m008_ids_of_one_token','2026-11-28 18:44:03.271473+00:00');
INSERT INTO "_sqlite_migrations" VALUES(9,'judge_tui','m009_settings','2026-11-28 18:44:03.271850+00:00');
INSERT INTO "_sqlite_migrations" VALUES(10,'judge_tui','m010_judgments','2026-11-28 18:44:03.272350+00:00');
INSERT INTO "_sqlite_migrations" VALUES(11,'judge_tui','m011_no_priority','2026-11-28 18:44:03.273314+00:00');
INSERT INTO "_sqlite_migrations" VALUES(12,'judge_tui','m012_one_schema','2026-11-28 18:44:03.274000+00:00');
CREATE TABLE adjudications (
    pair INTEGER PRIMARY KEY REFERENCES pool,
    judge INTEGER NOT NULL REFERENCES judges,
    grade INTEGER NOT NULL,
    note TEXT NOT NULL,
    written_at TEXT NOT NULL,
    event TEXT NOT NULL REFERENCES events
) STRICT
;
INSERT INTO "adjudications" VALUES(1,4,3,'why','2026-11-28T18:44:04.508+00:00','01a22378-bb1c-7114-b49c-5fc8872a8ae0');
CREATE TABLE asked (
    run INTEGER NOT NULL REFERENCES runs,
    query INTEGER NOT NULL REFERENCES queries,
    seconds REAL CHECK (seconds >= 0),
    failure TEXT NOT NULL,
    PRIMARY KEY (run, query)
) STRICT, WITHOUT ROWID;
CREATE TABLE assignments (
            judge INTEGER NOT NULL REFERENCES judges,
            pair INTEGER NOT NULL REFERENCES pool,
            turn INTEGER NOT NULL CHECK (turn IN (0, 1)),
            position INTEGER NOT NULL,
            purpose TEXT NOT NULL CHECK (purpose IN ('normal', 'overlap', 'gold', 'repeat'))
                CHECK ((purpose = 'repeat') = (turn = 1)),
            PRIMARY KEY (judge, pair, turn)
        ) STRICT, WITHOUT ROWID
        ;
INSERT INTO "assignments" VALUES(1,1,0,4294967296,'overlap');
INSERT INTO "assignments" VALUES(1,2,0,4294967296,'overlap');
INSERT INTO "assignments" VALUES(1,3,0,8589934592,'normal');
INSERT INTO "assignments" VALUES(1,3,1,8589934595,'repeat');
INSERT INTO "assignments" VALUES(1,4,0,8589934592,'normal');
INSERT INTO "assignments" VALUES(1,4,1,8589934595,'repeat');
INSERT INTO "assignments" VALUES(1,5,0,8589934592,'normal');
INSERT INTO "assignments" VALUES(2,1,0,4294967296,'normal');
INSERT INTO "assignments" VALUES(2,1,1,8589934594,'repeat');
INSERT INTO "assignments" VALUES(2,2,0,4294967296,'normal');
INSERT INTO "assignments" VALUES(2,2,1,8589934594,'repeat');
INSERT INTO "assignments" VALUES(2,3,0,8589934592,'overlap');
INSERT INTO "assignments" VALUES(2,4,0,8589934592,'overlap');
INSERT INTO "assignments" VALUES(2,5,0,8589934592,'overlap');
CREATE TABLE campaign (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            name TEXT NOT NULL,
            scale TEXT NOT NULL,
            guidelines TEXT NOT NULL,
            seed INTEGER NOT NULL,
            show_ranks INTEGER NOT NULL,
            created TEXT NOT NULL
        , campaign_id TEXT NOT NULL DEFAULT '', show_fields TEXT NOT NULL DEFAULT '[]', include_models INTEGER NOT NULL DEFAULT 0, baseline TEXT NOT NULL DEFAULT '') STRICT
        ;
INSERT INTO "campaign" VALUES(1,'old','0=not relevant,1=related,2=relevant,3=perfect','',7,0,'2026-11-28T18:44:02.531+00:00','66cabf74-8c7e-40e8-8608-ea62c65b66da','[]',0,'');
CREATE TABLE documents (
            id INTEGER PRIMARY KEY,
            doc_id TEXT NOT NULL UNIQUE,
            title TEXT NOT NULL DEFAULT '',
            text TEXT,
            url TEXT NOT NULL DEFAULT '',
            kind TEXT NOT NULL DEFAULT '',
            meta TEXT NOT NULL DEFAULT '{}'
        ) STRICT
        ;
INSERT INTO "documents" VALUES(1,'csv.reader','',NULL,'','','{}');
INSERT INTO "documents" VALUES(2,'csv.writer','',NULL,'','','{}');
INSERT INTO "documents" VALUES(3,'sorted','',NULL,'','','{}');
INSERT INTO "documents" VALUES(4,'list.sort','',NULL,'','','{}');
INSERT INTO "documents" VALUES(5,'heapq','',NULL,'','','{}');
CREATE TABLE events (
            id TEXT PRIMARY KEY,
            judge INTEGER NOT NULL REFERENCES judges,
            pair INTEGER NOT NULL REFERENCES pool,
            action TEXT NOT NULL CHECK (action IN (
                'grade', 'skip', 'cannot', 'flag', 'unflag', 'comment', 'adjudicate',
                'undo', 'redo')),
            grade INTEGER CHECK ((grade IS NOT NULL) = (action IN ('grade', 'adjudicate'))),
            note TEXT NOT NULL,
            target TEXT REFERENCES events CHECK (
                (target IS NOT NULL) = (action IN ('undo', 'redo'))),
            looked REAL,
            painted_at TEXT,
            written_at TEXT NOT NULL
        , turn INTEGER NOT NULL DEFAULT 0 CHECK (turn IN (0, 1))) STRICT, WITHOUT ROWID
        ;
INSERT INTO "events" VALUES('01a22378-ba32-74ce-8384-6456111cfa5f',3,1,'grade',2,'',NULL,NULL,NULL,'2026-11-28T18:44:04.274+00:00',0);
INSERT INTO "events" VALUES('01a22378-ba32-74cf-9023-6a528bbfbad9',3,2,'grade',0,'',NULL,NULL,NULL,'2026-11-28T18:44:04.274+00:00',0);
INSERT INTO "events" VALUES('01a22378-ba32-74d0-ade4-277223e56cea',3,5,'grade',1,'',NULL,NULL,NULL,'2026-11-28T18:44:04.274+00:00',0);
INSERT INTO "events" VALUES('01a22378-baba-7617-905d-4feda7c1520e',1,2,'grade',3,'',NULL,5.0,'2026-11-28T18:44:04.410+00:00','2026-11-28T18:44:04.410+00:00',0);
INSERT INTO "events" VALUES('01a22378-bacc-70de-b8d3-ca20576f291f',1,1,'grade',0,'',NULL,2.0,'2026-11-28T18:44:04.428+00:00','2026-11-28T18:44:04.428+00:00',0);
INSERT INTO "events" VALUES('01a22378-bacd-758f-9230-b9298433126c',1,3,'grade',1,'',NULL,3.0,'2026-11-28T18:44:04.429+00:00','2026-11-28T18:44:04.429+00:00',0);
INSERT INTO "events" VALUES('01a22378-bacd-7590-9f37-fe77beb92590',1,5,'grade',2,'',NULL,4.0,'2026-11-28T18:44:04.429+00:00','2026-11-28T18:44:04.429+00:00',0);
INSERT INTO "events" VALUES('01a22378-bad0-702d-912a-b14a757cf68a',1,4,'grade',1,'',NULL,3.0,'2026-11-28T18:44:04.432+00:00','2026-11-28T18:44:04.432+00:00',0);
INSERT INTO "events" VALUES('01a22378-bad6-741c-86de-1a6b410e053c',1,2,'flag',NULL,'',NULL,NULL,'2026-11-28T18:44:04.438+00:00','2026-11-28T18:44:04.438+00:00',0);
INSERT INTO "events" VALUES('01a22378-bad6-741d-9adf-8bee1de8f57d',1,1,'comment',NULL,'odd',NULL,NULL,'2026-11-28T18:44:04.438+00:00','2026-11-28T18:44:04.438+00:00',0);
INSERT INTO "events" VALUES('01a22378-bada-747f-adfa-8ecd645c987a',1,3,'skip',NULL,'',NULL,1.0,'2026-11-28T18:44:04.442+00:00','2026-11-28T18:44:04.442+00:00',0);
INSERT INTO "events" VALUES('01a22378-bade-7104-bb10-c4bbe2eaa4d4',1,3,'undo',NULL,'','01a22378-bada-747f-adfa-8ecd645c987a',NULL,NULL,'2026-11-28T18:44:04.446+00:00',0);
INSERT INTO "events" VALUES('01a22378-badf-7181-bd61-b30210d98470',1,1,'undo',NULL,'','01a22378-bad6-741d-9adf-8bee1de8f57d',NULL,NULL,'2026-11-28T18:44:04.447+00:00',0);
INSERT INTO "events" VALUES('01a22378-bae2-7260-9dc3-a3e84dcda78b',1,1,'redo',NULL,'','01a22378-badf-7181-bd61-b30210d98470',NULL,NULL,'2026-11-28T18:44:04.450+00:00',0);
INSERT INTO "events" VALUES('01a22378-bae6-74c3-9a55-e7b4e8f77661',2,1,'grade',2,'',NULL,4.0,'2026-11-28T18:44:04.454+00:00','2026-11-28T18:44:04.454+00:00',0);
INSERT INTO "events" VALUES('01a22378-bae9-71a3-a7ac-8133e537101b',2,2,'grade',0,'',NULL,2.0,'2026-11-28T18:44:04.457+00:00','2026-11-28T18:44:04.457+00:00',0);
INSERT INTO "events" VALUES('01a22378-baee-70a8-b207-f848ee607d27',2,3,'grade',1,'',NULL,3.0,'2026-11-28T18:44:04.462+00:00','2026-11-28T18:44:04.462+00:00',0);
INSERT INTO "events" VALUES('01a22378-baf2-76a8-94f4-2fa307f9dada',2,4,'grade',1,'',NULL,3.0,'2026-11-28T18:44:04.466+00:00','2026-11-28T18:44:04.466+00:00',0);
INSERT INTO "events" VALUES('01a22378-bafa-72dd-843b-2aee8516f9c2',2,5,'grade',0,'',NULL,2.0,'2026-11-28T18:44:04.474+00:00','2026-11-28T18:44:04.474+00:00',0);
INSERT INTO "events" VALUES('01a22378-bb03-77cf-85a2-27b8a18670f2',2,1,'flag',NULL,'',NULL,NULL,'2026-11-28T18:44:04.483+00:00','2026-11-28T18:44:04.483+00:00',0);
INSERT INTO "events" VALUES('01a22378-bb06-712b-982e-245a86fc0dbf',2,2,'comment',NULL,'odd',NULL,NULL,'2026-11-28T18:44:04.486+00:00','2026-11-28T18:44:04.486+00:00',0);
INSERT INTO "events" VALUES('01a22378-bb0a-7449-b2de-34cc29fd2e0d',2,3,'skip',NULL,'',NULL,1.0,'2026-11-28T18:44:04.490+00:00','2026-11-28T18:44:04.490+00:00',0);
INSERT INTO "events" VALUES('01a22378-bb0d-72c1-8125-9bcb6ec83d91',2,3,'undo',NULL,'','01a22378-bb0a-7449-b2de-34cc29fd2e0d',NULL,NULL,'2026-11-28T18:44:04.493+00:00',0);
INSERT INTO "events" VALUES('01a22378-bb0f-727b-a0bc-3262c0327e6a',2,2,'undo',NULL,'','01a22378-bb06-712b-982e-245a86fc0dbf',NULL,NULL,'2026-11-28T18:44:04.495+00:00',0);
INSERT INTO "events" VALUES('01a22378-bb12-73e8-8f6a-77425cba57e0',2,2,'redo',NULL,'','01a22378-bb0f-727b-a0bc-3262c0327e6a',NULL,NULL,'2026-11-28T18:44:04.498+00:00',0);
INSERT INTO "events" VALUES('01a22378-bb1c-7114-b49c-5fc8872a8ae0',4,1,'adjudicate',3,'why',NULL,NULL,'2026-11-28T18:44:04.508+00:00','2026-11-28T18:44:04.508+00:00',0);
INSERT INTO "events" VALUES('01a22378-bb1d-7783-8f11-fb7faa116e4b',4,2,'adjudicate',1,'',NULL,NULL,'2026-11-28T18:44:04.509+00:00','2026-11-28T18:44:04.509+00:00',0);
INSERT INTO "events" VALUES('01a22378-bb22-7470-be62-744ecda10ef7',4,2,'undo',NULL,'','01a22378-bb1d-7783-8f11-fb7faa116e4b',NULL,NULL,'2026-11-28T18:44:04.514+00:00',0);
CREATE TABLE gold (pair INTEGER PRIMARY KEY REFERENCES pool, grade INTEGER NOT NULL) STRICT;
CREATE TABLE judges (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            role TEXT NOT NULL CHECK (role IN ('judge', 'lead')),
            kind TEXT NOT NULL CHECK (kind IN ('human', 'model'))
        , formerly TEXT, removed INTEGER NOT NULL DEFAULT 0) STRICT
        ;
INSERT INTO "judges" VALUES(1,'ann','judge','human',NULL,0);
INSERT INTO "judges" VALUES(2,'bob','judge','human',NULL,0);
INSERT INTO "judges" VALUES(3,'nist','judge','human',NULL,0);
INSERT INTO "judges" VALUES(4,'lea','lead','human',NULL,0);
CREATE TABLE judgments (
    judge INTEGER NOT NULL REFERENCES judges,
    pair INTEGER NOT NULL REFERENCES pool,
    turn INTEGER NOT NULL,
    query INTEGER NOT NULL REFERENCES queries,
    decision TEXT CHECK (decision IN ('grade', 'skip', 'cannot')),
    grade INTEGER CHECK ((grade IS NOT NULL) = (coalesce(decision, '') = 'grade')),
    flagged INTEGER NOT NULL,
    note TEXT NOT NULL,
    seconds REAL,
    written_at TEXT NOT NULL,
    from_file INTEGER NOT NULL,
    event TEXT REFERENCES events,
    first_grade TEXT REFERENCES events,
    first_decision TEXT REFERENCES events,
    first_seconds REAL,
    first_in_app INTEGER NOT NULL,
    PRIMARY KEY (judge, pair, turn)
) STRICT, WITHOUT ROWID;
INSERT INTO "judgments" VALUES(1,1,0,1,'grade',0,0,'odd',2.0,'2026-11-28T18:44:04.428+00:00',0,'01a22378-bacc-70de-b8d3-ca20576f291f','01a22378-bacc-70de-b8d3-ca20576f291f','01a22378-bacc-70de-b8d3-ca20576f291f',2.0,1);
INSERT INTO "judgments" VALUES(1,2,0,1,'grade',3,1,'',5.0,'2026-11-28T18:44:04.410+00:00',0,'01a22378-baba-7617-905d-4feda7c1520e','01a22378-baba-7617-905d-4feda7c1520e','01a22378-baba-7617-905d-4feda7c1520e',5.0,1);
INSERT INTO "judgments" VALUES(1,3,0,2,'grade',1,0,'',3.0,'2026-11-28T18:44:04.429+00:00',0,'01a22378-bacd-758f-9230-b9298433126c','01a22378-bacd-758f-9230-b9298433126c','01a22378-bacd-758f-9230-b9298433126c',3.0,1);
INSERT INTO "judgments" VALUES(1,4,0,2,'grade',1,0,'',3.0,'2026-11-28T18:44:04.432+00:00',0,'01a22378-bad0-702d-912a-b14a757cf68a','01a22378-bad0-702d-912a-b14a757cf68a','01a22378-bad0-702d-912a-b14a757cf68a',3.0,1);
INSERT INTO "judgments" VALUES(1,5,0,2,'grade',2,0,'',4.0,'2026-11-28T18:44:04.429+00:00',0,'01a22378-bacd-7590-9f37-fe77beb92590','01a22378-bacd-7590-9f37-fe77beb92590','01a22378-bacd-7590-9f37-fe77beb92590',4.0,1);
INSERT INTO "judgments" VALUES(2,1,0,1,'grade',2,1,'',4.0,'2026-11-28T18:44:04.454+00:00',0,'01a22378-bae6-74c3-9a55-e7b4e8f77661','01a22378-bae6-74c3-9a55-e7b4e8f77661','01a22378-bae6-74c3-9a55-e7b4e8f77661',4.0,1);
INSERT INTO "judgments" VALUES(2,2,0,1,'grade',0,0,'odd',2.0,'2026-11-28T18:44:04.457+00:00',0,'01a22378-bae9-71a3-a7ac-8133e537101b','01a22378-bae9-71a3-a7ac-8133e537101b','01a22378-bae9-71a3-a7ac-8133e537101b',2.0,1);
INSERT INTO "judgments" VALUES(2,3,0,2,'grade',1,0,'',3.0,'2026-11-28T18:44:04.462+00:00',0,'01a22378-baee-70a8-b207-f848ee607d27','01a22378-baee-70a8-b207-f848ee607d27','01a22378-baee-70a8-b207-f848ee607d27',3.0,1);
INSERT INTO "judgments" VALUES(2,4,0,2,'grade',1,0,'',3.0,'2026-11-28T18:44:04.466+00:00',0,'01a22378-baf2-76a8-94f4-2fa307f9dada','01a22378-baf2-76a8-94f4-2fa307f9dada','01a22378-baf2-76a8-94f4-2fa307f9dada',3.0,1);
INSERT INTO "judgments" VALUES(2,5,0,2,'grade',0,0,'',2.0,'2026-11-28T18:44:04.474+00:00',0,'01a22378-bafa-72dd-843b-2aee8516f9c2','01a22378-bafa-72dd-843b-2aee8516f9c2','01a22378-bafa-72dd-843b-2aee8516f9c2',2.0,1);
INSERT INTO "judgments" VALUES(3,1,0,1,'grade',2,0,'',NULL,'2026-11-28T18:44:04.274+00:00',1,'01a22378-ba32-74ce-8384-6456111cfa5f','01a22378-ba32-74ce-8384-6456111cfa5f','01a22378-ba32-74ce-8384-6456111cfa5f',NULL,0);
INSERT INTO "judgments" VALUES(3,2,0,1,'grade',0,0,'',NULL,'2026-11-28T18:44:04.274+00:00',1,'01a22378-ba32-74cf-9023-6a528bbfbad9','01a22378-ba32-74cf-9023-6a528bbfbad9','01a22378-ba32-74cf-9023-6a528bbfbad9',NULL,0);
INSERT INTO "judgments" VALUES(3,5,0,2,'grade',1,0,'',NULL,'2026-11-28T18:44:04.274+00:00',1,'01a22378-ba32-74d0-ade4-277223e56cea','01a22378-ba32-74d0-ade4-277223e56cea','01a22378-ba32-74d0-ade4-277223e56cea',NULL,0);
CREATE TABLE pool (
            id INTEGER PRIMARY KEY,
            query INTEGER NOT NULL REFERENCES queries,
            document INTEGER NOT NULL REFERENCES documents,
            stratum TEXT NOT NULL, round INTEGER NOT NULL DEFAULT 0, probability REAL,
            UNIQUE (query, document)
        ) STRICT
        ;
INSERT INTO "pool" VALUES(1,1,1,'depth',1,NULL);
INSERT INTO "pool" VALUES(2,1,2,'depth',1,NULL);
INSERT INTO "pool" VALUES(3,2,3,'depth',1,NULL);
INSERT INTO "pool" VALUES(4,2,4,'depth',1,NULL);
INSERT INTO "pool" VALUES(5,2,5,'depth',1,NULL);
CREATE TABLE queries (
            id INTEGER PRIMARY KEY,
            query_id TEXT NOT NULL UNIQUE,
            text TEXT NOT NULL,
            description TEXT NOT NULL,
            narrative TEXT NOT NULL,
            class TEXT NOT NULL,
            meta TEXT NOT NULL
        ) STRICT
        ;
INSERT INTO "queries" VALUES(1,'q1','read a csv','','','','{}');
INSERT INTO "queries" VALUES(2,'q2','sort a list','','','','{}');
CREATE TABLE results (
            run INTEGER NOT NULL REFERENCES runs,
            query INTEGER NOT NULL REFERENCES queries,
            rank INTEGER NOT NULL,
            document INTEGER NOT NULL REFERENCES documents,
            score REAL NOT NULL,
            PRIMARY KEY (run, query, rank)
        ) STRICT, WITHOUT ROWID
        ;
INSERT INTO "results" VALUES(1,1,1,1,3.0);
INSERT INTO "results" VALUES(1,1,2,2,2.0);
INSERT INTO "results" VALUES(1,2,1,3,3.0);
INSERT INTO "results" VALUES(1,2,2,4,2.0);
INSERT INTO "results" VALUES(2,1,1,1,3.0);
INSERT INTO "results" VALUES(2,2,1,3,3.0);
INSERT INTO "results" VALUES(2,2,2,5,1.0);
CREATE TABLE runs (
            id INTEGER PRIMARY KEY,
            tag TEXT NOT NULL UNIQUE,
            source TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            loaded_at TEXT NOT NULL,
            depth INTEGER NOT NULL,
            settings TEXT NOT NULL
        ) STRICT
        ;
INSERT INTO "runs" VALUES(1,'alpha','alpha.run','09936243d98551495522c44626666ff3920880cb452c3b9401fcd09c17892a24','2026-11-28T18:44:03.732+00:00',100,'{"queries_left_out": 0, "longest": 2}');
INSERT INTO "runs" VALUES(2,'beta','beta.run','4aa62b29f3491e618a602717e0b9570e7f56a131247a4978207afe607a30c3a5','2026-11-28T18:44:03.750+00:00',100,'{"queries_left_out": 0, "longest": 2}');
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX results_by_pair ON results (query, document);
CREATE INDEX events_in_order ON events (judge, id);
CREATE INDEX events_by_pair ON events (pair);
CREATE INDEX assignments_by_pair ON assignments (pair);
CREATE INDEX events_of_settling ON events (pair) WHERE action = 'adjudicate';
CREATE INDEX documents_without_text ON documents (doc_id) WHERE text IS NULL;
CREATE INDEX events_by_slot ON events (judge, pair, turn);
CREATE TRIGGER events_refuse_update BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_refuse_delete BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE INDEX judgments_by_query
    ON judgments (judge, query, turn, decision, pair, grade, flagged);
CREATE INDEX judgments_by_pair ON judgments (pair);
COMMIT;
