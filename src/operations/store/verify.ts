import { z } from "zod";
import type { Engine } from "../../engine.ts";
import { conversationName } from "../conversation-schema.ts";
import { defineOperation, type Use } from "../operation.ts";
import type { Setup } from "../setup.ts";
import { renderFindings } from "./verify-page.ts";

const place = {
  conversation: z.string().nullable().describe("Conversation it concerns; null for the whole store."),
  tenant: z.string().nullable().describe("Its tenant."),
  agent: z.string().nullable().describe("Its agent; null where it concerns a memory."),
  memory: z.string().nullable().describe("Memory it concerns, if it concerns one."),
};

export type VerifyProblem = z.infer<typeof problemSchema>;
const problemSchema = z.strictObject({
  check: z.string().describe("Which check found it."),
  ...place,
  seq: z.number().int().nullable().describe("Message it concerns, if it concerns one."),
  message: z.string().describe("What is wrong."),
  repairable: z.boolean().describe("Whether it can be mended without loss; otherwise only a backup helps."),
});

export type VerifyInput = z.infer<typeof inputSchema>;
const inputSchema = z.strictObject({
  conversation: conversationName
    .exactOptional()
    .describe("Only this conversation. Default: the whole store."),
  plan: z.boolean().exactOptional().describe("Also say which repairs would be made. Default false."),
  repair: z
    .boolean()
    .exactOptional()
    .describe(
      "Make the repairs, after a backup. A damaged SQLite database is read into a new one and kept under another name. Default false.",
    ),
  erasure: z
    .boolean()
    .exactOptional()
    .describe(
      "Check only what was erased: the certificates, that it is still gone, and that the files are clean; with repair, clean them. Default false.",
    ),
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
  certificates: z
    .number()
    .int()
    .nullable()
    .describe("Certificates of erasures that were checked, where only these were asked for."),
  problems: z.array(problemSchema).describe("What was found; after repairs, what is left."),
  plan: z
    .array(z.strictObject({ ...place, description: z.string().describe("What is done.") }))
    .nullable()
    .describe("The repairs, when a plan or repairs were asked for."),
  repaired: z.number().int().nullable().describe("Repairs made, when repairs were asked for."),
  backup: z.string().nullable().describe("Backup that was made before the repairs, if any were made."),
  damagedFile: z
    .string()
    .nullable()
    .describe("Where the damaged database is kept, when a new one was made from what could be read of it."),
  lost: z
    .array(z.string())
    .describe("What could not be read of the damaged database, and repairs that could not be made."),
});

export const verify = defineOperation({
  name: "verify",
  summary:
    "Check every hash, order and link in the store. Optionally plan or apply repairs that lose nothing.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["conversation"],
    working: "checking",
    question: (_: Engine | Setup, { repair, erasure }: VerifyInput) =>
      repair === true && erasure !== true ? "Repair the store, after a backup?" : null,
    outcome: ({ ok }) => (ok ? undefined : "found-problems"),
    text: renderFindings,
  },
  runsOn: "setup",
  run: async (on: Engine | Setup, input, use: Use) => {
    const { verifyEngine, verifyPlace } = await import("./verify-place.ts");
    return "store" in on ? verifyEngine(on, input, use) : verifyPlace(on, input, use);
  },
});
