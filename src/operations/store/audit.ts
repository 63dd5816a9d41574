import { z } from "zod";
import type { AuditRecord } from "../../store/store.ts";
import { defineOperation } from "../operation.ts";

export const audit = defineOperation({
  name: "audit",
  summary:
    "List what was erased and deleted, and which backups were put elsewhere, oldest first. It never says what the content was.",
  input: z.strictObject({
    from: z
      .number()
      .int()
      .min(0)
      .exactOptional()
      .describe("Position to start from: `next` of the page before."),
    limit: z.number().int().min(1).exactOptional().describe("Most records in the answer. Default 1,000."),
  }),
  output: z.strictObject({
    records: z
      .array(
        z.strictObject({
          at: z.string().describe("When it was done, ISO 8601 in UTC."),
          action: z.string().describe("What was done: erase, erase-memory, delete-conversation or backup."),
          conversation: z.string().nullable().describe("To which conversation."),
          detail: z
            .record(z.string(), z.unknown())
            .describe(
              "How much, the ids of the memories that lost their words, and the reason that was given; of a backup, where it was put.",
            ),
        }),
      )
      .describe("The records of this page."),
    next: z.number().int().nullable().describe("`from` of the next page; null when this is the last."),
  }),
  run: async ({ store, config }, input) => {
    const page = await store.scoped({ tenant: config.tenant, agent: config.agent }).auditLog(input);
    return { records: page.rows.map(toRecord), next: page.next };
  },
});

function toRecord({ detail, ...record }: AuditRecord) {
  const parsed: Record<string, unknown> = JSON.parse(detail);
  return { ...record, detail: parsed };
}
