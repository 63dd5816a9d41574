import { z } from "zod";
import type { MigrateFilesReport } from "../../context/files/migrate-files.ts";
import { migrateFilesInput } from "../../context/inputs.ts";
import type { Engine } from "../../engine.ts";
import { PalimpsestError } from "../../errors.ts";
import { bytes, counted } from "../../text/counted.ts";
import type { View } from "../command.ts";
import { conversationName } from "../conversations/conversation-schema.ts";
import { defineOperation } from "../operation.ts";

const count = z.int();

type Input = z.infer<typeof inputSchema>;
const inputSchema = migrateFilesInput.extend({
  conversation: conversationName
    .exactOptional()
    .describe("Only this conversation. Default: all of this tenant and agent, archived ones too."),
});

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  conversations: count.describe("Conversations that were checked."),
  looked: count.describe("Messages that were checked."),
  messages: count.describe("Messages that were changed, or would be changed."),
  files: count.describe("Results that were externalised or put back, or would be."),
  bytes: count.describe("Total size of these results."),
  tokens: count.describe(
    "Tokens that contexts save once these results are no longer fresh; with revert, tokens that they gain.",
  ),
  dryRun: z.boolean().describe("Whether this is only a preview and nothing was changed."),
});

export const migrateFiles = defineOperation<Input, Output, MigrateFilesReport>({
  name: "files-migrate",
  summary:
    "Externalise long tool results in old messages, or put them back. Re-running resumes where it left off.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["conversation"],
    examples: [
      ["lcm files migrate --dry-run", "preview the changes"],
      ["lcm files migrate", "all conversations; re-running resumes where it left off"],
      ["lcm files migrate my-session --revert"],
    ],
    progress: ({ looked, files, bytes: size }) =>
      `${counted(looked, "message")} checked, ${counted(files, "result")} (${bytes(size)}) moved …`,
    text: render,
    stopped: explainStop,
  },
  run: (engine, input, { signal, onProgress }) =>
    engine.context.files.migrate({
      ...input,
      signal,
      ...(onProgress === undefined ? {} : { onProgress }),
    }),
});

/** The error itself says what was done before. */
function explainStop(error: PalimpsestError, { again }: View<Input, Engine>): PalimpsestError {
  if (error.code !== "cancelled") return error;
  const kept = error.advice === undefined ? "; nothing was changed" : "";
  return new PalimpsestError("cancelled", `${error.message}${kept}`, {
    advice: `Resume with: ${again({ dryRun: undefined })}`,
    cause: error,
  });
}

function render(report: Output, { input: { revert = false }, again }: View<Input, Engine>): string {
  const { conversations, looked, messages, files, bytes: size, tokens, dryRun } = report;
  const where = `${counted(conversations, "conversation")}, ${counted(looked, "message")} checked`;
  if (files === 0) return `Nothing to ${revert ? "put back" : "externalise"}: ${where}.`;
  const verb = revert ? (dryRun ? "Would move" : "Moved") : dryRun ? "Would move" : "Moved";
  const place = `${revert ? "back into" : "out of"} ${counted(messages, "message")}`;
  const effect = `Contexts will have ${counted(tokens, "token")} ${revert ? "more" : "fewer"} once these results are no longer fresh.`;
  return [
    `${verb} ${counted(files, "result")} (${bytes(size)}) ${place}; ${where}.`,
    effect,
    ...(dryRun ? [`Nothing was changed. Apply with: ${again({ dryRun: undefined })}`] : []),
  ].join("\n");
}
