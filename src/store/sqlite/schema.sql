-- Palimpsest on SQLite. This is version 7; src/store/migrations.ts has the changes since then.
--
-- Truth: conversations, messages, turns, assembly_receipts, summaries, summary_messages, summary_parents,
-- context_items, context_exclusions, compaction_events, conversation_bootstrap_state, transcript_lines, audit_log.
-- Compaction adds summaries and moves context_items; it never touches a message. Only an erasure removes content.
-- A repair takes a summary that is not what was written off the record, or its text; never a message.
-- Truth of long-term memory: memory_scopes, memories, memory_tags, memory_sources, memory_relations, memory_uses,
-- memory_events, memory_decisions, memory_captures.
-- Index, can be rebuilt from the truth: message_parts, the search_ tables, vectors and the vector_ tables, and
-- memory_segments.
--
-- A message's text is stored once, in messages.content, exactly as it came. message_id is
-- conversation_id * 2^28 + seq: the rows of a conversation lie together, and reading by id or range needs no
-- second index. References to messages without an index of their own carry no foreign key, because SQLite would
-- search the whole table for each deleted message; the integrity checker compares them. Times are ISO 8601 in UTC with milliseconds. Hashes are raw SHA-256.

CREATE TABLE conversations (
  conversation_id    INTEGER PRIMARY KEY AUTOINCREMENT,
  uid                TEXT NOT NULL UNIQUE,          -- public id, the same after a move
  tenant             TEXT NOT NULL,
  agent              TEXT NOT NULL,
  session_id         TEXT NOT NULL,
  session_key        TEXT,                          -- stable name of the session, if the host has one
  title              TEXT,
  title_is_automatic INTEGER NOT NULL DEFAULT 1,
  created_at         TEXT NOT NULL,
  updated_at         TEXT NOT NULL,
  archived_at        TEXT,
  last_seq           INTEGER NOT NULL DEFAULT 0,    -- highest seq given out
  token_count        INTEGER NOT NULL DEFAULT 0,
  head_hash          BLOB NOT NULL DEFAULT x'',     -- hash of the newest message
  last_summary       INTEGER NOT NULL DEFAULT 0,    -- highest summary_number given out
  context_items      INTEGER NOT NULL DEFAULT 0,    -- rows of context_items, and their tokens
  context_tokens     INTEGER NOT NULL DEFAULT 0,
  context_stub_tokens INTEGER NOT NULL DEFAULT 0    -- the same with every result as a stub
) STRICT;

-- One active conversation for each session; archived ones of the same session are its family.
CREATE UNIQUE INDEX conversations_session_idx
  ON conversations (tenant, agent, coalesce(session_key, session_id)) WHERE archived_at IS NULL;
CREATE INDEX conversations_recent_idx ON conversations (tenant, agent, updated_at DESC, uid);

-- Contents of files, each once, whoever refers to it: compressed frames one behind the other. A small content lies in
-- its row. A large one lies beside the database, as files/<first two digits of its hash>/<hash>.zst.
CREATE TABLE file_contents (
  content_hash BLOB PRIMARY KEY CHECK (length(content_hash) = 32),
  byte_size    INTEGER NOT NULL,
  line_count   INTEGER NOT NULL,
  frames       BLOB NOT NULL,                       -- of each frame: the bytes it takes, the line feeds in it
  content      BLOB                                 -- NULL when it lies beside the database
) STRICT;

-- Payloads that were cut out of messages: attached files and long results of tools. Each has an id of its own, also
-- when its content is known.
CREATE TABLE large_files (
  file_number         INTEGER PRIMARY KEY AUTOINCREMENT,
  file_id             TEXT NOT NULL UNIQUE,         -- public id
  conversation_id     INTEGER NOT NULL REFERENCES conversations (conversation_id),
  seq                 INTEGER NOT NULL,             -- of the message that it came in
  ordinal             INTEGER NOT NULL,             -- counts up from 0 in its message
  kind                TEXT NOT NULL CHECK (kind IN ('file', 'tool-output')),
  file_name           TEXT,
  mime_type           TEXT,
  tool_name           TEXT,
  exploration_summary TEXT NOT NULL,
  model_summary       TEXT,                         -- what a model wrote of it; shown instead since then
  model               TEXT,                         -- which model
  model_summary_at    TEXT,
  origin              TEXT NOT NULL CHECK (origin IN ('ingest', 'migration')),
  content_hash        BLOB NOT NULL REFERENCES file_contents (content_hash),
  writing             TEXT NOT NULL,                -- how the payload is written inside its message
  places              TEXT NOT NULL,                -- where: JSON list of [start, end, before, after], in bytes of the original
  created_at          TEXT NOT NULL,
  UNIQUE (conversation_id, seq, ordinal)
) STRICT;
CREATE INDEX large_files_content_idx ON large_files (content_hash);

CREATE TABLE messages (
  message_id      INTEGER PRIMARY KEY,              -- conversation_id * 2^28 + seq
  conversation_id INTEGER NOT NULL REFERENCES conversations (conversation_id),
  seq             INTEGER NOT NULL,
  message_key     TEXT NOT NULL,                    -- idempotency key, unique in its conversation
  role            TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool')),
  format          TEXT NOT NULL,                    -- how content wraps the message
  encoding        TEXT NOT NULL CHECK (encoding IN ('text', 'bytes', 'zstd', 'erased')),
  content         ANY,                              -- the exact original; NULL once erased
  token_count     INTEGER NOT NULL,
  created_at      TEXT NOT NULL,
  erased_at       TEXT,
  salt            BLOB,                             -- NULL once erased
  digest          BLOB NOT NULL,                    -- SHA-256 (salt, content)
  hash            BLOB NOT NULL,                    -- SHA-256 (hash of seq - 1, seq, role, format, created_at, digest)
  large_content   TEXT REFERENCES large_files (file_id), -- its first payload, when content is kept without payloads
  stub_token_count INTEGER,                         -- tokens with results of tools as stubs; NULL when it has none
  UNIQUE (conversation_id, message_key)
) STRICT;

-- System messages are always in view, wherever they stand.
CREATE INDEX messages_system_idx ON messages (conversation_id, seq) WHERE role = 'system';
-- So is the newest message of the user.
CREATE INDEX messages_user_idx ON messages (conversation_id, seq) WHERE role = 'user';

CREATE TABLE message_parts (
  message_id   INTEGER NOT NULL REFERENCES messages (message_id),
  ordinal      INTEGER NOT NULL,
  part_type    TEXT NOT NULL,
  tool_call_id TEXT,
  tool_name    TEXT,
  tool_status  TEXT,
  PRIMARY KEY (message_id, ordinal)
) STRICT, WITHOUT ROWID;

-- A turn that was committed under a key. Its messages carry the keys that keys_digest is made of.
CREATE TABLE turns (
  conversation_id INTEGER NOT NULL REFERENCES conversations (conversation_id),
  turn_key        TEXT NOT NULL,
  keys_digest     BLOB NOT NULL,
  first_seq       INTEGER NOT NULL,
  message_count   INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, turn_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX turns_first_seq_idx ON turns (conversation_id, first_seq);

-- What a model saw before it produced the turn that begins at first_seq: ids and hashes as JSON, never words.
CREATE TABLE assembly_receipts (
  conversation_id INTEGER NOT NULL REFERENCES conversations (conversation_id),
  first_seq       INTEGER NOT NULL,
  at              TEXT NOT NULL,
  content         TEXT NOT NULL,
  PRIMARY KEY (conversation_id, first_seq)
) STRICT, WITHOUT ROWID;

-- Nodes of the summary graph. A leaf (depth 0) covers messages, a condensed one summaries of one depth.
CREATE TABLE summaries (
  conversation_id        INTEGER NOT NULL REFERENCES conversations (conversation_id),
  summary_number         INTEGER NOT NULL,          -- counts up from 1 in its conversation
  summary_id             TEXT NOT NULL UNIQUE,      -- public id
  kind                   TEXT NOT NULL CHECK (kind IN ('leaf', 'condensed')),
  depth                  INTEGER NOT NULL,
  encoding               TEXT NOT NULL CHECK (encoding IN ('text', 'bytes', 'zstd', 'erased')),
  content                ANY,                       -- NULL once something below it was erased
  token_count            INTEGER NOT NULL,
  quality                TEXT NOT NULL CHECK (quality IN ('normal', 'aggressive', 'extractive', 'fallback')),
  model                  TEXT,
  first_seq              INTEGER NOT NULL,
  last_seq               INTEGER NOT NULL,
  earliest_at            TEXT NOT NULL,
  latest_at              TEXT NOT NULL,
  message_count          INTEGER NOT NULL,
  source_token_count     INTEGER NOT NULL,          -- tokens of the messages it covers
  descendant_count       INTEGER NOT NULL,          -- summaries below it
  descendant_token_count INTEGER NOT NULL,
  file_ids               TEXT NOT NULL,             -- JSON list
  fidelity               REAL,
  merkle_root            BLOB NOT NULL,
  created_at             TEXT NOT NULL,
  content_hash           BLOB,                      -- SHA-256 of the text; NULL once that is gone
  PRIMARY KEY (conversation_id, summary_number)
) STRICT;

-- Leaf → the messages it was made from.
CREATE TABLE summary_messages (
  conversation_id INTEGER NOT NULL,
  summary_number  INTEGER NOT NULL,
  seq             INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, summary_number, seq),
  FOREIGN KEY (conversation_id, summary_number) REFERENCES summaries (conversation_id, summary_number)
) STRICT, WITHOUT ROWID;
CREATE INDEX summary_messages_seq_idx ON summary_messages (conversation_id, seq);

-- Condensed → the older, finer summaries it was made from, called its parents.
CREATE TABLE summary_parents (
  conversation_id INTEGER NOT NULL,
  summary_number  INTEGER NOT NULL,
  ordinal         INTEGER NOT NULL,
  parent_number   INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, summary_number, ordinal),
  FOREIGN KEY (conversation_id, summary_number) REFERENCES summaries (conversation_id, summary_number)
) STRICT, WITHOUT ROWID;
CREATE INDEX summary_parents_parent_idx ON summary_parents (conversation_id, parent_number);

-- What the model sees, in order. An item stands at the seq of the first message it covers times 1024.
CREATE TABLE context_items (
  conversation_id INTEGER NOT NULL REFERENCES conversations (conversation_id),
  ordinal         INTEGER NOT NULL,
  item_type       TEXT NOT NULL CHECK (item_type IN ('message', 'summary')),
  message_id      INTEGER,
  summary_number  INTEGER,
  token_count     INTEGER NOT NULL,
  stub_token_count INTEGER,                         -- as in messages
  PRIMARY KEY (conversation_id, ordinal),
  CHECK ((item_type = 'message') = (message_id IS NOT NULL) AND (item_type = 'summary') = (summary_number IS NOT NULL))
) STRICT, WITHOUT ROWID;
-- The newest summaries are found wherever they stand.
CREATE INDEX context_items_summary_idx ON context_items (conversation_id, ordinal)
  WHERE item_type = 'summary';

-- What each compaction did, in order. Outside the hashed rows.
CREATE TABLE compaction_events (
  conversation_id INTEGER NOT NULL REFERENCES conversations (conversation_id),
  event_number    INTEGER NOT NULL,                 -- counts up in its conversation
  summary_number  INTEGER NOT NULL,
  at              TEXT NOT NULL,
  trigger_reason  TEXT NOT NULL,
  token_before    INTEGER NOT NULL,
  token_after     INTEGER NOT NULL,
  milliseconds    REAL NOT NULL,
  fresh_from      INTEGER NOT NULL,                 -- first seq of the fresh tail when it was planned
  PRIMARY KEY (conversation_id, event_number),
  UNIQUE (conversation_id, summary_number)
) STRICT, WITHOUT ROWID;

-- Who compacts a conversation now. Not truth and in no dump: a lease that its holder renews, and that anybody may
-- take over once it has run out.
CREATE TABLE compaction_locks (
  conversation_id INTEGER PRIMARY KEY REFERENCES conversations (conversation_id),
  holder          TEXT NOT NULL,                    -- random token
  expires_at      INTEGER NOT NULL                  -- milliseconds since 1970, by the clock of the holder's machine
) STRICT;

-- Messages on record that are not in the context, each with its reason.
CREATE TABLE context_exclusions (
  message_id      INTEGER PRIMARY KEY REFERENCES messages (message_id),
  conversation_id INTEGER NOT NULL REFERENCES conversations (conversation_id),
  reason          TEXT NOT NULL CHECK (reason IN ('reset', 'heartbeat', 'branch', 'erased'))
) STRICT;

-- A version of a host's transcript file and how far it was read. When a file was edited or replaced, the next
-- version shares the first lines of the one before.
CREATE TABLE conversation_bootstrap_state (
  conversation_id           INTEGER NOT NULL REFERENCES conversations (conversation_id),
  transcript                INTEGER NOT NULL,
  session_file_path         TEXT NOT NULL,
  format                    TEXT NOT NULL,
  previous_transcript       INTEGER,
  shared_lines              INTEGER NOT NULL,
  line_count                INTEGER NOT NULL,
  last_seen_size            INTEGER NOT NULL,
  last_seen_mtime_ms        REAL NOT NULL,
  last_processed_offset     INTEGER NOT NULL,
  last_processed_entry_hash BLOB,
  last_processed_entry_size INTEGER NOT NULL,
  reader_version            INTEGER NOT NULL,
  updated_at                TEXT NOT NULL,
  PRIMARY KEY (conversation_id, transcript)
) STRICT, WITHOUT ROWID;
CREATE INDEX conversation_bootstrap_state_path_idx ON conversation_bootstrap_state (session_file_path);

-- Every line of every transcript, so that the file can be written out again byte for byte. The bytes of a
-- message line are the message's own; other lines keep theirs here.
CREATE TABLE transcript_lines (
  conversation_id INTEGER NOT NULL REFERENCES conversations (conversation_id),
  transcript      INTEGER NOT NULL,
  line            INTEGER NOT NULL,
  kind            TEXT NOT NULL CHECK (kind IN ('message', 'event', 'unreadable', 'torn', 'erased')),
  message_id      INTEGER,
  entry_key       TEXT,                             -- the host's id of this entry
  parent_key      TEXT,                             -- the entry it follows
  response        TEXT,                             -- the model response it belongs to
  lane            TEXT NOT NULL CHECK (lane IN ('main', 'sidechain', 'injected')),
  line_hash       BLOB,                             -- NULL once erased: says nothing of the line any more
  problem         TEXT,                             -- why it could not be read
  encoding        TEXT,
  content         ANY,
  PRIMARY KEY (conversation_id, transcript, line)
) STRICT;
CREATE INDEX transcript_lines_unreadable_idx ON transcript_lines (conversation_id, transcript, line)
  WHERE kind IN ('unreadable', 'torn');

-- What was erased or deleted, and when; never the content.
CREATE TABLE audit_log (
  audit_id         INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant           TEXT NOT NULL,
  agent            TEXT NOT NULL,
  at               TEXT NOT NULL,
  action           TEXT NOT NULL,
  conversation_uid TEXT,
  detail           TEXT NOT NULL
) STRICT;

-- The search index: a cache that can be dropped and built again. A segment holds documents of one scope, messages by
-- seq and summaries by number, and never changes; small ones are merged into larger ones. What an erasure touches
-- goes with its whole segment.
CREATE TABLE search_segments (
  segment_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant     TEXT NOT NULL,
  agent      TEXT NOT NULL,
  documents  INTEGER NOT NULL,
  words      INTEGER NOT NULL,
  earliest   INTEGER NOT NULL,                      -- milliseconds since 1970
  latest     INTEGER NOT NULL,
  columns    BLOB NOT NULL                          -- facts about each document
) STRICT;
CREATE INDEX search_segments_scope_idx ON search_segments (tenant, agent, segment_id);

-- Which documents a segment holds: runs without gaps, in the order of `place`.
CREATE TABLE search_runs (
  conversation_id INTEGER NOT NULL REFERENCES conversations (conversation_id),
  kind            TEXT NOT NULL CHECK (kind IN ('message', 'summary')),
  first           INTEGER NOT NULL,
  last            INTEGER NOT NULL,
  segment_id      INTEGER NOT NULL REFERENCES search_segments (segment_id),
  place           INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, kind, first)
) STRICT, WITHOUT ROWID;
CREATE INDEX search_runs_segment_idx ON search_runs (segment_id, place);

-- The sorted terms of a segment with the documents they stand in, cut into pages of a few kilobytes.
CREATE TABLE search_pages (
  segment_id INTEGER NOT NULL REFERENCES search_segments (segment_id),
  first_term BLOB NOT NULL,
  page       BLOB NOT NULL,
  PRIMARY KEY (segment_id, first_term)
) STRICT;

-- Up to where all messages and summaries of a conversation are in segments.
CREATE TABLE search_progress (
  conversation_id INTEGER PRIMARY KEY REFERENCES conversations (conversation_id),
  indexed_seq     INTEGER NOT NULL,
  indexed_summary INTEGER NOT NULL
) STRICT;

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
  content         TEXT NOT NULL,
  gist            BLOB NOT NULL DEFAULT x''         -- what the first line tells, as a key; empty once erased
) STRICT;

-- Of one fact key at most one memory of a scope is in force, whoever writes.
CREATE UNIQUE INDEX memories_fact_idx ON memories (scope_id, fact_key)
  WHERE fact_key IS NOT NULL AND invalidated_at IS NULL AND archived_at IS NULL AND erased_at IS NULL;
CREATE INDEX memories_gist_idx ON memories (scope_id, gist)
  WHERE invalidated_at IS NULL AND archived_at IS NULL AND erased_at IS NULL;
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
