/**
 * Forgets a memory in one of two ways, and reports which. By default it is archived: it is no longer recalled and can
 * be restored. With `erase` its text is removed permanently, with everything derived from it.
 */
import { PalimpsestError } from "../../errors.ts";
import { isMadeFrom, type Memory, stateOf } from "../../memory-types.ts";
import { termsOf } from "../../search/terms.ts";
import type { StoredMemory } from "../../store/memory-store.ts";
import { NOTHING_ERASED } from "../../store/rules/freed-by-erasure.ts";
import { requireGiven } from "../../text/given.ts";
import { isFunctionWord } from "../../text/language/function-words.ts";
import { stemOf } from "../../text/language/stem.ts";
import { collapseSpaces } from "../../text/spaces.ts";
import { isoTime } from "../../text/timestamps.ts";
import { type ForgetInput, forgetInput } from "../inputs.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import { planAgain } from "../plan-again.ts";
import { requireMemory } from "../require-memory.ts";

export interface ForgetOutcome {
  /** `candidates`: the query was ambiguous, and nothing happened. */
  readonly action: "archived" | "erased" | "candidates" | "nothing";
  /** Ids of the memories that were archived or erased. */
  readonly ids: readonly string[];
  /** For an erasure: ids of memories that are current again, since the memory they were merged into was erased. */
  readonly restored: readonly string[];
  /** The memories that were archived, as they were. */
  readonly archived: readonly Memory[];
  /** The closest matches of a query that does not clearly name one memory. */
  readonly candidates: readonly Memory[];
}

const NOTHING: ForgetOutcome = { action: "nothing", ids: [], restored: [], archived: [], candidates: [] };

/** A query forgets only a clear match: the next hit scores this much less. */
const CLEAR_LEAD = 1.5;
/** A single word, such as `port`, is in many texts that have nothing else in common. */
const LEAST_WORDS = 2;

/** Finds memories for a query, best first. */
type Recall = (input: {
  readonly query: string;
  readonly limit: number;
  readonly scopes?: readonly string[];
}) => Promise<{ readonly memories: readonly FoundMemory[] }>;

interface FoundMemory {
  readonly memory: Memory;
  readonly score: number;
}

export async function forgetMemory(
  given: ForgetInput,
  use: Pick<MemoryDependencies, "store" | "clock" | "agent">,
  recall: Recall,
): Promise<ForgetOutcome> {
  const input = requireGiven("memory_forget", forgetInput, given);
  if ((input.id === undefined) === (input.query === undefined))
    throw new PalimpsestError("invalid-input", "memory_forget needs either an id or a query", {
      advice: 'For example { "id": "mem_…" }; a query shows what may be meant.',
    });
  if (input.id !== undefined) return forgetOne(await requireMemory(use.store, input.id), input, use);
  const { query = "", scope } = input;
  const { memories } = await recall({ query, limit: 5, ...(scope === undefined ? {} : { scopes: [scope] }) });
  const [best, second] = memories;
  if (best === undefined) return NOTHING;
  const isFirst = best.score >= CLEAR_LEAD * (second?.score ?? 0);
  if (!isFirst || !isNamedBy(query, best.memory))
    return { ...NOTHING, action: "candidates", candidates: memories.map(({ memory }) => memory) };
  return forgetOne(await requireMemory(use.store, best.memory.id), input, use);
}

/** Whether the query is the text of the memory, or has several words and the memory has all of them. */
function isNamedBy(query: string, { abstract, overview, content, factKey, tags }: Memory): boolean {
  if (plainly(query) === plainly(abstract)) return true;
  const asked = new Set(tellingStems(query));
  const has = new Set(tellingStems([abstract, factKey ?? "", ...tags, overview, content].join("\n")));
  return asked.size >= LEAST_WORDS && [...asked].every((word) => has.has(word));
}

/** Without words that most sentences contain. */
function tellingStems(text: string): readonly string[] {
  return termsOf(text)
    .filter((term) => !isFunctionWord(term))
    .map(stemOf);
}

function plainly(text: string): string {
  return collapseSpaces(text)
    .toLowerCase()
    .replace(/[.!?。！？]$/u, "");
}

/** Earlier versions that were edited or merged into it contain the same words. The store adds the memories derived from them. */
async function withWhatItWasMadeFrom(
  memory: StoredMemory,
  store: MemoryDependencies["store"],
): Promise<readonly string[]> {
  const ids = new Set<string>();
  const waiting: StoredMemory[] = [memory];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    ids.add(one.id);
    for (const { target } of one.relations.filter(isMadeFrom)) {
      const source = ids.has(target) ? undefined : await store.memory(target);
      if (source !== undefined) waiting.push(source);
    }
  }
  return [...ids];
}

function forgetOne(
  memory: StoredMemory,
  input: ForgetInput,
  use: Pick<MemoryDependencies, "store" | "clock" | "agent">,
): Promise<ForgetOutcome> {
  if (input.erase === true) return eraseOne(memory, input, use);
  return planAgain(async () => archiveOne(await requireMemory(use.store, memory.id), input, use));
}

async function archiveOne(
  memory: StoredMemory,
  { reason = "forgotten on request" }: ForgetInput,
  { store, clock }: Pick<MemoryDependencies, "store" | "clock">,
): Promise<ForgetOutcome> {
  if (stateOf(memory) !== "active") return NOTHING;
  const at = isoTime(clock());
  await store.commit([
    {
      kind: "revise",
      id: memory.id,
      changes: { archivedAt: at, archivedReason: reason },
      whileInForce: true,
      event: { at, action: "archived", detail: JSON.stringify({ reason }) },
    },
  ]);
  return { ...NOTHING, action: "archived", ids: [memory.id], archived: [memory] };
}

async function eraseOne(
  memory: StoredMemory,
  { reason }: ForgetInput,
  { store, clock, agent }: Pick<MemoryDependencies, "store" | "clock" | "agent">,
): Promise<ForgetOutcome> {
  const at = isoTime(clock());
  const detail = JSON.stringify({ memory: memory.id, ...(reason === undefined ? {} : { reason }) });
  const audit = { at, action: "erase-memory", conversation: null, detail };
  const erased = await withWhatItWasMadeFrom(memory, store);
  const [result] = await store.commit([{ kind: "erase-memories", ids: erased, at, agent, audit }]);
  const { erased: ids, restored } = result?.kind === "erase-memories" ? result : NOTHING_ERASED;
  return { ...NOTHING, action: ids.length === 0 ? "nothing" : "erased", ids, restored };
}
