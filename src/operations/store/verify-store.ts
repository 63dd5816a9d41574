/** Checks the store, and repairs it after a backup on request. Separate from its definition, since it has many imports. */
import { isDeepStrictEqual } from "node:util";
import { checkIntegrity, type IntegrityOptions } from "../../context/verify/check-integrity.ts";
import type { IntegrityReport, Problem } from "../../context/verify/integrity.ts";
import { applyRepairs, planRepairs, type RepairPlan } from "../../context/verify/plan-repairs.ts";
import { type Engine, internalsOf } from "../../engine.ts";
import type { Use } from "../operation.ts";
import type { VerifyInput, VerifyOutput, VerifyProblem } from "./verify.ts";
import {
  type FoundMemoryProblem,
  type MemoryFindings,
  type PlannedMemoryRepair,
  planMemoryRepairs,
  repairMemories,
  verifyEveryMemory,
} from "./verify-memories.ts";
import { writeBackup } from "./write-backup.ts";

export async function verifyStore(engine: Engine, input: VerifyInput, use: Use): Promise<VerifyOutput> {
  const found = await check(engine, input, use);
  if (input.plan !== true && input.repair !== true) return answer(found, null);
  const plan = planFor(found);
  if (input.repair !== true) return answer(found, plan);
  if (sizeOf(plan) === 0) return { ...answer(found, plan), repaired: 0 };
  const { file } = await writeBackup(engine, { ...use, suffix: "-before-repair" });
  return { ...(await repairAll(engine, input, use, plan)), backup: file };
}

/** A repair may reveal further problems: a repaired message can be indexed. */
const MOST_ROUNDS = 3;

async function repairAll(engine: Engine, input: VerifyInput, use: Use, first: Plan): Promise<VerifyOutput> {
  let plan = first;
  let repaired = 0;
  const made: Plan[] = [];
  let lost: string[] = [];
  for (let round = 1; ; round++) {
    const { applied, failures } = await applyRepairs(engine.store, plan.said);
    await repairMemories(engine, plan.memories);
    made.push(plan);
    repaired += applied + plan.memories.length;
    lost = failures;
    const found = await check(engine, input, use);
    plan = planFor(found);
    const isDone = sizeOf(plan) === 0 || round === MOST_ROUNDS || isDeepStrictEqual(plan, made.at(-1));
    if (isDone) return { ...answer(found, joined(made)), repaired, lost };
  }
}

function joined(plans: readonly Plan[]): Plan {
  return {
    said: {
      actions: plans.flatMap(({ said }) => said.actions),
      unrepairable: plans.at(-1)?.said.unrepairable ?? [],
    },
    memories: plans.flatMap(({ memories }) => memories),
  };
}

interface Found {
  readonly said: IntegrityReport;
  readonly kept: MemoryFindings;
}

interface Plan {
  readonly said: RepairPlan;
  readonly memories: readonly PlannedMemoryRepair[];
}

/** Memories do not belong to a conversation, so they are checked with the whole store. */
async function check(engine: Engine, input: VerifyInput, use: Use): Promise<Found> {
  const said = await checkIntegrity(engine.store, await optionsFor(engine, input, use));
  const kept =
    input.conversation === undefined ? await verifyEveryMemory(engine, use) : { memories: 0, problems: [] };
  return { said, kept };
}

function planFor({ said, kept }: Found): Plan {
  return { said: planRepairs(said), memories: planMemoryRepairs(kept) };
}

function sizeOf({ said, memories }: Plan): number {
  return said.actions.length + memories.length;
}

async function optionsFor(
  engine: Engine,
  { conversation }: VerifyInput,
  { signal, onProgress }: Use,
): Promise<IntegrityOptions> {
  const { context, config } = engine;
  const scope = { tenant: config.tenant, agent: config.agent };
  const { id } =
    conversation === undefined ? { id: undefined } : await context.conversations.get(conversation);
  return {
    ...(id === undefined ? {} : { conversation: id, scope }),
    countTokens: internalsOf(engine).countTokens,
    signal,
    onProgress: ({ messages }) => onProgress?.({ done: messages, unit: "messages" }),
  };
}

function answer({ said, kept }: Found, plan: Plan | null): VerifyOutput {
  const { conversations, messages, summaries } = said;
  const problems = [...said.problems.map(toAnswer), ...kept.problems.map(toMemoryAnswer)];
  return {
    ok: problems.length === 0,
    conversations,
    messages,
    summaries,
    memories: kept.memories,
    certificates: null,
    problems,
    plan: plan === null ? null : planned(plan),
    repaired: null,
    backup: null,
    damagedFile: null,
    recovered: [],
    lost: [],
  };
}

function planned({ said, memories }: Plan) {
  return [
    ...said.actions.map(({ action: _, ...repair }) => ({ ...repair, memory: null })),
    ...memories.map(({ repair: _, ...repair }) => ({ ...repair, conversation: null, agent: null })),
  ];
}

function toAnswer({ repair, last: _, ...problem }: Problem): VerifyProblem {
  return { ...problem, memory: null, repairable: repair !== null };
}

function toMemoryAnswer({ repair, ...problem }: FoundMemoryProblem): VerifyProblem {
  return { ...problem, conversation: null, agent: null, seq: null, repairable: repair !== null };
}
