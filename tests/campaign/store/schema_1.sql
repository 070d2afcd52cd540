-- A campaign as the version with schema 1 made it. (sqlite3.Connection.iterdump)
BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'judge_tui','m001_the_nouns','2026-11-28 18:44:42.759075+00:00');
CREATE TABLE campaign (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            name TEXT NOT NULL,
            scale TEXT NOT NULL,
            guidelines TEXT NOT NULL,
            seed INTEGER NOT NULL,
            show_ranks INTEGER NOT NULL,
            schema_version INTEGER NOT NULL,
            created TEXT NOT NULL
        ) STRICT
        ;
INSERT INTO "campaign" VALUES(1,'old','0=not relevant,1=related,2=relevant,3=perfect','',7,0,1,'2026-11-28T18:44:02.531+00:00');
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
        ) STRICT, WITHOUT ROWID
        ;
INSERT INTO "events" VALUES('01a22378-ba32-74ce-8384-6456111cfa5f',3,1,'grade',2,'',NULL,NULL,NULL,'2026-11-28T18:44:04.274+00:00');
INSERT INTO "events" VALUES('01a22378-ba32-74cf-9023-6a528bbfbad9',3,2,'grade',0,'',NULL,NULL,NULL,'2026-11-28T18:44:04.274+00:00');
INSERT INTO "events" VALUES('01a22378-ba32-74d0-ade4-277223e56cea',3,5,'grade',1,'',NULL,NULL,NULL,'2026-11-28T18:44:04.274+00:00');
INSERT INTO "events" VALUES('01a22378-baba-7617-905d-4feda7c1520e',1,2,'grade',3,'',NULL,5.0,'2026-11-28T18:44:04.410+00:00','2026-11-28T18:44:04.410+00:00');
INSERT INTO "events" VALUES('01a22378-bacc-70de-b8d3-ca20576f291f',1,1,'grade',0,'',NULL,2.0,'2026-11-28T18:44:04.428+00:00','2026-11-28T18:44:04.428+00:00');
INSERT INTO "events" VALUES('01a22378-bacd-758f-9230-b9298433126c',1,3,'grade',1,'',NULL,3.0,'2026-11-28T18:44:04.429+00:00','2026-11-28T18:44:04.429+00:00');
INSERT INTO "events" VALUES('01a22378-bacd-7590-9f37-fe77beb92590',1,5,'grade',2,'',NULL,4.0,'2026-11-28T18:44:04.429+00:00','2026-11-28T18:44:04.429+00:00');
INSERT INTO "events" VALUES('01a22378-bad0-702d-912a-b14a757cf68a',1,4,'grade',1,'',NULL,3.0,'2026-11-28T18:44:04.432+00:00','2026-11-28T18:44:04.432+00:00');
INSERT INTO "events" VALUES('01a22378-bad6-741c-86de-1a6b410e053c',1,2,'flag',NULL,'',NULL,NULL,'2026-11-28T18:44:04.438+00:00','2026-11-28T18:44:04.438+00:00');
INSERT INTO "events" VALUES('01a22378-bad6-741d-9adf-8bee1de8f57d',1,1,'comment',NULL,'odd',NULL,NULL,'2026-11-28T18:44:04.438+00:00','2026-11-28T18:44:04.438+00:00');
INSERT INTO "events" VALUES('01a22378-bada-747f-adfa-8ecd645c987a',1,3,'skip',NULL,'',NULL,1.0,'2026-11-28T18:44:04.442+00:00','2026-11-28T18:44:04.442+00:00');
INSERT INTO "events" VALUES('01a22378-bade-7104-bb10-c4bbe2eaa4d4',1,3,'undo',NULL,'','01a22378-bada-747f-adfa-8ecd645c987a',NULL,NULL,'2026-11-28T18:44:04.446+00:00');
INSERT INTO "events" VALUES('01a22378-badf-7181-bd61-b30210d98470',1,1,'undo',NULL,'','01a22378-bad6-741d-9adf-8bee1de8f57d',NULL,NULL,'2026-11-28T18:44:04.447+00:00');
INSERT INTO "events" VALUES('01a22378-bae2-7260-9dc3-a3e84dcda78b',1,1,'redo',NULL,'','01a22378-badf-7181-bd61-b30210d98470',NULL,NULL,'2026-11-28T18:44:04.450+00:00');
INSERT INTO "events" VALUES('01a22378-bae6-74c3-9a55-e7b4e8f77661',2,1,'grade',2,'',NULL,4.0,'2026-11-28T18:44:04.454+00:00','2026-11-28T18:44:04.454+00:00');
INSERT INTO "events" VALUES('01a22378-bae9-71a3-a7ac-8133e537101b',2,2,'grade',0,'',NULL,2.0,'2026-11-28T18:44:04.457+00:00','2026-11-28T18:44:04.457+00:00');
INSERT INTO "events" VALUES('01a22378-baee-70a8-b207-f848ee607d27',2,3,'grade',1,'',NULL,3.0,'2026-11-28T18:44:04.462+00:00','2026-11-28T18:44:04.462+00:00');
INSERT INTO "events" VALUES('01a22378-baf2-76a8-94f4-2fa307f9dada',2,4,'grade',1,'',NULL,3.0,'2026-11-28T18:44:04.466+00:00','2026-11-28T18:44:04.466+00:00');
INSERT INTO "events" VALUES('01a22378-bafa-72dd-843b-2aee8516f9c2',2,5,'grade',0,'',NULL,2.0,'2026-11-28T18:44:04.474+00:00','2026-11-28T18:44:04.474+00:00');
INSERT INTO "events" VALUES('01a22378-bb03-77cf-85a2-27b8a18670f2',2,1,'flag',NULL,'',NULL,NULL,'2026-11-28T18:44:04.483+00:00','2026-11-28T18:44:04.483+00:00');
INSERT INTO "events" VALUES('01a22378-bb06-712b-982e-245a86fc0dbf',2,2,'comment',NULL,'odd',NULL,NULL,'2026-11-28T18:44:04.486+00:00','2026-11-28T18:44:04.486+00:00');
INSERT INTO "events" VALUES('01a22378-bb0a-7449-b2de-34cc29fd2e0d',2,3,'skip',NULL,'',NULL,1.0,'2026-11-28T18:44:04.490+00:00','2026-11-28T18:44:04.490+00:00');
INSERT INTO "events" VALUES('01a22378-bb0d-72c1-8125-9bcb6ec83d91',2,3,'undo',NULL,'','01a22378-bb0a-7449-b2de-34cc29fd2e0d',NULL,NULL,'2026-11-28T18:44:04.493+00:00');
INSERT INTO "events" VALUES('01a22378-bb0f-727b-a0bc-3262c0327e6a',2,2,'undo',NULL,'','01a22378-bb06-712b-982e-245a86fc0dbf',NULL,NULL,'2026-11-28T18:44:04.495+00:00');
INSERT INTO "events" VALUES('01a22378-bb12-73e8-8f6a-77425cba57e0',2,2,'redo',NULL,'','01a22378-bb0f-727b-a0bc-3262c0327e6a',NULL,NULL,'2026-11-28T18:44:04.498+00:00');
INSERT INTO "events" VALUES('01a22378-bb1c-7114-b49c-5fc8872a8ae0',4,1,'adjudicate',3,'why',NULL,NULL,'2026-11-28T18:44:04.508+00:00','2026-11-28T18:44:04.508+00:00');
INSERT INTO "events" VALUES('01a22378-bb1d-7783-8f11-fb7faa116e4b',4,2,'adjudicate',1,'',NULL,NULL,'2026-11-28T18:44:04.509+00:00','2026-11-28T18:44:04.509+00:00');
INSERT INTO "events" VALUES('01a22378-bb22-7470-be62-744ecda10ef7',4,2,'undo',NULL,'','01a22378-bb1d-7783-8f11-fb7faa116e4b',NULL,NULL,'2026-11-28T18:44:04.514+00:00');
CREATE TABLE judges (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            role TEXT NOT NULL CHECK (role IN ('judge', 'lead')),
            kind TEXT NOT NULL CHECK (kind IN ('human', 'model'))
        ) STRICT
        ;
INSERT INTO "judges" VALUES(1,'ann','judge','human');
INSERT INTO "judges" VALUES(2,'bob','judge','human');
INSERT INTO "judges" VALUES(3,'nist','judge','human');
INSERT INTO "judges" VALUES(4,'lea','lead','human');
CREATE TABLE pool (
            id INTEGER PRIMARY KEY,
            query INTEGER NOT NULL REFERENCES queries,
            document INTEGER NOT NULL REFERENCES documents,
            priority REAL NOT NULL,
            stratum TEXT NOT NULL,
            UNIQUE (query, document)
        ) STRICT
        ;
INSERT INTO "pool" VALUES(1,1,1,0.0,'depth');
INSERT INTO "pool" VALUES(2,1,2,0.0,'depth');
INSERT INTO "pool" VALUES(3,2,3,0.0,'depth');
INSERT INTO "pool" VALUES(4,2,4,0.0,'depth');
INSERT INTO "pool" VALUES(5,2,5,0.0,'depth');
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
CREATE INDEX events_by_judge ON events (judge, pair, id);
CREATE INDEX events_in_order ON events (judge, id);
CREATE INDEX events_by_pair ON events (pair);
CREATE INDEX events_by_target ON events (target) WHERE target IS NOT NULL;
CREATE TRIGGER events_refuse_update BEFORE UPDATE ON events
            BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_refuse_delete BEFORE DELETE ON events
            BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE VIEW live_events AS
        SELECT * FROM events AS e
        WHERE e.action NOT IN ('undo', 'redo')
        AND NOT EXISTS (
            SELECT 1 FROM events AS u
            WHERE u.target = e.id AND u.action = 'undo'
            AND NOT EXISTS (SELECT 1 FROM events AS r WHERE r.target = u.id AND r.action = 'redo')
        );
CREATE VIEW decisions AS
        SELECT max(id) AS id, judge, pair, action, grade, note, looked, written_at
        FROM live_events WHERE action IN ('grade', 'skip', 'cannot')
        GROUP BY judge, pair;
CREATE VIEW adjudications AS
        SELECT max(id) AS id, judge, pair, grade, note, written_at
        FROM live_events WHERE action = 'adjudicate'
        GROUP BY pair;
COMMIT;
