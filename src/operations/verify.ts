import { z } from "zod";
import { checkIntegrity, type IntegrityOptions } from "../context/verify/check-integrity.ts";
import type { IntegrityReport, Problem } from "../context/verify/integrity.ts";
import { applyRepairs, planRepairs, type RepairPlan } from "../context/verify/plan-repairs.ts";
import type { Engine } from "../engine.ts";
import { conversationName } from "./conversation-schema.ts";
import { defineOperation, type Use } from "./operation.ts";
import { writeBackup } from "./write-backup.ts";

const place = {
  conversation: z.string().nullable().describe("Conversation it concerns; null for the whole store."),
  tenant: z.string().nullable().describe("Its tenant."),
  agent: z.string().nullable().describe("Its agent."),
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

export const verify = defineOperation({
  name: "verify",
  summary:
    "Check every hash, order and link in the store; on request plan or make the repairs that lose nothing.",
  input: inputSchema,
  output: z.strictObject({
    ok: z.boolean().describe("Whether nothing is wrong (any more)."),
    conversations: z.number().int().describe("Conversations that were checked."),
    messages: z.number().int().describe("Messages that were checked."),
    summaries: z.number().int().describe("Summaries that were checked."),
    problems: z.array(problemSchema).describe("What was found; after repairs, what is left."),
    plan: z
      .array(z.strictObject({ ...place, description: z.string().describe("What is done.") }))
      .nullable()
      .describe("The repairs, when a plan or repairs were asked for."),
    repaired: z.number().int().nullable().describe("Repairs made, when repairs were asked for."),
    backup: z.string().nullable().describe("Backup that was made before the repairs, if any were made."),
  }),
  run: async (engine, input, use) => {
    const check = async () => checkIntegrity(engine.store, await optionsFor(engine, input, use));
    const report = await check();
    if (input.plan !== true && input.repair !== true) return answer(report, null);
    const plan = planRepairs(report);
    if (input.repair !== true) return answer(report, plan);
    if (plan.actions.length === 0) return { ...answer(report, plan), repaired: 0 };
    const { file } = await writeBackup(engine, { ...use, suffix: "-before-repair" });
    const { applied } = await applyRepairs(engine.store, plan);
    return { ...answer(await check(), plan), repaired: applied, backup: file };
  },
});

async function optionsFor(
  { context, config }: Engine,
  { conversation }: z.infer<typeof inputSchema>,
  { signal, onProgress }: Use,
): Promise<IntegrityOptions> {
  const scope = { tenant: config.tenant, agent: config.agent };
  const { id } = conversation === undefined ? { id: undefined } : await context.conversation(conversation);
  return {
    ...(id === undefined ? {} : { conversation: id, scope }),
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined
      ? {}
      : { onProgress: ({ messages }) => onProgress({ done: messages, unit: "messages" }) }),
  };
}

function answer(
  { ok, conversations, messages, summaries, problems }: IntegrityReport,
  plan: RepairPlan | null,
) {
  const planned = plan?.actions.map(({ action: _, ...action }) => action) ?? null;
  const found = { ok, conversations, messages, summaries, problems: problems.map(toAnswer) };
  return { ...found, plan: planned, repaired: null, backup: null };
}

function toAnswer({ repair, ...problem }: Problem): z.infer<typeof problemSchema> {
  return { ...problem, repairable: repair !== null };
}
