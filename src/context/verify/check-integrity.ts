/**
 * Reads rows once for all checks of single rows; other checks read what they compare. Reports, never
 * repairs. Add new checks to this list; later checks may use the findings of earlier ones.
 */
import { PalimpsestError } from "../../errors.ts";
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore, Store, StoredConversation } from "../../store/store.ts";
import { type CountTokens, estimateTokens } from "../../text/estimate-tokens.ts";
import type { Scope } from "../../types.ts";
import { checkChain } from "./check-chain.ts";
import { checkContext } from "./check-context.ts";
import { checkFiles } from "./check-files.ts";
import { checkLostTranscripts } from "./check-lost-transcripts.ts";
import { checkParts } from "./check-parts.ts";
import { checkRecords } from "./check-records.ts";
import { checkSearch } from "./check-search.ts";
import { checkSummaries } from "./check-summaries.ts";
import { checkTranscripts } from "./check-transcripts.ts";
import { checkTurns } from "./check-turns.ts";
import { withSources } from "./find-in-sources.ts";
import type {
  ConversationCheck,
  IntegrityCheck,
  IntegrityReport,
  Problem,
  ReportProblem,
} from "./integrity.ts";
import { readableMessages, unlessUnreadable } from "./read-damaged.ts";

const CHECKS: readonly IntegrityCheck[] = [
  checkChain,
  checkParts,
  checkSummaries,
  checkContext,
  checkTurns,
  checkTranscripts,
  checkLostTranscripts,
  checkRecords,
  checkFiles,
];

export interface IntegrityOptions {
  /** Only this tenant and agent. Default: all. */
  readonly scope?: Scope;
  /** Only this conversation. Default: all. */
  readonly conversation?: string;
  readonly checks?: readonly IntegrityCheck[];
  /** For messages that are read again from their transcripts. Default: estimated. */
  readonly countTokens?: CountTokens;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: { readonly conversations: number; readonly messages: number }) => void;
}

export async function checkIntegrity(store: Store, options: IntegrityOptions = {}): Promise<IntegrityReport> {
  const problems: Problem[] = engineProblems(await store.checkEngine());
  const progress = { conversations: 0, messages: 0, summaries: 0 };
  let scopes: readonly Scope[] = options.scope === undefined ? [] : [options.scope];
  if (options.scope === undefined)
    await unlessUnreadable("the conversations", { report: storeReport(problems, "rows", null) }, async () => {
      scopes = await store.scopes();
    });
  for (const scope of scopes) {
    const scoped = store.scoped(scope);
    const report = storeReport(problems, "rows", scope);
    await unlessUnreadable("the conversations", { report }, async () => {
      for await (const conversation of chosenConversations(scoped, options.conversation)) {
        stopIfAborted(options.signal);
        const found = await checkSteady(scoped, conversation, options);
        problems.push(...found.problems);
        progress.messages += found.messages;
        progress.summaries += found.summaries;
        progress.conversations++;
        options.onProgress?.(progress);
      }
    });
    if (options.checks === undefined)
      await unlessUnreadable(
        "the search index",
        { report: storeReport(problems, "search", scope) },
        async () => {
          problems.push(
            ...(await checkSearch(scoped, options.conversation, () => stopIfAborted(options.signal))),
          );
        },
      );
  }
  return { ok: problems.length === 0, ...progress, problems };
}

function engineProblems(messages: readonly string[]): Problem[] {
  const nowhere = { conversation: null, tenant: null, agent: null, seq: null, repair: null };
  return messages.map((message) => ({ check: "engine", ...nowhere, message }));
}

/** For data that belongs to no conversation. */
function storeReport(problems: Problem[], check: string, scope: Scope | null): ReportProblem {
  const { tenant = null, agent = null } = scope ?? {};
  return ({ message }) =>
    problems.push({ check, conversation: null, tenant, agent, seq: null, message, repair: null });
}

async function* chosenConversations(
  scoped: ScopedStore,
  chosen: string | undefined,
): AsyncIterable<StoredConversation> {
  if (chosen === undefined) {
    yield* everyRow((from) => scoped.conversations({ archived: true, from }));
    return;
  }
  const conversation = await scoped.conversation({ id: chosen });
  if (conversation !== undefined) yield conversation;
}

interface Found {
  readonly problems: readonly Problem[];
  readonly messages: number;
  readonly summaries: number;
}

/** How often a conversation that is being changed is checked again. */
const MAX_LOOKS = 5;

/** A problem seen during a write may be a partial view: it counts only if the conversation did not change. */
async function checkSteady(
  scoped: ScopedStore,
  conversation: StoredConversation,
  options: IntegrityOptions,
): Promise<Found> {
  let before = conversation;
  for (let look = 1; ; look++) {
    const found = await checkConversation(scoped, before, options);
    if (found.problems.length === 0) return found;
    const after = await scoped.conversation({ id: conversation.id });
    if (after === undefined || JSON.stringify(after) === JSON.stringify(before)) return found;
    if (look === MAX_LOOKS)
      return { ...found, problems: found.problems.filter((one) => isLasting(one, before)) };
    before = after;
  }
}

/** During constant writes, only problems of older rows that do not move are reported. */
function isLasting({ check, seq }: Problem, { messageCount }: StoredConversation): boolean {
  return check !== "context" && check !== "records" && seq !== null && seq <= messageCount;
}

async function checkConversation(
  scoped: ScopedStore,
  conversation: StoredConversation,
  options: IntegrityOptions,
): Promise<Found> {
  const problems: Problem[] = [];
  let messages = 0;
  const { id } = conversation;
  const place = { conversation: id, ...scoped.scope };
  const reportFor =
    (check: string): ReportProblem =>
    ({ seq = null, repair = null, ...problem }) =>
      problems.push({ check, ...place, seq, ...problem, repair });
  const checks = options.checks ?? CHECKS;
  const running = checks.flatMap((check) =>
    "start" in check ? [check.start(conversation, reportFor(check.name))] : [],
  );
  const tell = (look: (check: ConversationCheck) => void) => running.forEach(look);
  const reporting = { report: reportFor("rows") };
  for await (const message of readableMessages(scoped, conversation, reportFor(checkChain.name))) {
    tell((check) => check.message?.(message));
    if (++messages % 1000 === 0) stopIfAborted(options.signal);
  }
  await unlessUnreadable("its turns", reporting, async () => {
    for await (const turn of everyRow((from) => scoped.turns(id, { from })))
      tell((check) => check.turn?.(turn));
  });
  await unlessUnreadable("its transcripts", reporting, async () => {
    const transcripts = await scoped.transcripts(id);
    for (const transcript of transcripts) tell((check) => check.transcript?.(transcript));
    for (const { number } of transcripts)
      for await (const line of everyRow((from) => scoped.transcriptLines(id, { transcript: number, from })))
        tell((check) => check.transcriptLine?.(line));
  });
  tell((check) => check.end?.());
  const chainHolds = !problems.some(({ check }) => check === checkChain.name);
  const findings = { chainHolds, unfit: new Set<string>() };
  for (const check of checks) {
    stopIfAborted(options.signal);
    if ("run" in check)
      await unlessUnreadable(`the data for the ${check.name} check`, { report: reportFor(check.name) }, () =>
        check.run(scoped, conversation, reportFor(check.name), findings),
      );
  }
  const { countTokens = estimateTokens } = options;
  const isRowWrong = problems.some(({ check, seq }) => check === checkTranscripts.name && seq !== null);
  const found =
    chainHolds && !isRowWrong ? problems : await withSources(problems, { scoped, conversation, countTokens });
  let summaries = 0;
  await unlessUnreadable("its summaries", reporting, async () => {
    for await (const _ of everyRow((from) => scoped.summaries(id, { from }))) summaries++;
  });
  return { problems: found, messages, summaries };
}

function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new PalimpsestError("cancelled", "the check was cancelled");
}
