import { z } from "zod";
import type { MigrateFilesReport } from "../../context/files/migrate-files.ts";
import { conversationName } from "../conversation-schema.ts";
import { defineOperation } from "../operation.ts";

const count = z.int();

const inputSchema = z.strictObject({
  conversation: conversationName
    .exactOptional()
    .describe("Only this conversation. Default: all of this tenant and agent, archived ones too."),
  dryRun: z.boolean().exactOptional().describe("Only tell what would be done. Default false."),
  revert: z.boolean().exactOptional().describe("Put back what an earlier run took out. Default false."),
});

const outputSchema = z.strictObject({
  conversations: count.describe("Conversations that were looked through."),
  looked: count.describe("Messages that were looked at."),
  messages: count.describe("Messages that were changed, or would be."),
  files: count.describe("Results that were taken out or put back, or would be."),
  bytes: count.describe("Their size."),
  tokens: count.describe(
    "Tokens by which contexts get smaller once these results are old; reverted, larger.",
  ),
  dryRun: z.boolean().describe("Whether nothing was changed."),
});

export const migrateFiles = defineOperation<
  z.infer<typeof inputSchema>,
  z.infer<typeof outputSchema>,
  MigrateFilesReport
>({
  name: "files-migrate",
  summary:
    "Keep long results of tools in old messages apart, or put them back; again goes on where it stopped.",
  input: inputSchema,
  output: outputSchema,
  run: (engine, input, { signal, onProgress }) =>
    engine.context.files.migrate({
      ...input,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    }),
});
