-- Palimpsest on PostgreSQL, in a schema of its own. This is version 8; src/store/migrations.ts has the changes since then.
--
-- Truth: conversations, messages, large_files, file_contents, file_chunks, turns, assembly_receipts, summaries,
-- summary_messages, summary_parents, context_items, context_exclusions, compaction_events,
-- conversation_bootstrap_state, transcript_lines, audit_log, memory_scopes, memories, memory_sources,
-- memory_relations, memory_uses, memory_events, memory_decisions, memory_captures.
-- Compaction adds summaries and moves context_items; it never touches a message. Only an erasure removes content.
-- A repair takes a summary that is not what was written off the record, or its text; never a message.
-- Index, can be rebuilt from the truth: message_parts, the search_ tables, the vector_ tables, memory_vectors,
-- memory_vector_bits, message_vectors, message_vector_bits, memory_segments.
--
-- A message's text is stored once, in messages.content, exactly as it came; large payloads are cut out of it and lie
-- in frames of their own. The tenant leads every primary key and every unique index, so the schema can be distributed
-- by tenant without change; conversation_id follows it, so the rows of a conversation lie together.
--
-- Indexes beside a primary key have a condition that every row meets. It keeps the planner from taking them for
-- anything but the lookup they are made for: without statistics, in a new store or during a long load, it would
-- find them as good as the primary key and then read the whole conversation for each row.

CREATE TABLE store_meta (
  name  text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE conversations (
  tenant             text COLLATE "C" NOT NULL,
  conversation_id    bigint GENERATED ALWAYS AS IDENTITY,
  uid                text COLLATE "C" NOT NULL,     -- public id, the same after a move
  agent              text COLLATE "C" NOT NULL,
  session_id         text COLLATE "C" NOT NULL,
  session_key        text COLLATE "C",              -- stable name of the session, if the host has one
  title              text,
  title_is_automatic boolean NOT NULL DEFAULT true,
  created_at         timestamptz(3) NOT NULL,
  updated_at         timestamptz(3) NOT NULL,
  archived_at        timestamptz(3),
  last_seq           bigint NOT NULL DEFAULT 0,     -- highest seq given out
  token_count        bigint NOT NULL DEFAULT 0,
  head_hash          bytea NOT NULL DEFAULT '',     -- hash of the newest message
  last_summary       bigint NOT NULL DEFAULT 0,     -- highest summary_number given out
  context_items      bigint NOT NULL DEFAULT 0,     -- rows of context_items, and their tokens
  context_tokens     bigint NOT NULL DEFAULT 0,
  context_stub_tokens bigint NOT NULL DEFAULT 0,    -- the same with every result as a stub
  PRIMARY KEY (tenant, conversation_id)
);
CREATE INDEX conversations_recent_idx ON conversations (tenant, agent, updated_at DESC, uid)
  WHERE updated_at > '-infinity';
CREATE UNIQUE INDEX conversations_uid_idx ON conversations (tenant, uid) WHERE uid IS NOT NULL;
-- One active conversation for each session; archived ones of the same session are its family.
CREATE UNIQUE INDEX conversations_session_idx
  ON conversations (tenant, agent, coalesce(session_key, session_id)) WHERE archived_at IS NULL;

-- Contents of files, each once in its tenant, whoever refers to it.
CREATE TABLE file_contents (
  tenant       text COLLATE "C" NOT NULL,
  content_hash bytea NOT NULL CHECK (octet_length(content_hash) = 32),
  byte_size    bigint NOT NULL,
  line_count   bigint NOT NULL,
  frames       bytea NOT NULL,                      -- of each frame: the bytes it takes, the line feeds in it
  PRIMARY KEY (tenant, content_hash)
);

-- The compressed frames of a content, each of which is opened without the others.
CREATE TABLE file_chunks (
  tenant       text COLLATE "C" NOT NULL,
  content_hash bytea NOT NULL,
  number       integer NOT NULL,                    -- counts up from 0 in its content
  bytes        bytea NOT NULL,
  PRIMARY KEY (tenant, content_hash, number),
  FOREIGN KEY (tenant, content_hash) REFERENCES file_contents (tenant, content_hash) ON DELETE CASCADE
);
ALTER TABLE file_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Payloads that were cut out of messages: attached files and long results of tools. Each has an id of its own, also
-- when its content is known. seq is not declared as a reference: the message comes after its payloads.
CREATE TABLE large_files (
  tenant              text COLLATE "C" NOT NULL,
  file_id             text COLLATE "C" NOT NULL,    -- public id, the same after a move
  file_number         bigint GENERATED ALWAYS AS IDENTITY,
  agent               text COLLATE "C" NOT NULL,
  conversation_id     bigint NOT NULL,
  seq                 bigint NOT NULL,              -- of the message that it came in
  ordinal             integer NOT NULL,             -- counts up from 0 in its message
  kind                text NOT NULL CHECK (kind IN ('file', 'tool-output')),
  file_name           text,
  mime_type           text,
  tool_name           text,
  exploration_summary text NOT NULL,
  model_summary       text,                         -- what a model wrote of it; shown instead since then
  model               text,                         -- which model
  model_summary_at    timestamptz(3),
  origin              text NOT NULL CHECK (origin IN ('ingest', 'migration')),
  content_hash        bytea NOT NULL,
  writing             text NOT NULL,                -- how the payload is written inside its message
  places              text NOT NULL,                -- where: JSON list of [start, end, before, after], in bytes of the original
  created_at          timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant, file_id),
  FOREIGN KEY (tenant, conversation_id) REFERENCES conversations (tenant, conversation_id),
  FOREIGN KEY (tenant, content_hash) REFERENCES file_contents (tenant, content_hash)
);
CREATE UNIQUE INDEX large_files_message_idx ON large_files (tenant, conversation_id, seq, ordinal)
  WHERE seq IS NOT NULL;
CREATE INDEX large_files_newest_idx ON large_files (tenant, agent, file_number DESC) WHERE file_number IS NOT NULL;
CREATE INDEX large_files_content_idx ON large_files (tenant, content_hash) WHERE content_hash IS NOT NULL;

CREATE TABLE messages (
  tenant          text COLLATE "C" NOT NULL,
  conversation_id bigint NOT NULL,
  seq             bigint NOT NULL,
  message_key     text COLLATE "C" NOT NULL,        -- idempotency key, unique in its conversation
  role            text NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool')),
  format          text NOT NULL,                    -- how content wraps the message
  encoding        text NOT NULL CHECK (encoding IN ('text', 'bytes', 'zstd', 'erased')),
  content         bytea,                            -- the exact original without payloads that lie apart; NULL once erased
  content_size    bigint NOT NULL,                  -- bytes of the original, payloads included; 0 once erased
  token_count     integer NOT NULL,
  created_at      timestamptz(3) NOT NULL,
  erased_at       timestamptz(3),
  salt            bytea,                            -- NULL once erased
  digest          bytea NOT NULL,                   -- SHA-256 (salt, content)
  hash            bytea NOT NULL,                   -- SHA-256 (hash of seq - 1, seq, role, format, created_at, digest)
  large_content   text COLLATE "C",                 -- its first payload, when content is kept without payloads
  stub_token_count integer,                         -- tokens with results of tools as stubs; NULL when it has none
  PRIMARY KEY (tenant, conversation_id, seq),
  FOREIGN KEY (tenant, conversation_id) REFERENCES conversations (tenant, conversation_id),
  FOREIGN KEY (tenant, large_content) REFERENCES large_files (tenant, file_id)
);
-- Content is compressed before it comes here.
ALTER TABLE messages ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX messages_key_idx ON messages (tenant, conversation_id, message_key)
  WHERE message_key IS NOT NULL;
-- System messages are always in view, wherever they stand.
CREATE INDEX messages_system_idx ON messages (tenant, conversation_id, seq) WHERE role = 'system';
-- So is the newest message of the user.
CREATE INDEX messages_user_idx ON messages (tenant, conversation_id, seq) WHERE role = 'user';
-- Whether a message still points to a file that is about to go.
CREATE INDEX messages_large_idx ON messages (tenant, large_content) WHERE large_content IS NOT NULL;

CREATE TABLE message_parts (
  tenant          text COLLATE "C" NOT NULL,
  conversation_id bigint NOT NULL,
  seq             bigint NOT NULL,
  ordinal         integer NOT NULL,
  part_type       text NOT NULL,
  tool_call_id    text,
  tool_name       text,
  tool_status     text,
  PRIMARY KEY (tenant, conversation_id, seq, ordinal),
  FOREIGN KEY (tenant, conversation_id, seq) REFERENCES messages (tenant, conversation_id, seq)
);

-- A turn that was committed under a key. Its messages carry the keys that keys_digest is made of.
CREATE TABLE turns (
  tenant          text COLLATE "C" NOT NULL,
  conversation_id bigint NOT NULL,
  turn_key        text COLLATE "C" NOT NULL,
  keys_digest     bytea NOT NULL,
  first_seq       bigint NOT NULL,
  message_count   integer NOT NULL,
  PRIMARY KEY (tenant, conversation_id, turn_key),
  FOREIGN KEY (tenant, conversation_id) REFERENCES conversations (tenant, conversation_id)
);

-- What a model saw before it produced the turn that begins at first_seq: ids and hashes as JSON, never words.
CREATE TABLE assembly_receipts (
  tenant          text COLLATE "C" NOT NULL,
  conversation_id bigint NOT NULL,
  first_seq       bigint NOT NULL,
  at              timestamptz(3) NOT NULL,
  content         text NOT NULL,
  PRIMARY KEY (tenant, conversation_id, first_seq),
  FOREIGN KEY (tenant, conversation_id) REFERENCES conversations (tenant, conversation_id)
);

-- Nodes of the summary graph. A leaf (depth 0) covers messages, a condensed one summaries of one depth.
CREATE TABLE summaries (
  tenant                 text COLLATE "C" NOT NULL,
  conversation_id        bigint NOT NULL,
  summary_number         bigint NOT NULL,           -- counts up from 1 in its conversation
  summary_id             text COLLATE "C" NOT NULL, -- public id
  kind                   text NOT NULL CHECK (kind IN ('leaf', 'condensed')),
  depth                  integer NOT NULL,
  encoding               text NOT NULL CHECK (encoding IN ('text', 'bytes', 'zstd', 'erased')),
  content                bytea,                     -- NULL once something below it was erased
  content_size           bigint NOT NULL,           -- bytes before compression; 0 once erased
  token_count            integer NOT NULL,
  quality                text NOT NULL CHECK (quality IN ('normal', 'aggressive', 'extractive', 'fallback')),
  model                  text,
  first_seq              bigint NOT NULL,
  last_seq               bigint NOT NULL,
  earliest_at            timestamptz(3) NOT NULL,
  latest_at              timestamptz(3) NOT NULL,
  message_count          bigint NOT NULL,
  source_token_count     bigint NOT NULL,           -- tokens of the messages it covers
  descendant_count       bigint NOT NULL,           -- summaries below it
  descendant_token_count bigint NOT NULL,
  file_ids               text NOT NULL,             -- JSON list
  fidelity               double precision,
  merkle_root            bytea NOT NULL,
  created_at             timestamptz(3) NOT NULL,
  content_hash           bytea,                     -- SHA-256 of the text; NULL once that is gone
  PRIMARY KEY (tenant, conversation_id, summary_number),
  FOREIGN KEY (tenant, conversation_id) REFERENCES conversations (tenant, conversation_id)
);
ALTER TABLE summaries ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX summaries_id_idx ON summaries (tenant, summary_id) WHERE summary_id IS NOT NULL;

-- Leaf → the messages it was made from.
CREATE TABLE summary_messages (
  tenant          text COLLATE "C" NOT NULL,
  conversation_id bigint NOT NULL,
  summary_number  bigint NOT NULL,
  seq             bigint NOT NULL,
  PRIMARY KEY (tenant, conversation_id, summary_number, seq),
  FOREIGN KEY (tenant, conversation_id, summary_number)
    REFERENCES summaries (tenant, conversation_id, summary_number)
);
CREATE INDEX summary_messages_seq_idx ON summary_messages (tenant, conversation_id, seq) WHERE seq IS NOT NULL;

-- Condensed → the older, finer summaries it was made from, called its parents.
CREATE TABLE summary_parents (
  tenant          text COLLATE "C" NOT NULL,
  conversation_id bigint NOT NULL,
  summary_number  bigint NOT NULL,
  ordinal         integer NOT NULL,
  parent_number   bigint NOT NULL,
  PRIMARY KEY (tenant, conversation_id, summary_number, ordinal),
  FOREIGN KEY (tenant, conversation_id, summary_number)
    REFERENCES summaries (tenant, conversation_id, summary_number)
);
CREATE INDEX summary_parents_parent_idx ON summary_parents (tenant, conversation_id, parent_number)
  WHERE parent_number IS NOT NULL;

-- What the model sees, in order. An item stands at the seq of the first message it covers times 1024, so that
-- replacing a range never renumbers the rest. Here and in transcript_lines, seq is not declared as a reference:
-- it leads no index, so deleting a conversation would search all its items once for each message. The same
-- holds for summary_number.
CREATE TABLE context_items (
  tenant          text COLLATE "C" NOT NULL,
  conversation_id bigint NOT NULL,
  ordinal         bigint NOT NULL,
  item_type       text NOT NULL CHECK (item_type IN ('message', 'summary')),
  seq             bigint,
  summary_number  bigint,
  token_count     integer NOT NULL,
  stub_token_count integer,                         -- as in messages
  PRIMARY KEY (tenant, conversation_id, ordinal),
  FOREIGN KEY (tenant, conversation_id) REFERENCES conversations (tenant, conversation_id),
  CHECK ((item_type = 'message') = (seq IS NOT NULL) AND (item_type = 'summary') = (summary_number IS NOT NULL))
);
-- The newest summaries are found wherever they stand.
CREATE INDEX context_items_summary_idx ON context_items (tenant, conversation_id, ordinal)
  WHERE item_type = 'summary';

-- What each compaction did, in order. Outside the hashed rows.
CREATE TABLE compaction_events (
  tenant          text COLLATE "C" NOT NULL,
  conversation_id bigint NOT NULL,
  event_number    bigint NOT NULL,                  -- counts up in its conversation
  summary_number  bigint NOT NULL,
  at              timestamptz(3) NOT NULL,
  trigger_reason  text NOT NULL,
  token_before    bigint NOT NULL,
  token_after     bigint NOT NULL,
  milliseconds    double precision NOT NULL,
  fresh_from      bigint NOT NULL,                  -- first seq of the fresh tail when it was planned
  PRIMARY KEY (tenant, conversation_id, event_number),
  FOREIGN KEY (tenant, conversation_id) REFERENCES conversations (tenant, conversation_id)
);
CREATE UNIQUE INDEX compaction_events_summary_idx ON compaction_events (tenant, conversation_id, summary_number)
  WHERE summary_number IS NOT NULL;

-- Messages on record that are not in the context, each with its reason.
CREATE TABLE context_exclusions (
  tenant          text COLLATE "C" NOT NULL,
  conversation_id bigint NOT NULL,
  seq             bigint NOT NULL,
  reason          text NOT NULL CHECK (reason IN ('reset', 'heartbeat', 'branch', 'erased')),
  PRIMARY KEY (tenant, conversation_id, seq),
  FOREIGN KEY (tenant, conversation_id, seq) REFERENCES messages (tenant, conversation_id, seq)
);

-- A version of a host's transcript file and how far it was read. When a file was edited or replaced, the next
-- version shares the first lines of the one before.
CREATE TABLE conversation_bootstrap_state (
  tenant                    text COLLATE "C" NOT NULL,
  conversation_id           bigint NOT NULL,
  transcript                integer NOT NULL,
  session_file_path         text NOT NULL,
  format                    text NOT NULL,
  previous_transcript       integer,
  shared_lines              bigint NOT NULL,
  line_count                bigint NOT NULL,
  last_seen_size            bigint NOT NULL,
  last_seen_mtime_ms        double precision NOT NULL,
  last_processed_offset     bigint NOT NULL,
  last_processed_entry_hash bytea,
  last_processed_entry_size bigint NOT NULL,
  reader_version            integer NOT NULL,
  updated_at                timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant, conversation_id, transcript),
  FOREIGN KEY (tenant, conversation_id) REFERENCES conversations (tenant, conversation_id)
);
CREATE INDEX conversation_bootstrap_state_path_idx ON conversation_bootstrap_state (tenant, session_file_path)
  WHERE session_file_path IS NOT NULL;

-- Every line of every transcript, so that the file can be written out again byte for byte. The bytes of a
-- message line are the message's own; other lines keep theirs here.
CREATE TABLE transcript_lines (
  tenant          text COLLATE "C" NOT NULL,
  conversation_id bigint NOT NULL,
  transcript      integer NOT NULL,
  line            bigint NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('message', 'event', 'unreadable', 'torn', 'erased')),
  seq             bigint,
  entry_key       text,                             -- the host's id of this entry
  parent_key      text,                             -- the entry it follows
  response        text,                             -- the model response it belongs to
  lane            text NOT NULL CHECK (lane IN ('main', 'sidechain', 'injected')),
  line_hash       bytea,                            -- NULL once erased: says nothing of the line any more
  problem         text,                             -- why it could not be read
  encoding        text,
  content         bytea,
  content_size    bigint NOT NULL,                  -- bytes before compression; 0 when there is no content
  PRIMARY KEY (tenant, conversation_id, transcript, line),
  FOREIGN KEY (tenant, conversation_id) REFERENCES conversations (tenant, conversation_id)
);
ALTER TABLE transcript_lines ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX transcript_lines_unreadable_idx ON transcript_lines (tenant, conversation_id, transcript, line)
  WHERE kind IN ('unreadable', 'torn');

-- What was erased or deleted, and when; never the content.
CREATE TABLE audit_log (
  tenant           text COLLATE "C" NOT NULL,
  audit_id         bigint GENERATED ALWAYS AS IDENTITY,
  agent            text COLLATE "C" NOT NULL,
  at               timestamptz(3) NOT NULL,
  action           text NOT NULL,
  conversation_uid text,
  detail           text NOT NULL,
  PRIMARY KEY (tenant, audit_id)
);
-- A conversation that is on record here and nowhere else was deleted: nothing is captured from it any more.
CREATE INDEX audit_log_conversation_idx ON audit_log (tenant, conversation_uid) WHERE conversation_uid IS NOT NULL;

-- The search index: a cache that can be dropped and built again. A segment holds documents of one scope, messages by
-- seq and summaries by number, and never changes; small ones are merged into larger ones. What an erasure touches
-- goes with its whole segment.
CREATE TABLE search_segments (
  tenant     text COLLATE "C" NOT NULL,
  segment_id bigint GENERATED ALWAYS AS IDENTITY,
  agent      text COLLATE "C" NOT NULL,
  documents  integer NOT NULL,
  words      bigint NOT NULL,
  earliest   bigint NOT NULL,                       -- milliseconds since 1970
  latest     bigint NOT NULL,
  columns    bytea NOT NULL,                        -- facts about each document
  PRIMARY KEY (tenant, segment_id)
);
ALTER TABLE search_segments ALTER COLUMN columns SET STORAGE EXTERNAL;
CREATE INDEX search_segments_scope_idx ON search_segments (tenant, agent, segment_id) WHERE agent IS NOT NULL;

-- Which documents a segment holds: runs without gaps, in the order of `place`.
CREATE TABLE search_runs (
  tenant          text COLLATE "C" NOT NULL,
  conversation_id bigint NOT NULL,
  kind            text COLLATE "C" NOT NULL CHECK (kind IN ('message', 'summary')),
  first           bigint NOT NULL,
  last            bigint NOT NULL,
  segment_id      bigint NOT NULL,
  place           integer NOT NULL,
  PRIMARY KEY (tenant, conversation_id, kind, first),
  FOREIGN KEY (tenant, conversation_id) REFERENCES conversations (tenant, conversation_id),
  FOREIGN KEY (tenant, segment_id) REFERENCES search_segments (tenant, segment_id)
);
CREATE INDEX search_runs_segment_idx ON search_runs (tenant, segment_id, place) WHERE place IS NOT NULL;

-- The sorted terms of a segment with the documents they stand in, cut into pages of a few kilobytes.
CREATE TABLE search_pages (
  tenant     text COLLATE "C" NOT NULL,
  segment_id bigint NOT NULL,
  first_term bytea NOT NULL,
  page       bytea NOT NULL,
  PRIMARY KEY (tenant, segment_id, first_term),
  FOREIGN KEY (tenant, segment_id) REFERENCES search_segments (tenant, segment_id)
);
ALTER TABLE search_pages ALTER COLUMN page SET STORAGE MAIN;

-- Up to where all messages and summaries of a conversation are in segments.
CREATE TABLE search_progress (
  tenant          text COLLATE "C" NOT NULL,
  conversation_id bigint NOT NULL,
  indexed_seq     bigint NOT NULL,
  indexed_summary bigint NOT NULL,
  PRIMARY KEY (tenant, conversation_id),
  FOREIGN KEY (tenant, conversation_id) REFERENCES conversations (tenant, conversation_id)
);

-- Long-term memory. Scopes say who may see a memory, and are locked by whoever writes into them: numbers are given
-- out under that lock.
CREATE TABLE memory_scopes (
  tenant      text COLLATE "C" NOT NULL,
  scope       text COLLATE "C" NOT NULL,
  last_number bigint NOT NULL DEFAULT 0,            -- highest number given out
  last_change bigint NOT NULL DEFAULT 0,            -- of its vectors, counted under the lock
  PRIMARY KEY (tenant, scope)
);

-- A row stays when its words are erased: it is the place that other memories refer to. What every memory is written
-- with (its scope, its events, its vectors) is not declared as a reference: nothing of it is ever deleted before the
-- memory, and the checks would take half of the time of remembering.
CREATE TABLE memories (
  tenant          text COLLATE "C" NOT NULL,
  scope           text COLLATE "C" NOT NULL,
  number          bigint NOT NULL,                  -- counts up from 1 in its scope
  uid             text COLLATE "C" NOT NULL,        -- public id, the same after a move
  category        text NOT NULL,
  tier            text NOT NULL CHECK (tier IN ('core', 'working', 'peripheral')),
  importance      double precision NOT NULL,
  confidence      double precision NOT NULL,
  temporal_type   text NOT NULL CHECK (temporal_type IN ('static', 'dynamic')),
  fact_key        text COLLATE "C",                 -- what it says something about
  abstract        text NOT NULL,                    -- empty once erased, like the two below
  overview        text NOT NULL,
  content         text NOT NULL,
  tags            text[] NOT NULL,
  support         text NOT NULL,                    -- JSON list of slices
  origin          text NOT NULL,
  speaker         text,                             -- who said it; NULL once erased
  created_at      timestamptz(3) NOT NULL,
  updated_at      timestamptz(3) NOT NULL,
  valid_from      timestamptz(3) NOT NULL,
  valid_until     timestamptz(3),
  invalidated_at  timestamptz(3),
  superseded_by   text COLLATE "C",                 -- uid of what holds instead
  archived_at     timestamptz(3),
  archived_reason text,
  erased_at       timestamptz(3),
  gist            bytea NOT NULL DEFAULT '',        -- what the first line tells, as a key; empty once erased
  PRIMARY KEY (tenant, scope, number)
);
CREATE UNIQUE INDEX memories_uid_idx ON memories (tenant, uid) WHERE uid IS NOT NULL;
-- Of one fact at most one memory of a scope is in force, however many processes write.
CREATE UNIQUE INDEX memories_fact_idx ON memories (tenant, scope, fact_key)
  WHERE fact_key IS NOT NULL AND invalidated_at IS NULL AND archived_at IS NULL AND erased_at IS NULL;
CREATE INDEX memories_gist_idx ON memories (tenant, scope, gist)
  WHERE gist > '' AND invalidated_at IS NULL AND archived_at IS NULL AND erased_at IS NULL;
CREATE INDEX memories_recent_idx ON memories (tenant, created_at DESC, uid) WHERE created_at > '-infinity';
CREATE INDEX memories_superseded_idx ON memories (tenant, superseded_by) WHERE superseded_by IS NOT NULL;

-- The messages that a memory came from. They may lie in a conversation that is not here.
CREATE TABLE memory_sources (
  tenant           text COLLATE "C" NOT NULL,
  scope            text COLLATE "C" NOT NULL,
  number           bigint NOT NULL,
  ordinal          integer NOT NULL,
  conversation_uid text COLLATE "C" NOT NULL,
  first_seq        bigint NOT NULL,
  last_seq         bigint NOT NULL,
  kind             text NOT NULL CHECK (kind IN ('origin', 'support')),
  PRIMARY KEY (tenant, scope, number, ordinal),
  FOREIGN KEY (tenant, scope, number) REFERENCES memories (tenant, scope, number)
);
CREATE INDEX memory_sources_conversation_idx ON memory_sources (tenant, conversation_uid, first_seq)
  WHERE conversation_uid IS NOT NULL;

CREATE TABLE memory_relations (
  tenant        text COLLATE "C" NOT NULL,
  scope         text COLLATE "C" NOT NULL,
  number        bigint NOT NULL,
  ordinal       integer NOT NULL,
  relation_type text NOT NULL,
  target_uid    text COLLATE "C" NOT NULL,          -- in any scope of the tenant
  PRIMARY KEY (tenant, scope, number, ordinal),
  FOREIGN KEY (tenant, scope, number) REFERENCES memories (tenant, scope, number)
);
CREATE INDEX memory_relations_target_idx ON memory_relations (tenant, target_uid) WHERE target_uid IS NOT NULL;

-- How often a memory was of use, apart from it, so that counting rewrites nothing else. No row: never yet.
CREATE TABLE memory_uses (
  tenant           text COLLATE "C" NOT NULL,
  scope            text COLLATE "C" NOT NULL,
  number           bigint NOT NULL,
  access_count     bigint NOT NULL DEFAULT 0,
  last_accessed_at timestamptz(3),
  injected_count   bigint NOT NULL DEFAULT 0,
  last_injected_at timestamptz(3),
  PRIMARY KEY (tenant, scope, number),
  FOREIGN KEY (tenant, scope, number) REFERENCES memories (tenant, scope, number)
);

-- What was done to a memory, and why; never its words.
CREATE TABLE memory_events (
  tenant   text COLLATE "C" NOT NULL,
  scope    text COLLATE "C" NOT NULL,
  number   bigint NOT NULL,
  event_id bigint GENERATED ALWAYS AS IDENTITY,
  at       timestamptz(3) NOT NULL,
  action   text NOT NULL,
  detail   text NOT NULL,
  PRIMARY KEY (tenant, scope, number, event_id)
);

-- What stages of capturing decided about candidates.
CREATE TABLE memory_decisions (
  tenant           text COLLATE "C" NOT NULL,
  decision_id      bigint GENERATED ALWAYS AS IDENTITY,
  scope            text COLLATE "C" NOT NULL,
  at               timestamptz(3) NOT NULL,
  agent            text COLLATE "C" NOT NULL,
  stage            text NOT NULL CHECK (stage IN ('extract', 'admit', 'dedup')),
  verdict          text NOT NULL,
  reason           text NOT NULL,
  detail           text NOT NULL,
  memory_uid       text COLLATE "C",
  conversation_uid text COLLATE "C",
  first_seq        bigint,
  last_seq         bigint,
  PRIMARY KEY (tenant, decision_id)
);
CREATE INDEX memory_decisions_conversation_idx ON memory_decisions (tenant, conversation_uid, decision_id)
  WHERE conversation_uid IS NOT NULL;
CREATE INDEX memory_decisions_memory_idx ON memory_decisions (tenant, memory_uid) WHERE memory_uid IS NOT NULL;

-- Up to which message a conversation was captured.
CREATE TABLE memory_captures (
  tenant           text COLLATE "C" NOT NULL,
  conversation_uid text COLLATE "C" NOT NULL,
  captured_to      bigint NOT NULL,
  at               timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant, conversation_uid)
);

-- Who made the vectors that follow, of memories or of messages. All vectors of a model have one length.
CREATE TABLE vector_models (
  tenant     text COLLATE "C" NOT NULL,
  model      text COLLATE "C" NOT NULL,
  dimensions integer NOT NULL,
  PRIMARY KEY (tenant, model)
);

-- Vectors of passages: a cache that can be dropped and made again.
CREATE TABLE memory_vectors (
  tenant  text COLLATE "C" NOT NULL,
  scope   text COLLATE "C" NOT NULL,
  number  bigint NOT NULL,
  model   text COLLATE "C" NOT NULL,
  passage integer NOT NULL,
  vector  bytea NOT NULL,                           -- 32-bit floats, little-endian
  PRIMARY KEY (tenant, scope, number, model, passage)
);
ALTER TABLE memory_vectors ALTER COLUMN vector SET STORAGE EXTERNAL;

-- The signs of each vector's components, in rows so narrow that all of them are read where there is no pgvector.
CREATE TABLE memory_vector_bits (
  tenant    text COLLATE "C" NOT NULL,
  scope     text COLLATE "C" NOT NULL,
  number    bigint NOT NULL,
  model     text COLLATE "C" NOT NULL,
  passage   integer NOT NULL,
  is_active boolean NOT NULL,                       -- the memory is in force
  bits      bit varying NOT NULL,
  change    bigint NOT NULL,                        -- the scope's `last_change` when this row was written
  PRIMARY KEY (tenant, scope, number, model, passage)
);
-- Whoever holds the signs of a scope reads only what has changed since. The condition holds for every row: it keeps a
-- server without statistics from taking this index where it looks for one row.
CREATE INDEX memory_vector_bits_change ON memory_vector_bits (tenant, scope, model, change) WHERE change >= 0;

-- Vectors of what was said, as those of memories: a cache that can be dropped and made again.
CREATE TABLE message_vectors (
  tenant          text COLLATE "C" NOT NULL,
  conversation_id bigint NOT NULL,
  seq             bigint NOT NULL,
  model           text COLLATE "C" NOT NULL,
  passage         integer NOT NULL,
  vector          bytea NOT NULL,
  PRIMARY KEY (tenant, conversation_id, seq, model, passage),
  FOREIGN KEY (tenant, conversation_id) REFERENCES conversations (tenant, conversation_id)
);
ALTER TABLE message_vectors ALTER COLUMN vector SET STORAGE EXTERNAL;

CREATE TABLE message_vector_bits (
  tenant          text COLLATE "C" NOT NULL,
  conversation_id bigint NOT NULL,
  seq             bigint NOT NULL,
  model           text COLLATE "C" NOT NULL,
  passage         integer NOT NULL,
  bits            bit varying NOT NULL,
  PRIMARY KEY (tenant, conversation_id, seq, model, passage),
  FOREIGN KEY (tenant, conversation_id) REFERENCES conversations (tenant, conversation_id)
);

-- Up to which message the words of a conversation were made into vectors of a model.
CREATE TABLE vector_progress (
  tenant          text COLLATE "C" NOT NULL,
  conversation_id bigint NOT NULL,
  model           text COLLATE "C" NOT NULL,
  embedded_seq    bigint NOT NULL,
  PRIMARY KEY (tenant, conversation_id, model),
  FOREIGN KEY (tenant, conversation_id) REFERENCES conversations (tenant, conversation_id)
);

-- The floats of a vector. Indexes of pgvector are made over them once the server has it, so nothing is kept twice.
CREATE FUNCTION vector_floats(vector bytea) RETURNS real[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_agg((sign * CASE WHEN exponent = 0 THEN mantissa * 2.0::float8 ^ -149
      ELSE (mantissa + 8388608) * 2.0::float8 ^ (exponent - 150) END)::real ORDER BY place)
  FROM generate_series(0, octet_length(vector) - 4, 4) AS place
  CROSS JOIN LATERAL (SELECT get_byte(vector, place + 3) AS high, get_byte(vector, place + 2) AS middle) AS top
  CROSS JOIN LATERAL (SELECT CASE WHEN high < 128 THEN 1 ELSE -1 END AS sign,
    (high & 127) * 2 + (middle >> 7) AS exponent,
    (middle & 127) * 65536 + get_byte(vector, place + 1) * 256 + get_byte(vector, place) AS mantissa) AS parts
$$;

-- The word index of memories: a cache. A segment holds the run of numbers from first to last of one scope.
CREATE TABLE memory_segments (
  tenant     text COLLATE "C" NOT NULL,
  segment_id bigint GENERATED ALWAYS AS IDENTITY,
  scope      text COLLATE "C" NOT NULL,
  first      bigint NOT NULL,
  last       bigint NOT NULL,
  content    bytea NOT NULL,
  PRIMARY KEY (tenant, segment_id)
);
ALTER TABLE memory_segments ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX memory_segments_run_idx ON memory_segments (tenant, scope, first) WHERE first IS NOT NULL;
