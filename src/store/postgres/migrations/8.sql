-- Which vectors of a scope have changed since somebody looked: whoever holds their signs reads only these.
ALTER TABLE memory_scopes ADD COLUMN last_change bigint NOT NULL DEFAULT 0;
ALTER TABLE memory_vector_bits ADD COLUMN change bigint NOT NULL DEFAULT 0;
-- A process of an earlier version that is still open cannot count: what it writes is refused, and not overlooked.
ALTER TABLE memory_vector_bits ALTER COLUMN change DROP DEFAULT;
-- The condition holds for every row: it keeps a server without statistics from taking this index where it looks for one.
CREATE INDEX memory_vector_bits_change ON memory_vector_bits (tenant, scope, model, change) WHERE change >= 0;
