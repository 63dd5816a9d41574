-- What a memory's first line tells, as a key: the same is found without looking through all. Filled by fill-older-rows.ts.
ALTER TABLE memories ADD COLUMN gist bytea NOT NULL DEFAULT '';
CREATE INDEX memories_gist_idx ON memories (tenant, scope, gist)
  WHERE gist > '' AND invalidated_at IS NULL AND archived_at IS NULL AND erased_at IS NULL;
