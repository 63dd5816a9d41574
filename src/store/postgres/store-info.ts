/** Reads facts about the whole store for its operator. */
import type { Scope } from "../../types.ts";
import { SCHEMA_VERSION } from "../migrations.ts";
import type { StoreCounts, StoreInfo } from "../store.ts";
import type { Session } from "./session.ts";

export function readScopes(session: Session): Promise<Scope[]> {
  return session.rows<{ tenant: string; agent: string }>(
    "SELECT tenant, agent FROM conversations UNION SELECT tenant, agent FROM audit_log ORDER BY tenant, agent",
  );
}

export async function readTenants(session: Session): Promise<string[]> {
  const rows = await session.rows<{ tenant: string }>(
    `SELECT tenant FROM conversations UNION SELECT tenant FROM audit_log
     UNION SELECT tenant FROM memory_scopes s
       WHERE EXISTS (SELECT FROM memories m WHERE m.tenant = s.tenant AND m.scope = s.scope)
     ORDER BY tenant`,
  );
  return rows.map(({ tenant }) => tenant);
}

type Counts = StoreCounts & { readonly version: string; readonly bytes: number };

const DURABILITY_SETTINGS = ["fsync", "synchronous_commit", "full_page_writes", "data_checksums"];

export async function readInfo(session: Session, location: string): Promise<StoreInfo> {
  const [found, settings] = await Promise.all([
    session.one<Counts>(
      `SELECT current_setting('server_version') AS version, c.*, (SELECT count(*) FROM summaries) AS summaries,
         (SELECT count(*) FROM memories) AS memories,
         (SELECT count(*) FROM message_vector_bits) AS "messageVectors",
         (SELECT count(*) FROM transcript_lines WHERE kind IN ('unreadable', 'torn')) AS "unreadableLines",
         (SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class
          WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r') AS bytes
       FROM (
         SELECT count(*) AS conversations, coalesce(sum(last_seq), 0) AS messages,
           coalesce(sum(token_count), 0) AS tokens, coalesce(sum(context_tokens), 0) AS "contextTokens"
         FROM conversations) c`,
    ),
    session.rows<{ name: string; value: string }>(
      "SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name",
      DURABILITY_SETTINGS,
    ),
  ]);
  if (found === undefined) throw new Error("counting gave no row");
  const { version: engineVersion, bytes: bytesOnDisk, ...counts } = found;
  return {
    engine: "postgres",
    location,
    engineVersion,
    schemaVersion: SCHEMA_VERSION,
    bytesOnDisk,
    ...counts,
    durability: Object.fromEntries(settings.map(({ name, value }) => [name, value])),
  };
}
