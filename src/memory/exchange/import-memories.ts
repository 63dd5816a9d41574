/**
 * Imports memories from a file, through the same path as other writes: known memories do not change, a newer value of a fact
 * replaces the old one, and entries that cannot be imported are reported with their line. Each batch is stored
 * atomically and ids are stable, so repeating the import resumes where it stopped.
 */
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import type { MemoryWrite } from "../../store/memory-store.ts";
import { isoTime } from "../../text/timestamps.ts";
import { isStorableText, NOT_STORABLE } from "../../text/utf8.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import { planAgain } from "../plan-again.ts";
import type { ImportedMemory, ReadItem } from "./imported-memory.ts";
import { planImport, type Step } from "./plan-import.ts";
import { settleVersions } from "./settle-versions.ts";

export interface ImportOptions {
  /** The scope of all imported memories. Default: the scope in the file, else the one that this agent writes to. */
  readonly scope?: string;
  /** Only report what would be done. Default false. */
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

export interface ImportReport {
  readonly dryRun: boolean;
  /** Number of new memories. */
  readonly created: number;
  /** Number of imported memories that replaced a current memory of this store. */
  readonly superseded: number;
  readonly alreadyThere: number;
  readonly passedOver: readonly ImportProblem[];
  /** Corrections for consistency, and parts of single memories that cannot be stored. */
  readonly changes: readonly string[];
}

interface ImportProblem {
  readonly line: number;
  /** Its position in the line, from 1, if the line has several. */
  readonly row?: number;
  readonly reason: string;
}

export interface ImportUse extends Pick<MemoryDependencies, "store" | "clock" | "readSaid"> {
  /** The scope when neither the file nor the caller names one. */
  readonly defaultScope: string;
}

const BATCH = 128;

export async function importMemories(
  items: AsyncIterable<ReadItem>,
  options: ImportOptions,
  use: ImportUse,
): Promise<ImportReport> {
  const problems: { readonly place: Place; readonly reason: string }[] = [];
  const places = new Map<string, Place>();
  const rows = new Map<number, number>();
  const read: ImportedMemory[] = [];
  for await (const item of items) {
    stopIfAborted(options.signal);
    requireItem(item);
    const place = { line: item.line, row: (rows.get(item.line) ?? 0) + 1 };
    rows.set(place.line, place.row);
    const problem = "problem" in item ? item.problem : unstorableField(item.memory);
    if (problem !== null) problems.push({ place, reason: problem });
    else if ("memory" in item) {
      places.set(item.memory.id, place);
      read.push(placed(item.memory, options.scope ?? use.defaultScope, options.scope !== undefined));
    }
  }
  const { memories, changes } = settleVersions(read, isoTime(use.clock()));
  const steps = await storeAll(memories, options, use);
  const told = steps.flatMap((step) =>
    step.kind === "passed-over"
      ? [{ place: places.get(step.id) ?? { line: 0, row: 1 }, reason: step.reason }]
      : [],
  );
  return {
    dryRun: options.dryRun === true,
    created: amount(steps, "created"),
    superseded: amount(steps, "superseded"),
    alreadyThere: amount(steps, "already-there"),
    passedOver: [...problems, ...told]
      .toSorted(({ place: a }, { place: b }) => a.line - b.line || a.row - b.row)
      .map(({ place: { line, row }, reason }) => ({
        line,
        ...((rows.get(line) ?? 1) > 1 ? { row } : {}),
        reason,
      })),
    changes: [...changes, ...memories.flatMap(notTaken)],
  };
}

function requireItem(item: ReadItem): void {
  if (typeof item === "object" && item !== null && ("problem" in item || isMemory(item.memory))) return;
  throw new PalimpsestError("invalid-input", "exchange.import: an item is not one that a reader returns", {
    advice: "An item has its line, and either a memory with its id and text or a problem.",
  });
}

function isMemory(memory: unknown): boolean {
  return typeof memory === "object" && memory !== null && "id" in memory && "abstract" in memory;
}

/** The first field that a store could not return unchanged. */
function unstorableField({ abstract, overview, content, factKey, speaker, tags }: ImportedMemory) {
  const fields = Object.entries({ abstract, overview, content, factKey, speaker, tags: tags.join("") });
  const odd = fields.find(([, text]) => text !== null && !isStorableText(text));
  return odd === undefined ? null : `${odd[0]} ${NOT_STORABLE}`;
}

interface Place {
  readonly line: number;
  readonly row: number;
}

/** A chosen scope applies to all of them. */
function placed(memory: ImportedMemory, scope: string, isChosen: boolean): ImportedMemory {
  return { ...memory, scope: isChosen ? scope : (memory.scope ?? scope) };
}

function notTaken({ id, notTaken: left }: ImportedMemory): string[] {
  return left.length === 0 ? [] : [`${id}: not imported: ${left.join(", ")}`];
}

function amount(steps: readonly Step[], kind: Step["kind"]): number {
  return steps.filter((step) => step.kind === kind).length;
}

async function storeAll(
  memories: readonly ImportedMemory[],
  options: ImportOptions,
  use: ImportUse,
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  const among = new Map(memories.map((memory) => [memory.id, memory]));
  const planned = new Map<string, string>();
  for (let start = 0; start < memories.length; start += BATCH) {
    stopIfAborted(options.signal);
    const batch = memories.slice(start, start + BATCH);
    steps.push(...(await storeBatch(batch, { among, planned, isDry: options.dryRun === true }, use)));
    options.onProgress?.({ done: steps.length, total: memories.length });
  }
  return steps;
}

interface Surroundings {
  /** All memories of the file, by id. */
  readonly among: ReadonlyMap<string, ImportedMemory>;
  /** The current memory of a key as planned by this import, by scope and key. */
  readonly planned: Map<string, string>;
  readonly isDry: boolean;
}

/** All in one commit; if one of them is refused, one by one, so that the others are imported. */
async function storeBatch(
  batch: readonly ImportedMemory[],
  around: Surroundings,
  use: ImportUse,
): Promise<readonly Step[]> {
  try {
    return await planAgain(async () => commitSteps(await planImport(batch, around, use), around, use));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (batch.length === 1)
      return batch.map(({ id }) => ({ kind: "passed-over", id, reason: error.message }));
    const steps: Step[] = [];
    for (const memory of batch) steps.push(...(await storeBatch([memory], around, use)));
    return steps;
  }
}

async function commitSteps(steps: readonly Step[], { isDry, planned }: Surroundings, { store }: ImportUse) {
  const writes = steps.flatMap((step): readonly MemoryWrite[] => ("writes" in step ? step.writes : []));
  if (!isDry && writes.length > 0) await store.commit(usesLast(writes));
  for (const step of steps) if ("key" in step && step.key !== null) planned.set(step.key, step.id);
  return steps;
}

/** Use counts are written last, together. */
function usesLast(writes: readonly MemoryWrite[]): readonly MemoryWrite[] {
  const isUse = ({ kind }: MemoryWrite) => kind === "use";
  return [...writes.filter((write) => !isUse(write)), ...writes.filter(isUse)];
}

function isRefusal(error: unknown): error is PalimpsestError {
  return (["conflict", "not-found", "invalid-input", "busy"] as const).some((code) =>
    isPalimpsestError(error, code),
  );
}

function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new PalimpsestError("cancelled", "the import was cancelled");
}
