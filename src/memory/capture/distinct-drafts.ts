/** Turns extracted drafts into candidates: repeated statements are merged, and each fact key keeps only its current value. */
import type { NewMemory } from "../../store/memory-store.ts";
import { takesPlaceOf } from "../../store/rules/fact-order.ts";
import { newMemoryId } from "../../text/identifiers.ts";
import { isoTime } from "../../text/timestamps.ts";
import { dedupBatch } from "../dedup/batch-dedup.ts";
import { factKeyOf } from "../dedup/fact-key.ts";
import { takesBack } from "../dedup/takes-back.ts";
import type { Candidate } from "../dedup/writes-of.ts";
import { tryToEmbed } from "../embed-memories.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import type { Extracted, Extraction } from "./extract.ts";
import { CONFIDENCE, importanceOf } from "./importance.ts";
import type { ReadMessage } from "./read-stretch.ts";
import { readTemporal } from "./temporal-type.ts";

export interface Drafted {
  readonly extracted: Extracted;
  readonly candidate: Candidate;
}

interface Dropped {
  readonly verdict: "repeated" | "replaced";
  readonly reason: string;
  readonly abstract: string;
  /** Id of the draft that replaces it. */
  readonly standsFor: string;
  readonly message: ReadMessage;
}

interface DistinctDrafts {
  readonly drafts: readonly Drafted[];
  readonly dropped: readonly Dropped[];
}

/** Above this cosine, two candidates of one stretch are duplicates. */
const REPEATS_ABOVE = 0.85;

export async function distinctDrafts(
  { candidates, how }: Extraction,
  scope: string,
  use: MemoryDependencies,
  signal?: AbortSignal,
): Promise<DistinctDrafts> {
  const drafts = candidates.map((one) => draftOf(one, how, scope, use));
  const vectors = await tryToEmbed(drafts, use, signal);
  // Two values of one fact are similar but not equal. So are a statement and its correction.
  const isOneOfSeveral = (draft: NewMemory) =>
    drafts.some(
      (other) => other !== draft && (sharesKey(other, draft) || takesBack(draft.abstract, other.abstract)),
    );
  const first = drafts.map((draft, place) =>
    isOneOfSeveral(draft) ? null : (vectors?.[place]?.vectors[0] ?? null),
  );
  const { kept, dropped } = dedupBatch(first, { above: REPEATS_ABOVE, most: Number.POSITIVE_INFINITY });
  const repeated = dropped.flatMap(({ index, duplicateOf, reason }) =>
    droppedFor(candidates[index], drafts[duplicateOf ?? -1], "repeated", reason),
  );
  const replaced: Dropped[] = [];
  const distinct = kept.flatMap((place) => {
    const [extracted, memory] = [candidates[place], drafts[place]];
    if (extracted === undefined || memory === undefined) return [];
    const holder = holderIn(
      kept.flatMap((other) => drafts[other] ?? []),
      memory,
    );
    if (holder === memory) return [{ extracted, candidate: { memory, vectors: vectors?.[place] } }];
    const reason = "The fact was stated with another value, which is active.";
    replaced.push(...droppedFor(extracted, holder, "replaced", reason));
    return [];
  });
  return { drafts: distinct, dropped: [...repeated, ...replaced] };
}

function droppedFor(
  extracted: Extracted | undefined,
  other: NewMemory | undefined,
  verdict: Dropped["verdict"],
  reason: string,
): Dropped[] {
  if (extracted === undefined || other === undefined) return [];
  const { text, message } = extracted;
  return [{ verdict, reason, abstract: text.abstract, standsFor: other.id, message }];
}

function sharesKey(a: NewMemory, b: NewMemory): boolean {
  return a.factKey !== null && a.factKey === b.factKey;
}

/** The draft of this key that would be current if they were stored one after the other. */
function holderIn(drafts: readonly NewMemory[], memory: NewMemory): NewMemory {
  const values = drafts.filter((draft) => sharesKey(draft, memory));
  return values.reduce(
    (holder, coming) => (takesPlaceOf(coming, holder, coming.createdAt) ? coming : holder),
    values[0] ?? memory,
  );
}

function draftOf(
  { category, text, factKey, explicit, message }: Extracted,
  how: Extraction["how"],
  scope: string,
  use: MemoryDependencies,
): NewMemory {
  const createdAt = isoTime(use.clock());
  // A host's clock may be ahead of ours. The statement is valid already.
  const validFrom = message.createdAt < createdAt ? message.createdAt : createdAt;
  // "Tomorrow" is the day after the message, which may be months before its capture.
  const temporal = readTemporal(text.abstract, Date.parse(validFrom));
  const { conversation, seq } = message;
  return {
    ...text,
    id: newMemoryId(use.random),
    scope,
    category,
    tier: "working",
    importance: importanceOf(category, explicit),
    confidence: explicit ? CONFIDENCE.told : CONFIDENCE.extracted,
    temporalType: temporal.type,
    factKey: factKey ?? factKeyOf(category, text.abstract)?.key ?? null,
    tags: [],
    support: [],
    relations: [],
    sources: [{ conversation, firstSeq: seq, lastSeq: seq, kind: "origin" }],
    origin: how,
    speaker: message.role,
    createdAt,
    validFrom,
    validUntil: temporal.validUntil,
  };
}
