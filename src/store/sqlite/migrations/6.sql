-- What a memory's first line tells, as a key: the same is found without looking through all. Filled by fill-older-rows.ts.
ALTER TABLE memories ADD COLUMN gist BLOB NOT NULL DEFAULT x'';
CREATE INDEX memories_gist_idx ON memories (scope_id, gist)
  WHERE invalidated_at IS NULL AND archived_at IS NULL AND erased_at IS NULL;
