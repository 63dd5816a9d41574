-- What is worth keeping. Memories lie in memory scopes, each counting its own up from 1.
CREATE TABLE memory_scopes (
  scope_id    INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant      TEXT NOT NULL,
  scope       TEXT NOT NULL,
  last_number INTEGER NOT NULL DEFAULT 0,           -- highest number given out
  UNIQUE (tenant, scope)
) STRICT;

-- One durable fact each. Its words never change; they stand last, so that what is filtered on is read without them.
CREATE TABLE memories (
  memory_id       INTEGER PRIMARY KEY,              -- scope_id * 2^28 + number
  uid             TEXT NOT NULL UNIQUE,             -- public id, the same after a move
  scope_id        INTEGER NOT NULL REFERENCES memory_scopes (scope_id),
  number          INTEGER NOT NULL,
  erased_at       TEXT,
  invalidated_at  TEXT,                             -- since when superseded_by holds instead
  archived_at     TEXT,
  superseded_by   TEXT,                             -- uid
  created_at      TEXT NOT NULL,
  updated_at      TEXT NOT NULL,
  valid_from      TEXT NOT NULL,
  valid_until     TEXT,
  category        TEXT NOT NULL,
  tier            TEXT NOT NULL CHECK (tier IN ('core', 'working', 'peripheral')),
  importance      REAL NOT NULL,
  confidence      REAL NOT NULL,
  temporal_type   TEXT NOT NULL CHECK (temporal_type IN ('static', 'dynamic')),
  origin          TEXT NOT NULL,
  speaker         TEXT,                             -- who said it; NULL once erased
  fact_key        TEXT,
  archived_reason TEXT,
  support         TEXT NOT NULL,                    -- JSON list; nothing is looked for in it
  abstract        TEXT NOT NULL,                    -- empty once erased, and so are the other words
  overview        TEXT NOT NULL,
  content         TEXT NOT NULL
) STRICT;

-- Of one fact key at most one memory of a scope is in force, whoever writes.
CREATE UNIQUE INDEX memories_fact_idx ON memories (scope_id, fact_key)
  WHERE fact_key IS NOT NULL AND invalidated_at IS NULL AND archived_at IS NULL AND erased_at IS NULL;
CREATE INDEX memories_recent_idx ON memories (scope_id, created_at DESC, uid);
CREATE INDEX memories_superseded_idx ON memories (superseded_by) WHERE superseded_by IS NOT NULL;

CREATE TABLE memory_tags (
  memory_id INTEGER NOT NULL REFERENCES memories (memory_id),
  ordinal   INTEGER NOT NULL,
  tag       TEXT NOT NULL,
  PRIMARY KEY (memory_id, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_tags_tag_idx ON memory_tags (tag, memory_id);

-- The exact words that a memory came from. An erasure of messages finds here what was made from them.
CREATE TABLE memory_sources (
  memory_id        INTEGER NOT NULL REFERENCES memories (memory_id),
  ordinal          INTEGER NOT NULL,
  conversation_uid TEXT NOT NULL,
  first_seq        INTEGER NOT NULL,
  last_seq         INTEGER NOT NULL,
  kind             TEXT NOT NULL CHECK (kind IN ('origin', 'support')),
  PRIMARY KEY (memory_id, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_sources_conversation_idx ON memory_sources (conversation_uid, first_seq, last_seq);

CREATE TABLE memory_relations (
  memory_id     INTEGER NOT NULL REFERENCES memories (memory_id),
  ordinal       INTEGER NOT NULL,
  relation_type TEXT NOT NULL,
  target_uid    TEXT NOT NULL,
  PRIMARY KEY (memory_id, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_relations_target_idx ON memory_relations (target_uid, relation_type);

-- How often it was of use, apart from the memory, so that counting rewrites nothing else.
CREATE TABLE memory_uses (
  memory_id        INTEGER PRIMARY KEY REFERENCES memories (memory_id),
  access_count     INTEGER NOT NULL DEFAULT 0,
  last_accessed_at TEXT,
  injected_count   INTEGER NOT NULL DEFAULT 0,
  last_injected_at TEXT
) STRICT;

-- What was done to a memory, in order.
CREATE TABLE memory_events (
  memory_id    INTEGER NOT NULL REFERENCES memories (memory_id),
  event_number INTEGER NOT NULL,                    -- counts up from 1 in its memory
  at           TEXT NOT NULL,
  action       TEXT NOT NULL,
  detail       TEXT NOT NULL,                       -- JSON; '{}' once erased
  PRIMARY KEY (memory_id, event_number)
) STRICT, WITHOUT ROWID;

-- What capturing decided about candidates, and why.
CREATE TABLE memory_decisions (
  decision_id      INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant           TEXT NOT NULL,
  scope            TEXT NOT NULL,
  at               TEXT NOT NULL,
  agent            TEXT NOT NULL,
  stage            TEXT NOT NULL CHECK (stage IN ('extract', 'admit', 'dedup')),
  verdict          TEXT NOT NULL,
  reason           TEXT NOT NULL,
  detail           TEXT NOT NULL,
  memory_uid       TEXT,
  conversation_uid TEXT,
  first_seq        INTEGER,
  last_seq         INTEGER
) STRICT;
CREATE INDEX memory_decisions_recent_idx ON memory_decisions (tenant, decision_id);
CREATE INDEX memory_decisions_conversation_idx ON memory_decisions (conversation_uid)
  WHERE conversation_uid IS NOT NULL;
CREATE INDEX memory_decisions_memory_idx ON memory_decisions (memory_uid) WHERE memory_uid IS NOT NULL;

-- Up to which message a conversation was captured.
CREATE TABLE memory_captures (
  tenant           TEXT NOT NULL,
  conversation_uid TEXT NOT NULL,
  captured_to      INTEGER NOT NULL,
  at               TEXT NOT NULL,
  PRIMARY KEY (tenant, conversation_uid)
) STRICT, WITHOUT ROWID;

-- Who made the vectors that follow, of memories or of messages. All vectors of a model have one length.
CREATE TABLE vector_models (
  model_id   INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant     TEXT NOT NULL,
  owners     TEXT NOT NULL CHECK (owners IN ('memories', 'messages')),
  model      TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  packed_to  INTEGER NOT NULL DEFAULT 0,            -- highest vector_id whose bits are in a page
  removed    INTEGER NOT NULL DEFAULT 0,            -- vectors that were removed so far: whoever holds bits compares
  UNIQUE (tenant, owners, model)
) STRICT;

-- Passages as vectors of 32-bit floats, little-endian. A vector_id is never given out twice.
CREATE TABLE vectors (
  vector_id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id  INTEGER NOT NULL,                       -- memory_id or message_id, as the model says
  model_id  INTEGER NOT NULL REFERENCES vector_models (model_id),
  passage   INTEGER NOT NULL,
  vector    BLOB NOT NULL,
  UNIQUE (owner_id, model_id, passage)
) STRICT;
CREATE INDEX vectors_model_idx ON vectors (model_id);

-- Their signs, a bit each, packed by the thousand, so that all of them are read in no time. What was removed is zeroed.
CREATE TABLE vector_bits (
  model_id     INTEGER NOT NULL REFERENCES vector_models (model_id),
  first_vector INTEGER NOT NULL,
  vectors      BLOB NOT NULL,                       -- vector_id of each, 64-bit floats; 0 once removed
  scopes       BLOB NOT NULL,                       -- scope_id or conversation_id of each, 32-bit integers
  bits         BLOB NOT NULL,                       -- 32-bit words, the lowest dimension in the lowest bit
  PRIMARY KEY (model_id, first_vector)
) STRICT;

-- Up to which message the words of a conversation were made into vectors of a model.
CREATE TABLE vector_progress (
  conversation_id INTEGER NOT NULL REFERENCES conversations (conversation_id),
  model_id        INTEGER NOT NULL REFERENCES vector_models (model_id),
  embedded_seq    INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, model_id)
) STRICT, WITHOUT ROWID;

-- The word index of memories: a segment holds a run of one scope and never changes. What an erasure touches goes whole.
CREATE TABLE memory_segments (
  segment_id INTEGER PRIMARY KEY AUTOINCREMENT,
  scope_id   INTEGER NOT NULL REFERENCES memory_scopes (scope_id),
  first      INTEGER NOT NULL,
  last       INTEGER NOT NULL,
  content    BLOB NOT NULL
) STRICT;
CREATE INDEX memory_segments_run_idx ON memory_segments (scope_id, first, last);

-- A conversation that is on record here and nowhere else was deleted: nothing is captured from it any more.
CREATE INDEX audit_log_conversation_idx ON audit_log (conversation_uid);
