/**
 * Changes a memory. New words create a new version: the old one is kept as superseded.
 * Metadata, such as the importance, changes in place and is recorded as an event.
 */
import { PalimpsestError } from "../../errors.ts";
import { type Memory, stateOf } from "../../memory-types.ts";
import type { NewMemory, ReviseWrite, StoredMemory } from "../../store/memory-store.ts";
import { requireGiven } from "../../text/given.ts";
import { newMemoryId } from "../../text/identifiers.ts";
import { isoTime, normaliseTimestamp } from "../../text/timestamps.ts";
import { readTemporal } from "../capture/temporal-type.ts";
import { ofMerged } from "../dedup/writes-of.ts";
import { tryToEmbed } from "../embed-memories.ts";
import { type UpdateInput, updateInput } from "../inputs.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import { planAgain } from "../plan-again.ts";
import { requireMemory } from "../require-memory.ts";
import { requireEndAfterStart } from "./require-latest.ts";

export interface UpdateOutcome {
  /** `version`: new words with a new id. `revised`: the same memory. */
  readonly action: "version" | "revised";
  readonly memory: Memory;
  /** The id of the replaced memory; null when it is the same memory. */
  readonly replaced: string | null;
  /** Ids of the memories that were merged into it. */
  readonly merged: readonly string[];
}

export async function updateMemory(given: UpdateInput, use: MemoryDependencies): Promise<UpdateOutcome> {
  const input = requireGiven("memory_update", updateInput, given);
  if (Object.keys(input).length === 1)
    throw new PalimpsestError("invalid-input", "nothing to change", {
      advice:
        "Pass at least one of `text`, `overview`, `content`, `category`, `importance`, `tags`, `validUntil`, `restore` and `merge`.",
    });
  return planAgain(async () => {
    const memory = await requireMemory(use.store, input.id);
    await requireChangeable(memory, input, use);
    await requireKeyFree(memory, use);
    const others = await toMerge(memory, input, use);
    return others.length > 0 || changesWords(memory, input)
      ? newVersion(memory, others, input, use)
      : revise(memory, input, use);
  });
}

/** Merged memories must be current and in the same scope. */
async function toMerge(
  { id, scope }: StoredMemory,
  { merge = [] }: UpdateInput,
  { store }: Pick<MemoryDependencies, "store">,
): Promise<readonly StoredMemory[]> {
  const others = new Map<string, StoredMemory>();
  for (const given of merge) {
    const other = await requireMemory(store, given);
    await requireChangeable(other, { id: given }, { store });
    if (other.id === id) throw refusedMerge(`${id} cannot be merged with itself`, "Pass other memories.");
    if (other.scope !== scope)
      throw refusedMerge(
        `${other.id} is in the scope ${other.scope}, and ${id} in ${scope}`,
        "Merge only memories of one scope, so that access does not change.",
      );
    others.set(other.id, other);
  }
  return [...others.values()];
}

function refusedMerge(message: string, advice: string): PalimpsestError {
  return new PalimpsestError("invalid-input", message, { advice });
}

function changesWords(memory: Memory, { text, overview, content }: UpdateInput): boolean {
  const changed = { abstract: text, overview, content };
  return (["abstract", "overview", "content"] as const).some(
    (level) => changed[level] !== undefined && changed[level] !== memory[level],
  );
}

async function newVersion(
  memory: StoredMemory,
  others: readonly StoredMemory[],
  input: UpdateInput,
  use: MemoryDependencies,
): Promise<UpdateOutcome> {
  const draft = withOthers(versionOf(memory, input, use), memory, others, input);
  const merged = others.map(({ id }) => id);
  if (input.validUntil !== undefined) requireEndAfterStart(draft.validFrom, draft.validUntil);
  const [vectors] = (await tryToEmbed([draft], use)) ?? [];
  const results = await use.store.commit([
    // Only a current memory can be replaced.
    ...(memory.archivedAt === null ? [] : [reviseWrite(memory, { id: memory.id, restore: true }, use)]),
    {
      kind: "remember",
      memory: draft,
      supersedes: [memory.id, ...merged],
      detail: JSON.stringify({
        reason: merged.length === 0 ? "its text was changed on request" : "merged on request",
      }),
      ...(vectors === undefined ? {} : { vectors }),
    },
  ]);
  const result = results.at(-1);
  if (result?.kind !== "remember") throw new Error("the store confirmed a different write");
  return { action: "version", memory: result.memory, replaced: memory.id, merged };
}

/** Without a new text, the texts of the others are appended to the content. */
function withOthers(
  draft: NewMemory,
  memory: StoredMemory,
  others: readonly StoredMemory[],
  { text, content, importance, tags }: UpdateInput,
): NewMemory {
  if (others.length === 0) return draft;
  const texts = [draft, ...others].map((one) => one.content || one.abstract);
  const isWritten = text !== undefined || content !== undefined;
  return {
    ...draft,
    ...(isWritten ? {} : { content: [...new Set(texts)].join("\n") }),
    ...ofMerged([memory, ...others]),
    ...(importance === undefined ? {} : { importance }),
    ...(tags === undefined ? {} : { tags }),
  };
}

function versionOf(
  memory: StoredMemory,
  input: UpdateInput,
  { clock, random }: MemoryDependencies,
): NewMemory {
  const createdAt = isoTime(clock());
  const abstract = input.text ?? memory.abstract;
  const { validUntil } = input.text === undefined ? memory : readTemporal(abstract, clock());
  return {
    id: newMemoryId(random),
    scope: memory.scope,
    category: input.category ?? memory.category,
    tier: memory.tier,
    abstract,
    overview: input.overview ?? memory.overview,
    content: input.content ?? memory.content,
    importance: input.importance ?? memory.importance,
    confidence: memory.confidence,
    temporalType: memory.temporalType,
    factKey: memory.factKey,
    tags: input.tags ?? memory.tags,
    support: memory.support,
    relations: [...memory.relations, { type: "edited-from", target: memory.id }],
    sources: memory.sources,
    origin: "manual",
    speaker: memory.speaker,
    createdAt,
    validFrom: createdAt,
    validUntil: untilOf(input, validUntil),
  };
}

/** Undefined keeps the value, null removes it. */
function untilOf({ validUntil }: UpdateInput, otherwise: string | null): string | null {
  return validUntil === undefined ? otherwise : (normaliseTimestamp(validUntil) ?? null);
}

async function revise(
  memory: StoredMemory,
  input: UpdateInput,
  use: MemoryDependencies,
): Promise<UpdateOutcome> {
  requireEndAfterStart(memory.validFrom, untilOf(input, null));
  const write = reviseWrite(memory, input, use);
  if (Object.keys(write.changes).length === 0)
    return { action: "revised", memory, replaced: null, merged: [] };
  const [result] = await use.store.commit([write]);
  if (result?.kind !== "revise") throw new Error("the store confirmed a different write");
  return { action: "revised", memory: result.memory, replaced: null, merged: [] };
}

function reviseWrite(
  { id, updatedAt, archivedAt }: StoredMemory,
  input: UpdateInput,
  { clock }: Pick<MemoryDependencies, "clock">,
): ReviseWrite {
  const { category, importance, tags, validUntil, restore } = input;
  const comesBack = restore === true && archivedAt !== null;
  const changes: ReviseWrite["changes"] = {
    ...(category === undefined ? {} : { category }),
    ...(importance === undefined ? {} : { importance }),
    ...(tags === undefined ? {} : { tags }),
    ...(validUntil === undefined ? {} : { validUntil: untilOf(input, null) }),
    ...(comesBack ? { archivedAt: null, archivedReason: null } : {}),
  };
  const event = {
    at: isoTime(clock()),
    action: comesBack ? ("restored" as const) : ("revised" as const),
    detail: JSON.stringify({ changed: Object.keys(changes) }),
  };
  return { kind: "revise", id, changes, unchangedSince: updatedAt, event };
}

async function requireChangeable(
  memory: StoredMemory,
  { restore }: UpdateInput,
  { store }: Pick<MemoryDependencies, "store">,
): Promise<void> {
  const state = stateOf(memory);
  if (state === "active" || (state === "archived" && restore === true)) return;
  const next = memory.supersededBy === null ? undefined : await store.memory(memory.supersededBy);
  const advice = {
    superseded:
      next?.erasedAt === null
        ? `${next.id} is active instead: change that one.`
        : "Its replacement was erased. Store it again if it is still valid.",
    archived: "It is archived: restore it first with `restore`.",
    erased: "Its text was permanently erased. Store it again.",
  }[state];
  throw new PalimpsestError("conflict", `${memory.id} is not active`, { advice });
}

/** An archived memory is restored only if no other one took its key meanwhile. */
async function requireKeyFree(
  { id, scope, factKey, archivedAt }: StoredMemory,
  { store }: Pick<MemoryDependencies, "store">,
): Promise<void> {
  if (archivedAt === null || factKey === null) return;
  const [holder] = (await store.memories({ factKey, scopes: [scope], limit: 1 })).rows;
  if (holder !== undefined)
    throw new PalimpsestError("conflict", `${holder.id} is the current value of ${factKey}`, {
      advice: `Forget ${holder.id} first, or change it instead of restoring ${id}.`,
    });
}
