import { z } from "zod";
import type { Engine } from "../../engine.ts";
import { conversationName } from "../conversations/conversation-schema.ts";
import { defineOperation, type Use } from "../operation.ts";
import type { Setup } from "../setup.ts";
import { renderFindings } from "./verify-page.ts";

const place = {
  conversation: z.string().nullable().describe("Affected conversation; null for the whole store."),
  tenant: z.string().nullable().describe("Tenant of the conversation or memory."),
  agent: z.string().nullable().describe("Agent of the conversation; null for a memory."),
  memory: z.string().nullable().describe("Affected memory; null if there is none."),
};

export type VerifyProblem = z.infer<typeof problemSchema>;
const problemSchema = z.strictObject({
  check: z.string().describe("Name of the check."),
  ...place,
  seq: z.number().int().nullable().describe("Affected message; null if there is none."),
  message: z.string().describe("The problem."),
  repairable: z
    .boolean()
    .describe(
      "Whether `repair` can repair it; otherwise restore a backup. Of a damaged database file, it recovers what is readable.",
    ),
});

export type VerifyInput = z.infer<typeof inputSchema>;
const inputSchema = z.strictObject({
  conversation: conversationName
    .exactOptional()
    .describe("Only this conversation. Default: the whole store."),
  plan: z.boolean().exactOptional().describe("Also list the repairs that would be made. Default false."),
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
      "Check erasures only: the certificates, that erased content is gone, and that the files are clean. With `repair`, also clean the files. Default false.",
    ),
});

export type VerifyOutput = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  ok: z.boolean().describe("Whether no problem was found, or all were repaired."),
  conversations: z.number().int().describe("Conversations that were checked."),
  messages: z.number().int().describe("Messages that were checked."),
  summaries: z.number().int().describe("Summaries that were checked."),
  memories: z
    .number()
    .int()
    .describe("Memories that were checked: all, or none if one conversation was named."),
  certificates: z
    .number()
    .int()
    .nullable()
    .describe("Certificates of erasures that were checked; only with `erasure`."),
  problems: z.array(problemSchema).describe("Problems that were found; after repairs, those that remain."),
  plan: z
    .array(z.strictObject({ ...place, description: z.string().describe("What the repair does.") }))
    .nullable()
    .describe("The repairs, if a plan or repairs were requested."),
  repaired: z.number().int().nullable().describe("Number of repairs made, if requested."),
  backup: z.string().nullable().describe("Backup from before the repairs, if any were made."),
  damagedFile: z
    .string()
    .nullable()
    .describe("New name of the damaged database, if its readable part was written to a new one."),
  recovered: z
    .array(z.string())
    .describe("Parts of the damaged database that could not be read, but of which no row is missing."),
  lost: z
    .array(z.string())
    .describe("Parts of the damaged database that could not be read, and repairs that could not be made."),
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
