/** The sources of memories, messages and other memories, and whether they are erased or deleted. */
import { isMadeFrom, type MemoryRelation, type MemorySource } from "../../memory-types.ts";
import type { Port, Reader } from "../port.ts";
import { rowList } from "../row-list.ts";
import { type Dialect, statement } from "../statement.ts";
import { MADE_FROM } from "./memories.ts";
import { END } from "./pages.ts";

/** Whether a run of messages that a row of `table` names contains an erased one. An unknown run may contain any message. */
export function holdsErased(d: Dialect, table: string): string {
  const [first, last] = [`coalesce(${table}.first_seq, 0)`, `coalesce(${table}.last_seq, ${END})`];
  const erased = d.join(
    "context_exclusions",
    "x",
    `${d.messages("x", first, last, "c.conversation_id")} AND x.reason = 'erased'`,
  );
  return `EXISTS (SELECT 1 FROM conversations c ${erased}
    WHERE c.tenant = $1 AND c.uid = ${table}.conversation_uid)`;
}

const deleted = (conversation: string) =>
  `EXISTS (SELECT 1 FROM audit_log WHERE tenant = $1 AND conversation_uid = ${conversation})
    AND NOT EXISTS (SELECT 1 FROM conversations WHERE tenant = $1 AND uid = ${conversation})`;

interface Obstacles {
  readonly messageErased: boolean;
  readonly memoryErased: boolean;
  /** A deleted conversation. A deletion leaves only its record. */
  readonly deleted: string | null;
}

const OBSTACLES = statement((d) => {
  const made = d.rows("$3", "made", { conversation_uid: "text", first_seq: "bigint", last_seq: "bigint" });
  return `SELECT EXISTS (SELECT 1 FROM ${made} WHERE ${holdsErased(d, "made")}) AS "messageErased",
    EXISTS (SELECT 1 FROM memories m WHERE ${d.sameTenant("m")} AND ${d.isListed("m.uid", "$2", "text")}
      AND m.erased_at IS NOT NULL) AS "memoryErased",
    (SELECT min(made.conversation_uid) FROM ${made} WHERE ${deleted("made.conversation_uid")}) AS deleted`;
});

/** The reasons against making memories from these sources. */
export async function findObstacles(
  reader: Reader,
  tenant: string,
  sources: readonly MemorySource[],
  relations: readonly MemoryRelation[],
): Promise<Obstacles | undefined> {
  const origins = sources.filter(({ kind }) => kind === "origin");
  const targets = relations.filter(isMadeFrom).map(({ target }) => target);
  if (origins.length + targets.length === 0) return undefined;
  const made = rowList(
    origins,
    ({ conversation }) => conversation,
    ({ firstSeq }) => firstSeq,
    ({ lastSeq }) => lastSeq,
  );
  return reader.one<Obstacles>(OBSTACLES, tenant, targets, made);
}

const DELETED = statement(() => `SELECT 1 AS found WHERE ${deleted("$2")}`);

export async function isDeleted(reader: Reader, tenant: string, conversation: string): Promise<boolean> {
  return (await reader.one(DELETED, tenant, conversation)) !== undefined;
}

/** With the time of its last change, since no row here has the time of its erasure. */
const RETOLD = statement((d) => {
  const target = d.join(
    "memories",
    "target",
    `${d.sameTenant("target")} AND target.uid = r.target_uid AND target.erased_at IS NOT NULL`,
  );
  return `SELECT m.uid AS id, m.updated_at AS at FROM memory_relations r ${target}
      ${d.join("memories", "m", d.sameMemory("m", "r"))}
    WHERE ${d.inScopes("r")} AND r.relation_type IN ${MADE_FROM} AND m.erased_at IS NULL
    UNION SELECT m.uid, m.updated_at FROM memory_sources o ${d.join("memories", "m", d.sameMemory("m", "o"))}
    WHERE ${d.inScopes("o")} AND o.kind = 'origin' AND m.erased_at IS NULL AND ${holdsErased(d, "o")}`;
});

/** Memories with text that were made from sources erased here. */
export function madeFromErased(port: Port, tenant: string): Promise<{ id: string; at: string }[]> {
  return port.rows<{ id: string; at: string }>(RETOLD, tenant);
}
