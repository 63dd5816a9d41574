-- Words are folded further: ß as ss, ς as σ. The search index is made again from the texts.
DELETE FROM search_pages;
DELETE FROM search_runs;
DELETE FROM search_progress;
DELETE FROM search_segments;
