/** Turns the input of a caller into a stored memory: fills in omitted fields. */
import { PalimpsestError } from "../../errors.ts";
import type { MemoryOrigin, MemorySource } from "../../memory-types.ts";
import type { NewMemory } from "../../store/memory-store.ts";
import { isMessageId, newMemoryId, parseMessageId } from "../../text/identifiers.ts";
import { trimSpaces } from "../../text/spaces.ts";
import { isoTime, normaliseTimestamp } from "../../text/timestamps.ts";
import { guessCategory } from "../capture/guess-category.ts";
import { importanceOf } from "../capture/importance.ts";
import { readTemporal } from "../capture/temporal-type.ts";
import { factKeyOf, keyName, plainKey } from "../dedup/fact-key.ts";
import { hasKey, keysNamed } from "../dedup/given-key.ts";
import type { StoreInput } from "../inputs.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import { writableScope } from "../scopes.ts";
import { requireEndAfterStart } from "./require-latest.ts";

type Use = Pick<MemoryDependencies, "store" | "agent" | "settings" | "clock" | "random" | "readSaid">;

/** The confidence of explicit statements of people and programs, and of facts extracted from conversations. */
const CONFIDENCE: Readonly<Record<MemoryOrigin, number>> = {
  manual: 0.9,
  model: 0.7,
  rules: 0.7,
  merge: 0.8,
  consolidation: 0.8,
  import: 0.8,
};

/** `others` are earlier drafts of the same batch: their fact keys are reused here. */
export async function draftMemory(
  input: StoreInput,
  origin: MemoryOrigin,
  use: Use,
  others: readonly NewMemory[] = [],
): Promise<NewMemory> {
  const now = use.clock();
  const abstract = trimSpaces(input.text);
  const scope = writableScope(input.scope ?? use.settings.memoryScope ?? null, use);
  const guessed = input.category ?? guessCategory(abstract);
  const inferred = factKeyOf(guessed, abstract)?.key ?? null;
  const asked = input.factKey ?? (inferred === null ? undefined : keyName(inferred));
  const known = asked === undefined ? undefined : await holderOf(asked, scope, use, others);
  const category = input.factKey === undefined ? guessed : (input.category ?? known?.category ?? guessed);
  const temporal = readTemporal(abstract, now);
  const createdAt = isoTime(now);
  const { sources, speaker } = await sourcesOf(input.sources ?? [], use);
  const validFrom = normaliseTimestamp(input.validFrom) ?? createdAt;
  const validUntil = normaliseTimestamp(input.validUntil) ?? null;
  requireEndAfterStart(validFrom, validUntil);
  return {
    id: newMemoryId(use.random),
    scope,
    category,
    tier: "working",
    abstract,
    overview: input.overview ?? "",
    content: input.content ?? "",
    importance: input.importance ?? importanceOf(category),
    confidence: CONFIDENCE[origin],
    temporalType: temporal.type,
    factKey: known?.factKey ?? (input.factKey === undefined ? inferred : named(category, input.factKey)),
    tags: [...new Set(input.tags ?? [])],
    support: [],
    relations: [],
    sources,
    origin,
    speaker: input.speaker ?? speaker,
    createdAt,
    validFrom,
    validUntil: validUntil ?? temporal.validUntil,
  };
}

/** Never earlier than the memory that it replaces, even after a delay. */
export function storedAt(draft: NewMemory, now: string): NewMemory {
  const validFrom = draft.validFrom === draft.createdAt ? now : draft.validFrom;
  return { ...draft, createdAt: now, validFrom };
}

/** A key without a category gets the category of the memory. */
function named(category: string, key: string): string {
  const plain = plainKey(key);
  return /^\w+:/.test(plain) ? plain : `${category}:${plain}`;
}

/** The memory whose value is replaced: `editor` has one current value, regardless of the category that a sentence suggests. */
async function holderOf(
  key: string,
  scope: string,
  { store }: Use,
  others: readonly NewMemory[],
): Promise<NewMemory | undefined> {
  const drafted = others.find((other) => other.scope === scope && hasKey(other, key));
  if (drafted !== undefined) return drafted;
  const factKeys = keysNamed(key);
  const { rows } = await store.memories({ factKeys, scopes: [scope] });
  const place = ({ factKey }: NewMemory) => factKeys.indexOf(factKey ?? "");
  return rows.filter((holder) => hasKey(holder, key)).toSorted((one, other) => place(one) - place(other))[0];
}

/** Consecutive messages form one source. */
async function sourcesOf(
  ids: readonly string[],
  { readSaid }: Use,
): Promise<{ readonly sources: readonly MemorySource[]; readonly speaker: string | null }> {
  const sources: MemorySource[] = [];
  let speaker: string | null = null;
  for (const { conversation, seq } of ids.map(messageOf).sort(byPlace)) {
    const before = sources.at(-1);
    if (before?.conversation === conversation && before.lastSeq + 1 >= seq)
      sources[sources.length - 1] = { ...before, lastSeq: seq };
    else sources.push({ conversation, firstSeq: seq, lastSeq: seq, kind: "origin" });
  }
  for (const { conversation, firstSeq, lastSeq } of sources) {
    const said = await readSaid(conversation, { from: firstSeq, to: lastSeq });
    if (said.length !== lastSeq - firstSeq + 1) throw noSource(conversation, firstSeq, lastSeq);
    speaker ??= said[0]?.role ?? null;
  }
  return { sources, speaker };
}

function messageOf(id: string): { conversation: string; seq: number } {
  if (isMessageId(id)) return parseMessageId(id);
  throw new PalimpsestError("invalid-input", `${id} is not a message id`, {
    advice: "Message ids look like msg_0123456789abcdef_42.",
  });
}

function byPlace(a: { conversation: string; seq: number }, b: { conversation: string; seq: number }): number {
  if (a.conversation !== b.conversation) return a.conversation < b.conversation ? -1 : 1;
  return a.seq - b.seq;
}

function noSource(conversation: string, first: number, last: number): PalimpsestError {
  const which = first === last ? `message ${first}` : `messages ${first} to ${last}`;
  return new PalimpsestError("not-found", `${conversation} has no ${which}`, {
    advice: "Commit the messages first and use their ids.",
  });
}
