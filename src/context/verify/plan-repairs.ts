/** What can be mended without loss, as a plan. Nothing is applied unless somebody asks for it. */
import type { ReindexWrite, Store, Write } from "../../store/store.ts";
import type { ConversationPlace, IntegrityReport, Problem, RepairAction } from "./integrity.ts";

export interface RepairPlan {
  readonly actions: readonly PlannedRepair[];
  /** Only a backup can bring these back. */
  readonly unrepairable: readonly Problem[];
}

export interface PlannedRepair extends ConversationPlace {
  readonly description: string;
  readonly action: RepairAction;
}

export function planRepairs(report: IntegrityReport): RepairPlan {
  const actions: PlannedRepair[] = [];
  const unrepairable: Problem[] = [];
  for (const problem of report.problems) {
    const { repair, conversation, tenant, agent } = problem;
    if (repair === null || conversation === null || tenant === null || agent === null)
      unrepairable.push(problem);
    else actions.push({ conversation, tenant, agent, description: describe(repair), action: repair });
  }
  return { actions, unrepairable };
}

function describe(action: RepairAction): string {
  switch (action.kind) {
    case "rewrite-parts":
      return `index the parts of message ${action.seq} again`;
    case "add-context-item":
      return `put message ${action.seq} back into the context`;
    case "add-context-summary":
      return `put ${action.summary} back into the context`;
    case "recount-context":
      return "count the items of the context again";
    case "drop-context-item":
      return `remove the context item at ordinal ${action.ordinal}`;
    case "drop-segment":
      return `remove segment ${action.segment} of the search index; what it held is indexed again`;
  }
}

/** Applies a plan, each conversation all or nothing. */
export async function applyRepairs(store: Store, plan: RepairPlan): Promise<{ readonly applied: number }> {
  const byConversation = Map.groupBy(plan.actions, ({ tenant, agent, conversation }) =>
    JSON.stringify([tenant, agent, conversation]),
  );
  for (const repairs of byConversation.values()) {
    const [first] = repairs;
    if (first === undefined) continue;
    await store.scoped(first).commit(toWrites(first.conversation, repairs));
  }
  return { applied: plan.actions.length };
}

function toWrites(id: string, repairs: readonly PlannedRepair[]): Write[] {
  const actions = repairs.map((repair) => repair.action);
  const segments = actions.filter((action) => action.kind === "drop-segment").map(({ segment }) => segment);
  const drop: Write[] = segments.length === 0 ? [] : [{ kind: "index", replaces: segments, segment: null }];
  return [toReindex(id, actions), ...drop];
}

function toReindex(id: string, actions: readonly RepairAction[]): ReindexWrite {
  return {
    kind: "reindex",
    id,
    messages: actions.filter((action) => action.kind === "rewrite-parts"),
    enterContext: actions.filter((action) => action.kind === "add-context-item").map((action) => action.seq),
    enterSummaries: actions
      .filter((action) => action.kind === "add-context-summary")
      .map((action) => action.summary),
    dropOrdinals: actions
      .filter((action) => action.kind === "drop-context-item")
      .map((action) => action.ordinal),
  };
}
