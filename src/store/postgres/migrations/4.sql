-- Long-term memory. Scopes say who may see a memory, and are locked by whoever writes into them: numbers are given
-- out under that lock.
CREATE TABLE memory_scopes (
  tenant      text COLLATE "C" NOT NULL,
  scope       text COLLATE "C" NOT NULL,
  last_number bigint NOT NULL DEFAULT 0,            -- highest number given out
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
  PRIMARY KEY (tenant, scope, number)
);
CREATE UNIQUE INDEX memories_uid_idx ON memories (tenant, uid) WHERE uid IS NOT NULL;
-- Of one fact at most one memory of a scope is in force, however many processes write.
CREATE UNIQUE INDEX memories_fact_idx ON memories (tenant, scope, fact_key)
  WHERE fact_key IS NOT NULL AND invalidated_at IS NULL AND archived_at IS NULL AND erased_at IS NULL;
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
  PRIMARY KEY (tenant, scope, number, model, passage)
);

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

-- A conversation that is on record here and nowhere else was deleted: nothing is captured from it any more.
CREATE INDEX audit_log_conversation_idx ON audit_log (tenant, conversation_uid) WHERE conversation_uid IS NOT NULL;
