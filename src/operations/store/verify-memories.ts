/** Checks the memories of every tenant, and repairs what can be repaired without loss. */
import { type Engine, internalsOf } from "../../engine.ts";
import type { AgentMemory } from "../../memory/memory.ts";
import { describeRepair, type MemoryProblem, type MemoryRepair } from "../../memory/verify/memory-problem.ts";
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore } from "../../store/store.ts";
import type { Use } from "../operation.ts";

export interface FoundMemoryProblem extends MemoryProblem {
  readonly tenant: string;
}

export interface MemoryFindings {
  readonly memories: number;
  readonly problems: readonly FoundMemoryProblem[];
}

export async function verifyEveryMemory(engine: Engine, use: Use): Promise<MemoryFindings> {
  let memories = 0;
  const problems: FoundMemoryProblem[] = [];
  const scopes = await engine.store.scopes();
  for (const tenant of await engine.store.tenants()) {
    const agents = scopes
      .filter((scope) => scope.tenant === tenant)
      .map((scope) => engine.store.scoped(scope));
    const report = await memoryOf(engine, tenant).maintenance.verify({
      findMessages: (conversation) => knownMessages(agents, conversation),
      onProgress: (progress) => use.onProgress?.({ done: memories + progress.memories, unit: "memories" }),
      ...(use.signal === undefined ? {} : { signal: use.signal }),
    });
    memories += report.memories;
    problems.push(...report.problems.map((problem) => ({ ...problem, tenant })));
  }
  return { memories, problems };
}

export interface PlannedMemoryRepair {
  readonly tenant: string;
  readonly memory: string | null;
  readonly description: string;
  readonly repair: MemoryRepair;
}

export function planMemoryRepairs({ problems }: MemoryFindings): readonly PlannedMemoryRepair[] {
  return problems.flatMap(({ tenant, memory, repair }) =>
    repair === null ? [] : [{ tenant, memory, repair, description: describeRepair(repair) }],
  );
}

export async function repairMemories(engine: Engine, plan: readonly PlannedMemoryRepair[]): Promise<void> {
  for (const [tenant, repairs] of Map.groupBy(plan, (planned) => planned.tenant))
    await memoryOf(engine, tenant).maintenance.repair(repairs.map(({ repair }) => repair));
}

function memoryOf(engine: Engine, tenant: string): AgentMemory {
  return internalsOf(engine).everyMemoryOf({ tenant, agent: engine.config.agent });
}

/** The messages of a conversation of any agent, for checking references to them. */
interface KnownMessages {
  readonly last: number;
  readonly erased: readonly number[];
}

/** Undefined if no agent of the tenant has this conversation. */
async function knownMessages(
  agents: readonly ScopedStore[],
  conversation: string,
): Promise<KnownMessages | undefined> {
  for (const scoped of agents) {
    const found = await scoped.conversation({ id: conversation });
    if (found !== undefined)
      return { last: found.messageCount, erased: await erasedMessages(scoped, conversation) };
  }
  return undefined;
}

async function erasedMessages(scoped: ScopedStore, conversation: string): Promise<number[]> {
  const erased: number[] = [];
  const page = (from: number) => scoped.messages(conversation, { from, withoutContent: true });
  for await (const { seq, erasedAt } of everyRow(page, 1)) if (erasedAt !== null) erased.push(seq);
  return erased;
}
