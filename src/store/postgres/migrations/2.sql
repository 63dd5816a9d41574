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
