import { z } from "zod";
import { checkIntegrity, type IntegrityOptions } from "../../context/verify/check-integrity.ts";
import type { IntegrityReport, Problem } from "../../context/verify/integrity.ts";
import { applyRepairs, planRepairs, type RepairPlan } from "../../context/verify/plan-repairs.ts";
import type { Engine } from "../../engine.ts";
import { conversationName } from "../conversation-schema.ts";
import { defineOperation, type Use } from "../operation.ts";
import {
  type FoundMemoryProblem,
  type MemoryFindings,
  type PlannedMemoryRepair,
  planMemoryRepairs,
  repairMemories,
  verifyEveryMemory,
} from "./verify-memories.ts";
import { renderFindings } from "./verify-page.ts";
import { writeBackup } from "./write-backup.ts";

const place = {
  conversation: z.string().nullable().describe("Conversation it concerns; null for the whole store."),
  tenant: z.string().nullable().describe("Its tenant."),
  agent: z.string().nullable().describe("Its agent; null where it concerns a memory."),
  memory: z.string().nullable().describe("Memory it concerns, if it concerns one."),
};

const problemSchema = z.strictObject({
  check: z.string().describe("Which check found it."),
  ...place,
  seq: z.number().int().nullable().describe("Message it concerns, if it concerns one."),
  message: z.string().describe("What is wrong."),
  repairable: z.boolean().describe("Whether it can be mended without loss; otherwise only a backup helps."),
});

const inputSchema = z.strictObject({
  conversation: conversationName
    .exactOptional()
    .describe("Only this conversation. Default: the whole store."),
  plan: z.boolean().exactOptional().describe("Also say which repairs would be made. Default false."),
  repair: z.boolean().exactOptional().describe("Make the repairs, after a backup. Default false."),
});

export type VerifyOutput = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  ok: z.boolean().describe("Whether nothing is wrong (any more)."),
  conversations: z.number().int().describe("Conversations that were checked."),
  messages: z.number().int().describe("Messages that were checked."),
  summaries: z.number().int().describe("Summaries that were checked."),
  memories: z
    .number()
    .int()
    .describe("Memories that were checked: all, or none where one conversation was asked for."),
  problems: z.array(problemSchema).describe("What was found; after repairs, what is left."),
  plan: z
    .array(z.strictObject({ ...place, description: z.string().describe("What is done.") }))
    .nullable()
    .describe("The repairs, when a plan or repairs were asked for."),
  repaired: z.number().int().nullable().describe("Repairs made, when repairs were asked for."),
  backup: z.string().nullable().describe("Backup that was made before the repairs, if any were made."),
});

export const verify = defineOperation({
  name: "verify",
  summary:
    "Check every hash, order and link in the store; on request plan or make the repairs that lose nothing.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["conversation"],
    working: "checking",
    question: (_, { repair }) => (repair === true ? "Repair the store, after a backup?" : null),
    outcome: ({ ok }) => (ok ? undefined : "found-problems"),
    text: renderFindings,
  },
  run: async (engine, input, use) => {
    const found = await check(engine, input, use);
    if (input.plan !== true && input.repair !== true) return answer(found, null);
    const plan = planFor(found);
    if (input.repair !== true) return answer(found, plan);
    if (sizeOf(plan) === 0) return { ...answer(found, plan), repaired: 0 };
    const { file } = await writeBackup(engine, { ...use, suffix: "-before-repair" });
    await applyRepairs(engine.store, plan.said);
    await repairMemories(engine, plan.memories);
    return { ...answer(await check(engine, input, use), plan), repaired: sizeOf(plan), backup: file };
  },
});

interface Found {
  readonly said: IntegrityReport;
  readonly kept: MemoryFindings;
}

interface Plan {
  readonly said: RepairPlan;
  readonly memories: readonly PlannedMemoryRepair[];
}

/** Memories belong to no conversation: they are looked at when the whole store is. */
async function check(engine: Engine, input: z.infer<typeof inputSchema>, use: Use): Promise<Found> {
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
  { context, config }: Engine,
  { conversation }: z.infer<typeof inputSchema>,
  { signal, onProgress }: Use,
): Promise<IntegrityOptions> {
  const scope = { tenant: config.tenant, agent: config.agent };
  const { id } =
    conversation === undefined ? { id: undefined } : await context.conversations.get(conversation);
  return {
    ...(id === undefined ? {} : { conversation: id, scope }),
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined
      ? {}
      : { onProgress: ({ messages }) => onProgress({ done: messages, unit: "messages" }) }),
  };
}

function answer({ said, kept }: Found, plan: Plan | null) {
  const { conversations, messages, summaries } = said;
  const problems = [...said.problems.map(toAnswer), ...kept.problems.map(toMemoryAnswer)];
  return {
    ok: problems.length === 0,
    conversations,
    messages,
    summaries,
    memories: kept.memories,
    problems,
    plan: plan === null ? null : planned(plan),
    repaired: null,
    backup: null,
  };
}

function planned({ said, memories }: Plan) {
  return [
    ...said.actions.map(({ action: _, ...repair }) => ({ ...repair, memory: null })),
    ...memories.map(({ repair: _, ...repair }) => ({ ...repair, conversation: null, agent: null })),
  ];
}

function toAnswer({ repair, ...problem }: Problem): z.infer<typeof problemSchema> {
  return { ...problem, memory: null, repairable: repair !== null };
}

function toMemoryAnswer({ repair, ...problem }: FoundMemoryProblem): z.infer<typeof problemSchema> {
  return { ...problem, conversation: null, agent: null, seq: null, repairable: repair !== null };
}
