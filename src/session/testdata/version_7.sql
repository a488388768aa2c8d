-- A database of version 7, as the release that wrote it left it. It never changes.
CREATE TABLE users (
      id TEXT PRIMARY KEY NOT NULL,
      name TEXT NOT NULL UNIQUE,
      created INTEGER NOT NULL
    ) WITHOUT ROWID;
CREATE TABLE tokens (
      hash BLOB PRIMARY KEY NOT NULL,
      user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      label TEXT NOT NULL,
      created INTEGER NOT NULL
    ) WITHOUT ROWID;
CREATE INDEX tokens_by_user ON tokens (user);
CREATE TABLE sessions (
      id TEXT PRIMARY KEY NOT NULL,
      user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('interactive', 'background')),
      created INTEGER NOT NULL,
      UNIQUE (user, name)
    ) WITHOUT ROWID;
CREATE TABLE terminals (
      id TEXT PRIMARY KEY NOT NULL,
      session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      name TEXT,
      position INTEGER NOT NULL,
      cwd TEXT NOT NULL,
      command TEXT NOT NULL,
      rows INTEGER NOT NULL,
      cols INTEGER NOT NULL,
      created INTEGER NOT NULL,
      last_activity INTEGER NOT NULL,
      exit INTEGER
    ) WITHOUT ROWID;
CREATE INDEX terminals_by_session ON terminals (session, position);
CREATE TABLE log (
      id INTEGER PRIMARY KEY,
      time INTEGER NOT NULL,
      user TEXT NOT NULL,
      session TEXT NOT NULL,
      subject TEXT NOT NULL,
      event TEXT NOT NULL,
      detail TEXT NOT NULL
    );
CREATE INDEX log_by_user ON log (user);
CREATE INDEX log_by_session ON log (session);
ALTER TABLE sessions ADD COLUMN cwd TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN extensions TEXT NOT NULL DEFAULT 'never'
      CHECK (extensions IN ('never', 'open', 'closed'));
CREATE TABLE extensions (
      session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      generation INTEGER NOT NULL,
      PRIMARY KEY (session, name)
    ) WITHOUT ROWID;
CREATE TABLE resources (
      session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      extension TEXT NOT NULL,
      key TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('live', 'orphan', 'lost')),
      description TEXT NOT NULL,
      processes TEXT NOT NULL,
      created INTEGER NOT NULL,
      PRIMARY KEY (session, extension, key)
    ) WITHOUT ROWID;
CREATE TABLE state (
      session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      extension TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (session, extension, key)
    ) WITHOUT ROWID;
CREATE TABLE trusted (
      user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      directory TEXT NOT NULL,
      PRIMARY KEY (user, directory)
    ) WITHOUT ROWID;
ALTER TABLE sessions ADD COLUMN isolation TEXT NOT NULL DEFAULT ''
      CHECK (isolation IN ('', 'thread', 'process'));
ALTER TABLE tokens ADD COLUMN access TEXT NOT NULL DEFAULT 'control'
      CHECK (access IN ('control', 'view'));
CREATE TABLE sign_ins (
      hash BLOB PRIMARY KEY NOT NULL,
      secret BLOB NOT NULL,
      user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      token BLOB,
      access TEXT NOT NULL CHECK (access IN ('control', 'view')),
      address TEXT NOT NULL,
      browser TEXT NOT NULL,
      created INTEGER NOT NULL,
      expires INTEGER NOT NULL
    ) WITHOUT ROWID;
CREATE INDEX sign_ins_by_user ON sign_ins (user);
CREATE TABLE codes (
      hash BLOB PRIMARY KEY NOT NULL,
      user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      access TEXT NOT NULL CHECK (access IN ('control', 'view')),
      expires INTEGER NOT NULL
    ) WITHOUT ROWID;
CREATE TABLE guards (
      session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      extension TEXT NOT NULL,
      events TEXT NOT NULL,
      PRIMARY KEY (session, extension)
    ) WITHOUT ROWID;
ALTER TABLE tokens ADD COLUMN bounds TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN expires INTEGER;
ALTER TABLE tokens ADD COLUMN last_used INTEGER;
ALTER TABLE tokens ADD COLUMN last_address TEXT NOT NULL DEFAULT '';
ALTER TABLE codes ADD COLUMN token BLOB;
CREATE TABLE preferences (
      user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      session TEXT REFERENCES sessions (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      revision INTEGER NOT NULL
    );
CREATE UNIQUE INDEX preferences_by_name ON preferences (user, ifnull(session, ''), name);
CREATE INDEX preferences_by_session ON preferences (session);
INSERT INTO users VALUES ('u1', 'ann', 1763000000123);
INSERT INTO tokens VALUES (x'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', 'u1', 'laptop', 1763000000123, 'view', '{"sessions":["s1"],"terminals":[]}', 9000000000000, 1763000000999, '127.0.0.1');
INSERT INTO sign_ins VALUES (x'01', x'02', 'u1', NULL, 'control', '127.0.0.1', 'Firefox', 1763000000123, 9000000000000);
INSERT INTO codes VALUES (x'03', 'u1', 'control', 9000000000000, NULL);
INSERT INTO sessions VALUES ('s1', 'u1', 'work', 'background', 1763000000123, '/src', 'open', 'process');
INSERT INTO terminals VALUES ('t1', 's1', 'build', 3, '/tmp', '["/bin/sh","-l"]', 24, 80, 1763000000123, 1763000000999, NULL);
INSERT INTO log VALUES (1, 1763000000123, 'u1', 's1', 't1', 'created', '');
INSERT INTO extensions VALUES ('s1', 'vms', 7);
INSERT INTO resources VALUES ('s1', 'vms', 'one', 'live', 'VM one', '[[4711,"boot:1"]]', 1763000000123);
INSERT INTO state VALUES ('s1', 'vms', 'count', '3');
INSERT INTO guards VALUES ('s1', 'vms', 'user_bash');
INSERT INTO trusted VALUES ('u1', '/src');
INSERT INTO preferences VALUES ('u1', NULL, 'theme', '"dark"', 1763000000123);
INSERT INTO preferences VALUES ('u1', 's1', 'layout', '{"tabs":[]}', 1763000000124);
PRAGMA application_id = 0x48465354;
PRAGMA user_version = 7;
