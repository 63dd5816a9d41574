/** Plans repairs that lose no messages. Nothing is applied unless requested. */
import { isPalimpsestError } from "../../errors.ts";
import type { ReindexWrite, Store, Write } from "../../store/store.ts";
import type { ConversationPlace, IntegrityReport, Problem, RepairAction } from "./integrity.ts";

export interface RepairPlan {
  readonly actions: readonly PlannedRepair[];
  /** Only a backup can restore these. */
  readonly unrepairable: readonly Problem[];
}

interface PlannedRepair extends ConversationPlace {
  readonly description: string;
  readonly action: RepairAction;
}

export function planRepairs(report: IntegrityReport): RepairPlan {
  const actions: PlannedRepair[] = [];
  const unrepairable: Problem[] = [];
  /** One repair may fix the findings of several checks. */
  const planned = new Set<string>();
  for (const problem of report.problems) {
    const { repair, conversation, tenant, agent } = problem;
    if (repair === null || conversation === null || tenant === null || agent === null) {
      unrepairable.push(problem);
      continue;
    }
    const { kind, ...rest } = repair;
    const key = JSON.stringify([tenant, agent, conversation, kind, "content" in rest ? rest.seq : rest]);
    if (planned.has(key)) continue;
    planned.add(key);
    actions.push({ conversation, tenant, agent, description: describe(repair), action: repair });
  }
  return { actions, unrepairable };
}

function describe(action: RepairAction): string {
  switch (action.kind) {
    case "rewrite-parts":
      return `index the parts of message ${action.seq} again`;
    case "restore-message":
      return `read message ${action.seq} again from ${action.from}`;
    case "restore-transcripts":
      return "rebuild missing transcripts from their lines";
    case "add-context-item":
      return `put message ${action.seq} back into the context`;
    case "add-context-summary":
      return `put ${action.summary} back into the context`;
    case "recount-context":
      return "count the items of the context again";
    case "drop-context-item":
      return `remove the context item at ordinal ${action.ordinal}`;
    case "erase-summary":
      return `remove the text of ${action.summary} and of summaries derived from it; their sources take their place`;
    case "drop-summary":
      return `remove ${action.summary} and summaries derived from it; their sources take their place`;
    case "forget-missing-summaries":
      return "remove links and events of summaries that are missing";
    case "drop-segment":
      return `remove segment ${action.segment} of the search index and index its documents again`;
  }
}

interface AppliedRepairs {
  readonly applied: number;
  /** Why repairs of a conversation failed; those of other conversations were applied. */
  readonly failures: string[];
}

/** Applies a plan, all or nothing for each conversation. Segments are removed first: removing a summary also removes its segment. */
export async function applyRepairs(store: Store, plan: RepairPlan): Promise<AppliedRepairs> {
  const failures: string[] = [];
  let applied = 0;
  const byConversation = Map.groupBy(plan.actions, ({ tenant, agent, conversation }) =>
    JSON.stringify([tenant, agent, conversation]),
  );
  for (const toWrites of [toSegmentWrites, toReindexWrites])
    for (const repairs of byConversation.values()) {
      const [first] = repairs;
      const actions = repairs.map((repair) => repair.action);
      const writes = first === undefined ? [] : toWrites(first.conversation, actions);
      if (first === undefined || writes.length === 0) continue;
      try {
        await store.scoped(first).commit(writes);
        applied += repairs.filter(({ action }) => isWrittenBy(toWrites, action)).length;
      } catch (error) {
        if (!isPalimpsestError(error)) throw error;
        failures.push(`${first.conversation}: ${error.message}`);
      }
    }
  return { applied, failures };
}

function isWrittenBy(toWrites: typeof toSegmentWrites, { kind }: RepairAction): boolean {
  return (kind === "drop-segment") === (toWrites === toSegmentWrites);
}

function toSegmentWrites(_: string, actions: readonly RepairAction[]): Write[] {
  const segments = actions.filter((action) => action.kind === "drop-segment").map(({ segment }) => segment);
  return segments.length === 0 ? [] : [{ kind: "index", replaces: segments, segment: null }];
}

function toReindexWrites(id: string, actions: readonly RepairAction[]): ReindexWrite[] {
  if (actions.every((action) => action.kind === "drop-segment")) return [];
  const of = <Kind extends RepairAction["kind"]>(kind: Kind) =>
    actions.filter((action): action is Extract<RepairAction, { kind: Kind }> => action.kind === kind);
  return [
    {
      kind: "reindex",
      id,
      messages: of("rewrite-parts"),
      enterContext: of("add-context-item").map(({ seq }) => seq),
      enterSummaries: of("add-context-summary").map(({ summary }) => summary),
      dropOrdinals: of("drop-context-item").map(({ ordinal }) => ordinal),
      eraseSummaries: of("erase-summary").map(({ summary }) => summary),
      dropSummaries: of("drop-summary").map(({ summary }) => summary),
      restoreMessages: of("restore-message").map(({ seq, content, row }) => ({
        seq,
        content,
        ...(row === null ? {} : { row }),
      })),
      restoreTranscripts: of("restore-transcripts").length > 0,
      forgetMissing: of("forget-missing-summaries").length > 0,
    },
  ];
}
