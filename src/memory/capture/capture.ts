/**
 * Takes what is worth keeping out of a conversation: what was said since the last time is read, candidates are weighed
 * and held against what is known, and all that comes of it is written in one commit together with how far the
 * conversation was read. Stopped or killed anywhere, it begins at the same place again, and nothing is kept twice.
 */
import type { Memory } from "../../memory-types.ts";
import type { MemoryWrite, NewDecision, NewMemory } from "../../store/memory-store.ts";
import { newMemoryId } from "../../text/identifiers.ts";
import { isoTime } from "../../text/timestamps.ts";
import { admitCandidate } from "../admit/admit-candidate.ts";
import { ADMISSION } from "../admit/presets.ts";
import { dedupBatch } from "../dedup/batch-dedup.ts";
import { factKeyOf } from "../dedup/fact-key.ts";
import { type FoundMatch, findMatches } from "../dedup/find-matches.ts";
import { judge } from "../dedup/judge.ts";
import { mergeText } from "../dedup/merge-text.ts";
import { type Candidate, writesOf } from "../dedup/writes-of.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import type { MemoryWords } from "../recall/index/memory-words.ts";
import { tryToEmbed } from "../remember/embed-memories.ts";
import { planAgain } from "../remember/plan-again.ts";
import { writableScope } from "../scopes.ts";
import { type Extracted, type Extraction, extractByModel, extractByRules } from "./extract.ts";
import { CONFIDENCE, importanceOf } from "./importance.ts";
import { type ReadMessage, readStretch, type Stretch } from "./read-stretch.ts";
import { hasExplicitRequest } from "./rules.ts";
import { readTemporal } from "./temporal-type.ts";
import { stretchValue, throttle } from "./throttle.ts";

export interface CaptureInput {
  /** Its id. */
  readonly conversation: string;
  /** Also when little was said since the last time. Default false. */
  readonly flush?: boolean;
  readonly signal?: AbortSignal;
}

export interface CaptureReport {
  readonly conversation: string;
  /** The first and the last message that were read now. */
  readonly from: number;
  readonly to: number;
  /** `waiting`: more must be said first. `throttled`: a model was asked often enough for now. */
  readonly status: "captured" | "waiting" | "nothing" | "throttled";
  readonly how: "model" | "rules";
  /** New memories, and those that were said again. */
  readonly stored: readonly Memory[];
  readonly decisions: readonly CaptureDecision[];
}

export interface CaptureDecision {
  readonly verdict: string;
  readonly reason: string;
  readonly abstract: string;
  readonly memory: string | null;
}

export interface CaptureDependencies extends MemoryDependencies {
  readonly words: MemoryWords;
}

export async function capture(input: CaptureInput, use: CaptureDependencies): Promise<CaptureReport> {
  const reports: CaptureReport[] = [];
  for (;;) {
    const stretch = await readStretch(input.conversation, use);
    if (stretch === null) break;
    const report = await captureStretch(stretch, input, use);
    reports.push(report);
    if (!stretch.isPart || report.status !== "captured") break;
  }
  return joined(input, reports, use);
}

function joined(
  { conversation }: CaptureInput,
  reports: readonly CaptureReport[],
  { complete }: CaptureDependencies,
): CaptureReport {
  const last = reports.at(-1);
  const how = complete === null ? "rules" : "model";
  const nothing = {
    conversation,
    from: 0,
    to: 0,
    status: "nothing",
    how,
    stored: [],
    decisions: [],
  } as const;
  if (last === undefined) return nothing;
  return {
    ...last,
    from: reports[0]?.from ?? 0,
    stored: reports.flatMap(({ stored }) => stored),
    decisions: reports.flatMap(({ decisions }) => decisions),
  };
}

async function captureStretch(
  stretch: Stretch,
  { flush, signal }: CaptureInput,
  use: CaptureDependencies,
): Promise<CaptureReport> {
  const how = use.complete === null ? "rules" : "model";
  const about = { conversation: stretch.conversation, from: stretch.from + 1, to: stretch.to, how } as const;
  const wait = flush === true ? null : await whyWait(stretch, use);
  if (wait !== null) return { ...about, status: wait, stored: [], decisions: [] };
  const extraction = await extract(stretch, use, signal);
  const { stored, decisions } = await planAgain(() => remember(stretch, extraction, use, signal));
  return { ...about, how: extraction.how, status: "captured", stored, decisions };
}

/** Rules cost nothing and never wait. A request to remember does not wait either. */
async function whyWait(stretch: Stretch, use: CaptureDependencies): Promise<"waiting" | "throttled" | null> {
  if (use.complete === null || stretch.messages.length === 0) return null;
  const isAsked = stretch.messages.some(({ role, text }) => role === "user" && hasExplicitRequest(text));
  const isEnough = stretch.isPart || stretch.messages.length >= use.settings.captureMinMessages;
  if (!isEnough && !isAsked) return "waiting";
  const now = use.clock();
  const { rows } = await use.store.decisions({
    stages: ["extract"],
    verdicts: [READ_BY_MODEL],
    since: isoTime(now - HOUR_MS),
    limit: use.settings.captureMaxPerHour,
  });
  const times = rows.map(({ at }) => Date.parse(at));
  return throttle(times, now, { perHour: use.settings.captureMaxPerHour }).allowed ? null : "throttled";
}

const HOUR_MS = 3_600_000;
const READ_BY_MODEL = "read";

async function extract(
  stretch: Stretch,
  use: CaptureDependencies,
  signal?: AbortSignal,
): Promise<Extraction> {
  const { complete, settings } = use;
  const isLow =
    settings.captureSkipLowValue && stretchValue(stretch.messages.map(({ text }: ReadMessage) => text)).skip;
  if (complete === null || stretch.messages.length === 0 || isLow) return extractByRules(stretch);
  return extractByModel(stretch, complete, signal);
}

interface Remembered {
  readonly stored: readonly Memory[];
  readonly decisions: readonly CaptureDecision[];
}

/** Everything is looked at anew when somebody else was faster; only the model is not asked again to read. */
async function remember(
  stretch: Stretch,
  extraction: Extraction,
  use: CaptureDependencies,
  signal?: AbortSignal,
): Promise<Remembered> {
  const at = isoTime(use.clock());
  const scope = writableScope(use.settings.memoryScope, use);
  const note = new DecisionLog(stretch, scope, at, use.agent);
  if (extraction.how === "model")
    note.add("extract", READ_BY_MODEL, `${extraction.candidates.length} candidates.`, "");
  if (extraction.problem !== null) note.add("extract", "unreadable", extraction.problem, "");
  for (const { abstract, reason } of extraction.refused) note.add("extract", "refused", reason, abstract);
  const writes: MemoryWrite[] = [];
  for (const { extracted, candidate } of await distinct(extraction.candidates, scope, use, note, signal))
    writes.push(...(await decide(candidate, extracted, stretch, use, note, signal)));
  const progress = {
    kind: "captured" as const,
    conversation: stretch.conversation,
    from: stretch.from,
    to: stretch.to,
    at,
  };
  const results = await use.store.commit([...writes, ...note.writes, progress]);
  const stored = results.flatMap((result) =>
    result.kind === "remember" || result.kind === "revise" ? [result.memory] : [],
  );
  return { stored, decisions: note.decisions };
}

interface Drafted {
  readonly extracted: Extracted;
  readonly candidate: Candidate;
}

/** What one stretch says twice is taken once; of one key, what was said last. */
async function distinct(
  extracted: readonly Extracted[],
  scope: string,
  use: CaptureDependencies,
  note: DecisionLog,
  signal?: AbortSignal,
): Promise<readonly Drafted[]> {
  const drafts = extracted.map((one) => draftOf(one, scope, use));
  const vectors = await tryToEmbed(drafts, use, signal);
  const first = drafts.map((_, place) => vectors?.[place]?.vectors[0] ?? null);
  const { kept, dropped } = dedupBatch(first, { above: 0.85, most: Number.POSITIVE_INFINITY });
  for (const { index, reason } of dropped)
    note.add("dedup", "repeated", reason, drafts[index]?.abstract ?? "");
  return kept.flatMap((place) => {
    const [one, memory] = [extracted[place], drafts[place]];
    if (one === undefined || memory === undefined) return [];
    const isSaidAgain = kept.some((later) => later > place && sharesKey(drafts[later], memory));
    if (isSaidAgain)
      note.add("dedup", "replaced", "The same was said with another value right after.", memory.abstract);
    return isSaidAgain ? [] : [{ extracted: one, candidate: { memory, vectors: vectors?.[place] } }];
  });
}

function sharesKey(a: NewMemory | undefined, b: NewMemory): boolean {
  return a !== undefined && a.factKey !== null && a.factKey === b.factKey;
}

function draftOf(
  { category, text, factKey, explicit, message }: Extracted,
  scope: string,
  use: CaptureDependencies,
): NewMemory {
  const temporal = readTemporal(text.abstract, use.clock());
  const { conversation, seq, createdAt } = message;
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
    origin: use.complete === null ? "rules" : "model",
    speaker: message.role,
    createdAt: isoTime(use.clock()),
    validFrom: createdAt,
    validUntil: temporal.validUntil,
  };
}

/** What is written because of one candidate. */
async function decide(
  candidate: Candidate,
  { explicit }: Extracted,
  { messages }: Stretch,
  use: CaptureDependencies,
  note: DecisionLog,
  signal?: AbortSignal,
): Promise<readonly MemoryWrite[]> {
  const preset = use.settings.admission === "off" ? undefined : ADMISSION[use.settings.admission];
  const found = await findMatches(candidate, preset?.noveltyPool ?? 5, use);
  const now = use.clock();
  const admission = await admitCandidate(
    {
      candidate,
      explicit,
      conversation: messages.map(({ text }) => text).join("\n"),
      found,
      now,
      ...(signal === undefined ? {} : { signal }),
    },
    use,
  );
  const { abstract } = candidate.memory;
  if (admission?.decision === "reject") {
    note.add("admit", "rejected", admission.reason, abstract, {
      audit: admission.audit,
      candidate: candidate.memory,
    });
    return [];
  }
  const plan = await judge(candidate, found, use.complete, signal);
  const known = found.map(({ memory }: FoundMatch) => memory);
  const merged = await mergeText(plan, candidate, known, use, signal);
  const writes = writesOf({ plan, candidate, known, merged, at: isoTime(now) });
  note.add("dedup", plan.applied, plan.reason, abstract, {
    ...(admission === null ? {} : { audit: admission.audit }),
    memory: touched(writes),
  });
  return writes;
}

function touched(writes: readonly MemoryWrite[]): string | null {
  const [first] = writes;
  if (first?.kind === "remember") return first.memory.id;
  return first?.kind === "revise" ? first.id : null;
}

/** What was decided, for the report and for the record. */
class DecisionLog {
  readonly decisions: CaptureDecision[] = [];
  readonly writes: MemoryWrite[] = [];
  readonly #about: Omit<NewDecision, "stage" | "verdict" | "reason" | "detail" | "memory">;

  constructor({ conversation, from, to }: Stretch, scope: string, at: string, agent: string) {
    this.#about = { at, agent, scope, conversation, firstSeq: from + 1, lastSeq: to };
  }

  /** The words of a candidate are kept where nothing else keeps them. */
  add(
    stage: NewDecision["stage"],
    verdict: string,
    reason: string,
    abstract: string,
    { memory = null, ...detail }: { readonly memory?: string | null; readonly [name: string]: unknown } = {},
  ): void {
    this.decisions.push({ verdict, reason, abstract, memory });
    const kept = memory === null && abstract !== "" ? { abstract } : {};
    const decision = {
      ...this.#about,
      stage,
      verdict,
      reason,
      memory,
      detail: JSON.stringify({ ...kept, ...detail }),
    };
    this.writes.push({ kind: "decide", decision });
  }
}
