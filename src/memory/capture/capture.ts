/**
 * Captures memories from a conversation: reads the messages since the last capture, filters candidates and compares
 * them with known memories, and writes all results in one commit together with the capture position. If it is
 * stopped or killed, it starts at the same position again, and stores nothing twice.
 */
import type { Memory } from "../../memory-types.ts";
import type { MemoryWrite, MemoryWriteResult, StoredMemory } from "../../store/memory-store.ts";
import { isoTime } from "../../text/timestamps.ts";
import { admitCandidate } from "../admit/admit-candidate.ts";
import { ADMISSION } from "../admit/presets.ts";
import { type FoundMatch, findMatches } from "../dedup/find-matches.ts";
import { judge } from "../dedup/judge.ts";
import { mergeText } from "../dedup/merge-text.ts";
import { PendingMemories } from "../dedup/pending-memories.ts";
import { type VerdictPlan, withoutMerge } from "../dedup/verdict.ts";
import { writesOf } from "../dedup/writes-of.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import { planAgain } from "../plan-again.ts";
import { writableScope } from "../scopes.ts";
import { aboutMessage, type CaptureDecision, type DecidedSeqs, DecisionLog } from "./decision-log.ts";
import { type Drafted, distinctDrafts } from "./distinct-drafts.ts";
import { type Extracted, type Extraction, extractByModel, extractByRules } from "./extract.ts";
import { type ReadMessage, readStretch, type Stretch } from "./read-stretch.ts";
import { hasExplicitRequest } from "./rules.ts";
import { stretchValue, throttle } from "./throttle.ts";

export interface CaptureInput {
  /** Its id, or its session id. */
  readonly conversation: string;
  /** Also captures when there are few new messages. Default false. */
  readonly flush?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface CaptureReport {
  readonly conversation: string;
  /** The first and the last message that this run read. */
  readonly from: number;
  readonly to: number;
  /** `waiting`: there are too few new messages. `throttled`: the limit of model calls is reached. */
  readonly status: "captured" | "waiting" | "nothing" | "throttled";
  readonly how: "model" | "rules";
  /** New memories, and known memories that were confirmed. */
  readonly stored: readonly Memory[];
  readonly decisions: readonly CaptureDecision[];
}

export async function capture(input: CaptureInput, use: MemoryDependencies): Promise<CaptureReport> {
  const reports: CaptureReport[] = [];
  const conversation = await use.findConversation(input.conversation);
  for (;;) {
    const stretch = await readStretch(conversation, use);
    if (stretch === null) break;
    const report = await captureStretch(stretch, input, use);
    reports.push(report);
    if (!stretch.isPart || report.status !== "captured") break;
    // A long history takes many runs; closing the engine waits for one of them at most.
    if (input.signal?.aborted === true) break;
  }
  return joined(conversation, reports, use);
}

function joined(
  conversation: string,
  reports: readonly CaptureReport[],
  { complete }: MemoryDependencies,
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
  use: MemoryDependencies,
): Promise<CaptureReport> {
  const how = use.complete === null ? "rules" : "model";
  const about = { conversation: stretch.conversation, from: stretch.from + 1, to: stretch.to, how } as const;
  const wait = flush === true ? null : await whyWait(stretch, use);
  if (wait !== null) return { ...about, status: wait, stored: [], decisions: [] };
  const extraction = await extract(stretch, use, signal);
  const { stored, decisions } = await planAgain(() => remember(stretch, extraction, use, signal));
  return { ...about, how: extraction.how, status: "captured", stored, decisions };
}

/** Rules cost nothing and never wait. Neither does an explicit request to remember. */
async function whyWait(stretch: Stretch, use: MemoryDependencies): Promise<"waiting" | "throttled" | null> {
  if (use.complete === null || stretch.messages.length === 0) return null;
  const isAsked = stretch.messages.some(({ role, text }) => role === "user" && hasExplicitRequest(text));
  const isEnough = stretch.isPart || stretch.messages.length >= use.settings.captureMinMessages;
  if (!isEnough && !isAsked) return "waiting";
  const now = use.clock();
  const { rows } = await use.store.decisions({
    stages: ["extract"],
    verdicts: [READ_BY_MODEL, UNREADABLE],
    since: isoTime(now - HOUR_MS),
    limit: use.settings.captureMaxPerHour,
  });
  const times = rows.map(({ at }) => Date.parse(at));
  return throttle(times, now, { perHour: use.settings.captureMaxPerHour }).allowed ? null : "throttled";
}

const HOUR_MS = 3_600_000;
const READ_BY_MODEL = "read";
const UNREADABLE = "unreadable";

async function extract(stretch: Stretch, use: MemoryDependencies, signal?: AbortSignal): Promise<Extraction> {
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

/** After a conflict with another writer everything is decided again, but the model does not read the messages again. */
async function remember(
  stretch: Stretch,
  extraction: Extraction,
  use: MemoryDependencies,
  signal?: AbortSignal,
): Promise<Remembered> {
  const at = isoTime(use.clock());
  const scope = writableScope(use.settings.memoryScope, use);
  const note = new DecisionLog(stretch, scope, at, use.agent);
  noteReading(extraction, note);
  const { drafts, dropped } = await distinctDrafts(extraction, scope, use, signal);
  const pending = new PendingMemories();
  const outcomes = new Map<string, string | null>();
  const writes: MemoryWrite[] = [];
  for (const draft of drafts) {
    const decided = await decide(draft, { stretch, pending, note, signal }, use);
    outcomes.set(draft.candidate.memory.id, touched(decided));
    writes.push(...decided);
  }
  for (const { verdict, reason, abstract, standsFor, message } of dropped) {
    const memory = outcomes.get(standsFor) ?? null;
    note.add("dedup", verdict, reason, abstract, { abstract, memory }, aboutMessage(message));
  }
  const { conversation, from, to } = stretch;
  const progress = { kind: "captured" as const, conversation, from, to, at };
  const results = await use.store.commit([...writes, ...note.writes, progress]);
  return { stored: storedBy(results), decisions: note.decisions };
}

function noteReading({ how, candidates, problem, refused }: Extraction, note: DecisionLog): void {
  if (how === "model") note.add("extract", READ_BY_MODEL, `${candidates.length} candidates.`, "");
  if (problem !== null) note.add("extract", UNREADABLE, problem, "");
  for (const { abstract, reason } of refused) note.add("extract", "refused", reason, abstract);
}

/** In their final state: a memory that a later candidate of the stretch changed or replaced occurs once or not at all. */
function storedBy(results: readonly MemoryWriteResult[]): readonly Memory[] {
  const stored = new Map<string, Memory>();
  for (const result of results) {
    if (result.kind !== "remember" && result.kind !== "revise") continue;
    for (const id of result.kind === "remember" ? result.memory.supersedes : []) stored.delete(id);
    stored.set(result.memory.id, result.memory);
  }
  return [...stored.values()];
}

interface Batch {
  readonly stretch: Stretch;
  readonly pending: PendingMemories;
  readonly note: DecisionLog;
  readonly signal: AbortSignal | undefined;
}

/** The writes for one candidate. */
async function decide(
  { candidate, extracted }: Drafted,
  { stretch, pending, note, signal }: Batch,
  use: MemoryDependencies,
): Promise<readonly MemoryWrite[]> {
  const preset = use.settings.admission === "off" ? undefined : ADMISSION[use.settings.admission];
  const found = pending.meet(candidate, await findMatches(candidate, preset?.noveltyPool ?? 5, use));
  const now = use.clock();
  const admission = await admitCandidate(
    {
      candidate,
      explicit: extracted.explicit,
      conversation: stretch.messages.map(({ text }) => text).join("\n"),
      found,
      now,
      ...(signal === undefined ? {} : { signal }),
    },
    use,
  );
  const { abstract } = candidate.memory;
  if (admission?.decision === "reject") {
    const { reason, audit } = admission;
    const detail = { audit, candidate: candidate.memory };
    note.add("admit", "rejected", reason, abstract, detail, aboutMessage(extracted.message));
    return [];
  }
  const judged = await judge(candidate, found, use.complete, signal);
  const known = found.map(({ memory }: FoundMatch) => memory);
  const merged = await mergeText(judged, candidate, known, use, signal);
  const plan = merged === null ? withoutMerge(judged) : judged;
  const writes = writesOf({ plan, candidate, known, merged, at: isoTime(now) });
  pending.add(writes, known);
  const detail = {
    ...(admission === null ? {} : { audit: admission.audit }),
    ...(plan.applied === "skip" ? { abstract } : {}),
    memory: touched(writes) ?? metBy(plan),
  };
  const seqs = plan.judged === null ? aboutMessage(extracted.message) : seqsShown(extracted, known, stretch);
  note.add("dedup", plan.applied, plan.reason, abstract, detail, seqs);
  return writes;
}

/** A judge may repeat any words that it was shown. Of this stretch, these are the candidate's message and those of its matches. */
function seqsShown(
  { message }: Extracted,
  known: readonly StoredMemory[],
  { conversation, from, to }: Stretch,
): DecidedSeqs {
  const shown = known
    .flatMap(({ sources }) => sources)
    .filter(
      (source) => source.conversation === conversation && source.lastSeq > from && source.firstSeq <= to,
    );
  return {
    firstSeq: Math.min(message.seq, ...shown.map(({ firstSeq }) => firstSeq)),
    lastSeq: Math.max(message.seq, ...shown.map(({ lastSeq }) => lastSeq)),
  };
}

/** The memory that the candidate created or changed; for a merge, the merged one. */
function touched(writes: readonly MemoryWrite[]): string | null {
  const replaced = writes.flatMap((write) => (write.kind === "remember" ? write.supersedes : []));
  const first = writes.find((write) => write.kind !== "remember" || !replaced.includes(write.memory.id));
  if (first?.kind === "remember") return first.memory.id;
  return first?.kind === "revise" ? first.id : null;
}

function metBy({ effects }: VerdictPlan): string | null {
  return effects.find((effect) => effect.kind === "skip")?.target ?? null;
}
