-- A campaign as the version before schema 8 made it: two judges with hidden repeats, a file of
-- grades, an undo and a redo, a flag, comments, a lead. (sqlite3.Connection.iterdump, less five of
-- its triggers)
BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'judge_tui','m001_the_nouns','2026-11-28 08:40:18.087071+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'judge_tui','m002_assignments','2026-11-28 08:40:18.091428+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'judge_tui','m003_tallies','2026-11-28 08:40:18.093013+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'judge_tui','m004_settled','2026-11-28 08:40:18.093287+00:00');
INSERT INTO "_sqlite_migrations" VALUES(5,'judge_tui','m005_asked','2026-11-28 08:40:18.093532+00:00');
INSERT INTO "_sqlite_migrations" VALUES(6,'judge_tui','m006_asked_without_a_clock','2026-11-28 08:40:18.096278+00:00');
INSERT INTO "_sqlite_migrations" VALUES(7,'judge_tui','m007_what_a_file_knew','2026-11-28 08:40:18.102178+00:00');
CREATE TABLE asked (
            run INTEGER NOT NULL REFERENCES runs,
            query INTEGER NOT NULL REFERENCES queries,
            seconds REAL CHECK (seconds >= 0),
            failure TEXT NOT NULL,
            PRIMARY KEY (run, query)
        ) STRICT, WITHOUT ROWID
        ;
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
INSERT INTO "assignments" VALUES(2,1,0,4294967296,'normal');
INSERT INTO "assignments" VALUES(2,1,1,8589934594,'repeat');
INSERT INTO "assignments" VALUES(2,2,0,4294967296,'normal');
INSERT INTO "assignments" VALUES(2,2,1,8589934594,'repeat');
INSERT INTO "assignments" VALUES(2,3,0,8589934592,'overlap');
INSERT INTO "assignments" VALUES(2,4,0,8589934592,'overlap');
CREATE TABLE campaign (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            name TEXT NOT NULL,
            scale TEXT NOT NULL,
            guidelines TEXT NOT NULL,
            seed INTEGER NOT NULL,
            show_ranks INTEGER NOT NULL,
            schema_version INTEGER NOT NULL,
            created TEXT NOT NULL
        , campaign_id TEXT NOT NULL DEFAULT '') STRICT
        ;
INSERT INTO "campaign" VALUES(1,'old','0=not relevant,1=related,2=relevant,3=perfect','',7,0,7,'2026-11-28T08:40:17.228+00:00','64a72e42-3cba-41bd-b9a6-59822dd142c8');
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
INSERT INTO "documents" VALUES(1,'csv.reader','','Reads a CSV file.','','','{}');
INSERT INTO "documents" VALUES(2,'csv.writer','',NULL,'','','{}');
INSERT INTO "documents" VALUES(3,'sorted','','Returns a sorted list.','','','{}');
INSERT INTO "documents" VALUES(4,'list.sort','',NULL,'','','{}');
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
        , turn INTEGER NOT NULL DEFAULT 0 CHECK (turn IN (0, 1)), over TEXT CHECK (over IS NULL OR (
            painted_at IS NULL AND action IN ('grade', 'skip', 'cannot', 'comment')
            AND turn = 0 AND over < id))) STRICT, WITHOUT ROWID
        ;
INSERT INTO "events" VALUES('01a2214f-f67f-738d-927f-60c6735ed40e',1,2,'grade',0,'',NULL,1.5,'2026-11-28T08:40:18.303+00:00','2026-11-28T08:40:18.303+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f683-7620-ac3c-2a29ce8fce88',1,1,'grade',3,'',NULL,1.5,'2026-11-28T08:40:18.307+00:00','2026-11-28T08:40:18.307+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f684-7012-afab-9b023fbb0587',1,3,'grade',1,'',NULL,1.5,'2026-11-28T08:40:18.308+00:00','2026-11-28T08:40:18.308+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f68e-7644-b03f-8111eac18dab',1,4,'grade',2,'',NULL,1.5,'2026-11-28T08:40:18.318+00:00','2026-11-28T08:40:18.318+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f695-7536-98af-21368bf1a015',1,4,'grade',2,'',NULL,1.5,'2026-11-28T08:40:18.325+00:00','2026-11-28T08:40:18.325+00:00',1,NULL);
INSERT INTO "events" VALUES('01a2214f-f69a-71b6-ac9d-08a962c06128',1,3,'grade',1,'',NULL,1.5,'2026-11-28T08:40:18.330+00:00','2026-11-28T08:40:18.330+00:00',1,NULL);
INSERT INTO "events" VALUES('01a2214f-f69d-7299-9853-e08f0d22e4f4',1,2,'flag',NULL,'',NULL,NULL,'2026-11-28T08:40:18.333+00:00','2026-11-28T08:40:18.333+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f6a0-7321-9886-76f76763d6c1',1,2,'comment',NULL,'odd',NULL,NULL,'2026-11-28T08:40:18.336+00:00','2026-11-28T08:40:18.336+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f6a5-7091-bead-3864840589c7',2,1,'grade',2,'',NULL,1.5,'2026-11-28T08:40:18.341+00:00','2026-11-28T08:40:18.341+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f6a8-76c5-b791-2d20fc30ff46',2,2,'grade',3,'',NULL,1.5,'2026-11-28T08:40:18.344+00:00','2026-11-28T08:40:18.344+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f6ab-704c-8f05-f776c1a36cb7',2,3,'grade',0,'',NULL,1.5,'2026-11-28T08:40:18.347+00:00','2026-11-28T08:40:18.347+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f6b4-7188-8217-7094f34b1e0f',2,4,'grade',1,'',NULL,1.5,'2026-11-28T08:40:18.356+00:00','2026-11-28T08:40:18.356+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f6b8-72bd-9d42-2d3d004222be',2,1,'grade',2,'',NULL,1.5,'2026-11-28T08:40:18.360+00:00','2026-11-28T08:40:18.360+00:00',1,NULL);
INSERT INTO "events" VALUES('01a2214f-f6c4-77fa-8cb4-61d58e0f5417',2,2,'grade',3,'',NULL,1.5,'2026-11-28T08:40:18.372+00:00','2026-11-28T08:40:18.372+00:00',1,NULL);
INSERT INTO "events" VALUES('01a2214f-f6c7-7121-bf20-16d23831d98c',2,1,'flag',NULL,'',NULL,NULL,'2026-11-28T08:40:18.375+00:00','2026-11-28T08:40:18.375+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f6cc-74e9-a1db-4f493a6a5675',2,1,'comment',NULL,'odd',NULL,NULL,'2026-11-28T08:40:18.380+00:00','2026-11-28T08:40:18.380+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f6d1-739e-9dc7-65fe4618ee91',2,1,'undo',NULL,'','01a2214f-f6cc-74e9-a1db-4f493a6a5675',NULL,NULL,'2026-11-28T08:40:18.385+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f6d9-7297-a07e-c5cccb3b7e67',2,1,'redo',NULL,'','01a2214f-f6d1-739e-9dc7-65fe4618ee91',NULL,NULL,'2026-11-28T08:40:18.393+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f6e0-76c6-9e64-d4671c3dc72f',2,3,'skip',NULL,'',NULL,NULL,'2026-11-28T08:40:18.400+00:00','2026-11-28T08:40:18.400+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f6e4-7580-88c1-6d360eebdc65',2,3,'undo',NULL,'','01a2214f-f6e0-76c6-9e64-d4671c3dc72f',NULL,NULL,'2026-11-28T08:40:18.404+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f6ef-7072-b959-369358de1392',3,1,'grade',0,'',NULL,NULL,NULL,'2026-11-28T08:40:18.415+00:00',0,'');
INSERT INTO "events" VALUES('01a2214f-f6ef-7073-aee4-6aaf33da2cac',3,3,'grade',1,'',NULL,NULL,NULL,'2026-11-28T08:40:18.415+00:00',0,'');
INSERT INTO "events" VALUES('01a2214f-f704-715f-ac9f-4ae6c744c993',4,1,'adjudicate',3,'why',NULL,NULL,'2026-11-28T08:40:18.436+00:00','2026-11-28T08:40:18.436+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f70c-732c-ab21-725744f85842',4,2,'adjudicate',0,'',NULL,NULL,'2026-11-28T08:40:18.444+00:00','2026-11-28T08:40:18.444+00:00',0,NULL);
INSERT INTO "events" VALUES('01a2214f-f710-7270-b3e6-12d66f02ace0',4,2,'undo',NULL,'','01a2214f-f70c-732c-ab21-725744f85842',NULL,NULL,'2026-11-28T08:40:18.448+00:00',0,NULL);
CREATE TABLE gold (pair INTEGER PRIMARY KEY REFERENCES pool, grade INTEGER NOT NULL) STRICT;
CREATE TABLE judges (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            role TEXT NOT NULL CHECK (role IN ('judge', 'lead')),
            kind TEXT NOT NULL CHECK (kind IN ('human', 'model'))
        ) STRICT
        ;
INSERT INTO "judges" VALUES(1,'ann','judge','human');
INSERT INTO "judges" VALUES(2,'bob','judge','human');
INSERT INTO "judges" VALUES(3,'cleo','judge','human');
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
INSERT INTO "pool" VALUES(1,1,1,1.0,'depth');
INSERT INTO "pool" VALUES(2,1,2,2.0,'depth');
INSERT INTO "pool" VALUES(3,2,3,1.0,'depth');
INSERT INTO "pool" VALUES(4,2,4,2.0,'depth');
CREATE TABLE pooled (query INTEGER PRIMARY KEY REFERENCES queries, pairs INTEGER NOT NULL) STRICT;
INSERT INTO "pooled" VALUES(1,2);
INSERT INTO "pooled" VALUES(2,2);
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
INSERT INTO "queries" VALUES(1,'q1','read a CSV file','','','','{}');
INSERT INTO "queries" VALUES(2,'q2','sort lists','','','','{}');
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
INSERT INTO "results" VALUES(1,2,1,3,5.0);
INSERT INTO "results" VALUES(1,2,2,4,4.0);
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
INSERT INTO "runs" VALUES(1,'alpha','a.run','65c87508e919c2f55b54464bb4570932f91e85234a6e8c5b7372b7184068cf35','2026-11-28T08:40:18.268+00:00',100,'{"queries_left_out": 0}');
CREATE TABLE tallies (
            judge INTEGER NOT NULL REFERENCES judges,
            query INTEGER NOT NULL REFERENCES queries,
            turn INTEGER NOT NULL,
            position INTEGER NOT NULL DEFAULT 0,
            assigned INTEGER NOT NULL DEFAULT 0,
            decided INTEGER NOT NULL DEFAULT 0,
            decided_assigned INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (judge, query, turn)
        ) STRICT, WITHOUT ROWID
        ;
INSERT INTO "tallies" VALUES(1,1,0,4294967296,2,2,2);
INSERT INTO "tallies" VALUES(1,2,0,8589934592,2,2,2);
INSERT INTO "tallies" VALUES(1,2,1,8589934595,2,2,2);
INSERT INTO "tallies" VALUES(2,1,0,4294967296,2,2,2);
INSERT INTO "tallies" VALUES(2,1,1,8589934594,2,2,2);
INSERT INTO "tallies" VALUES(2,2,0,8589934592,2,2,2);
INSERT INTO "tallies" VALUES(3,1,0,0,0,1,0);
INSERT INTO "tallies" VALUES(3,2,0,0,0,1,0);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX results_by_pair ON results (query, document);
CREATE INDEX events_in_order ON events (judge, id);
CREATE INDEX events_by_pair ON events (pair);
CREATE INDEX events_by_target ON events (target) WHERE target IS NOT NULL;
CREATE TRIGGER events_refuse_update BEFORE UPDATE ON events
            BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_refuse_delete BEFORE DELETE ON events
            BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE INDEX assignments_by_pair ON assignments (pair);
CREATE INDEX events_by_judge ON events (judge, pair, turn, action, id, grade);
CREATE TRIGGER pool_counts AFTER INSERT ON pool BEGIN
            INSERT INTO pooled (query, pairs) VALUES (NEW.query, 1)
            ON CONFLICT (query) DO UPDATE SET pairs = pairs + 1;
        END;
CREATE TRIGGER assignments_stay BEFORE UPDATE OF judge, pair, turn ON assignments
        BEGIN SELECT RAISE(ABORT, 'an assignment is deleted and made, not moved'); END;
CREATE INDEX events_of_settling ON events (pair) WHERE action = 'adjudicate';
CREATE VIEW overruled AS
        SELECT a.judge AS judge, a.pair AS pair, a.turn AS turn, a.id AS id, b.id AS by
        FROM events AS b CROSS JOIN events AS a
        ON a.judge = b.judge AND a.pair = b.pair AND a.turn = b.turn AND a.id > b.id
        CROSS JOIN events AS f ON f.id = a.id CROSS JOIN events AS x ON x.id = b.id
        WHERE +b.action IN ('grade', 'cannot', 'comment')
        AND (a.action = 'comment') = (b.action = 'comment') AND f.over IS NOT NULL
        AND CASE WHEN a.action = 'skip' THEN 1
            WHEN x.painted_at IS NULL THEN f.over = '' AND x.over <> ''
            ELSE NOT EXISTS (
                SELECT 1 FROM events AS k
                WHERE k.id = f.over AND k.id >= x.id AND k.painted_at IS NOT NULL
            ) END;
CREATE VIEW live_events AS
        SELECT * FROM events AS e
        WHERE e.action NOT IN ('undo', 'redo') AND NOT 
            EXISTS (
                SELECT 1 FROM events AS u
                WHERE u.target = e.id AND u.action = 'undo' 
                AND NOT EXISTS (
                    SELECT 1 FROM events AS r
                    WHERE r.target = u.id AND r.action = 'redo' 
                )
            )
    
        AND NOT EXISTS (
            SELECT 1 FROM overruled AS o WHERE o.judge = e.judge AND o.pair = e.pair
            AND o.turn = e.turn AND o.id = e.id AND o.by < e.id AND NOT 
            EXISTS (
                SELECT 1 FROM events AS u
                WHERE u.target = o.by AND u.action = 'undo' 
                AND NOT EXISTS (
                    SELECT 1 FROM events AS r
                    WHERE r.target = u.id AND r.action = 'redo' 
                )
            )
    
        );
CREATE VIEW decisions AS
            SELECT max(id) AS id, judge, pair, action, grade, note, looked, written_at
            FROM live_events WHERE action IN ('grade', 'skip', 'cannot') AND turn = 0
            GROUP BY judge, pair;
CREATE VIEW repeats AS
            SELECT max(id) AS id, judge, pair, action, grade, note, looked, written_at
            FROM live_events WHERE action IN ('grade', 'skip', 'cannot') AND turn = 1
            GROUP BY judge, pair;
CREATE VIEW adjudications AS
        SELECT max(id) AS id, judge, pair, grade, note, written_at
        FROM live_events WHERE action = 'adjudicate'
        GROUP BY pair;
COMMIT;
