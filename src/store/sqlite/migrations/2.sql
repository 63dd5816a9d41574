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
