/** Erased entries of hosts, by salted digests: a later entry with one of the identifiers is stored as erased. */
import type { Scope } from "../../types.ts";
import { insertInto } from "../insert.ts";
import type { Port, Reader } from "../port.ts";
import { statement } from "../statement.ts";

interface ErasedKey {
  readonly digest: string;
  readonly conversation: string;
  readonly seq: number;
}

/** The first salt of a scope, as a part of a statement; null if nothing was erased. */
export function firstSalt(tenant: string, agent: string): string {
  return `(SELECT min(salt) FROM erased_keys WHERE tenant = ${tenant} AND agent = ${agent})`;
}

const NEXT_SALT = statement(
  () => "SELECT min(salt) AS salt FROM erased_keys WHERE tenant = $1 AND agent = $2 AND salt > $3",
);

/**
 * A store has one salt for each scope, and the salts of stores that were loaded into it. Each costs one lookup. `after` is a
 * known salt.
 */
export async function readSalts(reader: Reader, { tenant, agent }: Scope, after = ""): Promise<string[]> {
  const salts: string[] = [];
  for (let last = after; ; ) {
    const found = await reader.one<{ salt: string | null }>(NEXT_SALT, tenant, agent, last);
    if (found === undefined || found.salt === null) return salts;
    last = found.salt;
    salts.push(last);
  }
}

const FIND = statement(
  (d) => `SELECT k.digest, k.conversation_uid AS conversation, k.seq FROM erased_keys k
    WHERE k.tenant = $1 AND k.agent = $2 AND k.salt = $3 AND ${d.isListed("k.digest", "$4", "text")}`,
);

export function findErasedKeys(
  reader: Reader,
  { tenant, agent }: Scope,
  salt: string,
  digests: readonly string[],
): Promise<ErasedKey[]> {
  return reader.rows<ErasedKey>(FIND, tenant, agent, salt, digests);
}

const INSERT = insertInto(
  "erased_keys",
  { agent: "text", salt: "text", digest: "text", conversation_uid: "text", seq: "integer" },
  { owner: "tenant", onConflict: () => "ON CONFLICT DO NOTHING" },
);

export function insertErasedKeys(
  port: Port,
  { tenant, agent }: Scope,
  salt: string,
  keys: readonly ErasedKey[],
): void {
  if (keys.length === 0) return;
  port.insert(
    INSERT,
    [tenant],
    keys.map(({ digest, conversation, seq }) => ({
      agent,
      salt,
      digest,
      conversation_uid: conversation,
      seq,
    })),
  );
}
