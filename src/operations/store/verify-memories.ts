/** Checks the memories of every tenant, and repairs what can be repaired without loss. */
import { knownMessages } from "../../context/verify/known-messages.ts";
import { type Engine, internalsOf } from "../../engine.ts";
import type { AgentMemory } from "../../memory/memory.ts";
import { describeRepair, type MemoryProblem, type MemoryRepair } from "../../memory/verify/memory-problem.ts";
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
