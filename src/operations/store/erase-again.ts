/**
 * Repeats erasures after restoring an older backup: the certificates are kept, and the data that
 * they name is erased again.
 */
import { type Engine, internalsOf } from "../../engine.ts";
import { everyRow } from "../../store/every-row.ts";
import { EVERY_SCOPE } from "../../store/memory-store.ts";
import { readCertificate } from "../../store/rules/certificate.ts";
import type { AuditRecord, DumpRow, ScopedStore, Store } from "../../store/store.ts";
import { messageId } from "../../text/identifiers.ts";
import type { Scope } from "../../types.ts";

type AuditRow = Extract<DumpRow, { row: "audit" }>;

export async function certificatesIn(store: Store): Promise<readonly AuditRow[]> {
  const records: AuditRow[] = [];
  for (const scope of await store.scopes())
    for await (const record of everyRow((from) => store.scoped(scope).auditLog({ from })))
      if (readCertificate(record) !== null) records.push({ row: "audit", ...scope, ...record });
  return records;
}

interface BroughtBack {
  /** Ids of erased messages and memories that the file contains. */
  readonly erased: readonly string[];
  /** Deleted conversations that the file contains. */
  readonly deleted: readonly string[];
}

/** Finds data in a restored store that these certificates list as erased. */
export async function findBroughtBack(
  engine: Engine,
  certificates: readonly AuditRow[],
  { eraseAgain }: { readonly eraseAgain: boolean },
): Promise<BroughtBack> {
  const erased: string[] = [];
  const deleted: string[] = [];
  for (const record of certificates) {
    const { action, conversation } = record;
    const scoped = scopedTo(engine, record);
    const found = conversation === null ? undefined : await scoped.conversation({ id: conversation });
    if (action === "delete-conversation" && found !== undefined) deleted.push(found.id);
    const seqs = found === undefined ? [] : await seqsWithContent(scoped, record);
    const memories = await memoriesWithWords(engine, record);
    if (eraseAgain) await erase(engine, record, seqs, memories);
    erased.push(...seqs.map((seq) => messageId(conversation ?? "", seq)), ...memories);
  }
  return { erased: [...new Set(erased)], deleted: [...new Set(deleted)] };
}

function scopedTo({ store }: Engine, { tenant, agent }: Scope): ScopedStore {
  return store.scoped({ tenant, agent });
}

/** The digest shows whether it is the same message, since another one may have its number now. */
async function seqsWithContent(scoped: ScopedStore, record: AuditRecord): Promise<number[]> {
  const seqs: number[] = [];
  for (const [seq, digest] of readCertificate(record)?.erased ?? []) {
    const page = await scoped.messages(record.conversation ?? "", {
      from: seq,
      to: seq,
      withoutContent: true,
    });
    const [message] = page.rows;
    if (message !== undefined && message.erasedAt === null && message.digest === digest) seqs.push(seq);
  }
  return seqs;
}

async function memoriesWithWords(engine: Engine, record: AuditRow): Promise<string[]> {
  const { memories } = JSON.parse(record.detail);
  return stillThere(engine, record.tenant, Array.isArray(memories) ? memories.map(String) : []);
}

async function erase(
  engine: Engine,
  { tenant, agent, conversation }: AuditRow,
  seqs: readonly number[],
  memories: readonly string[],
): Promise<void> {
  const reason = "it had been erased before a backup was restored";
  const context = engine.contextOf({ tenant, agent });
  for (const [from, to] of runsOf(seqs))
    await context.erase({ conversation: conversation ?? "", from, to, reason });
  const memory = internalsOf(engine).everyMemoryOf({ tenant, agent });
  // Data derived from an erased message was erased with it.
  for (const id of await stillThere(engine, tenant, memories))
    await memory.forget({ id, erase: true, reason });
}

async function stillThere({ store }: Engine, tenant: string, ids: readonly string[]): Promise<string[]> {
  const scoped = store.memoriesOf({ tenant, scopes: EVERY_SCOPE });
  const found: string[] = [];
  for (const id of ids) if ((await scoped.memory(id))?.erasedAt === null) found.push(id);
  return found;
}

/** Runs of consecutive numbers. */
function runsOf(seqs: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const seq of seqs.toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === seq - 1) run[1] = seq;
    else runs.push([seq, seq]);
  }
  return runs;
}
