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

-- The first payload of a message whose content is kept without its payloads.
ALTER TABLE messages ADD COLUMN large_content text COLLATE "C";
-- Tokens when results of tools are shown as stubs; NULL when there are none.
ALTER TABLE messages ADD COLUMN stub_token_count integer;
ALTER TABLE messages ADD FOREIGN KEY (tenant, large_content) REFERENCES large_files (tenant, file_id);
-- Whether a message still points to a file that is about to go.
CREATE INDEX messages_large_idx ON messages (tenant, large_content) WHERE large_content IS NOT NULL;
ALTER TABLE context_items ADD COLUMN stub_token_count integer;
ALTER TABLE conversations ADD COLUMN context_stub_tokens bigint NOT NULL DEFAULT 0;
UPDATE conversations SET context_stub_tokens = context_tokens;
