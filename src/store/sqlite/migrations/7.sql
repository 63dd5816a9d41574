-- What a summary says, as a hash: another text in its place is noticed. Filled by fill-older-rows.ts.
ALTER TABLE summaries ADD COLUMN content_hash BLOB;
