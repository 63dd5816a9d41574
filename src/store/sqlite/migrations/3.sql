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

-- The first payload of a message whose content is kept without its payloads.
ALTER TABLE messages ADD COLUMN large_content TEXT REFERENCES large_files (file_id);
-- Tokens when results of tools are shown as stubs; NULL when there are none.
ALTER TABLE messages ADD COLUMN stub_token_count INTEGER;
ALTER TABLE context_items ADD COLUMN stub_token_count INTEGER;
ALTER TABLE conversations ADD COLUMN context_stub_tokens INTEGER NOT NULL DEFAULT 0;
UPDATE conversations SET context_stub_tokens = context_tokens;
