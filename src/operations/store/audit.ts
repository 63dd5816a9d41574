import { z } from "zod";
import type { AuditRecord } from "../../store/store.ts";
import { counted } from "../../text/counted.ts";
import type { Look } from "../../text/terminal/look.ts";
import { table } from "../../text/terminal/table.ts";
import { defineOperation } from "../operation.ts";

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  records: z
    .array(
      z.strictObject({
        at: z.string().describe("Time of the action, ISO 8601 in UTC."),
        action: z.string().describe("The action: erase, erase-memory, delete-conversation or backup."),
        conversation: z.string().nullable().describe("Affected conversation."),
        detail: z
          .record(z.string(), z.unknown())
          .describe(
            "Counts, the ids of erased memories, the given reason and the certificate; for a backup, its location.",
          ),
      }),
    )
    .describe("The records of this page."),
  next: z.number().int().nullable().describe("`from` for the next page; null on the last page."),
});

export const audit = defineOperation({
  name: "audit",
  summary:
    "List erasures, deletions, and backups outside the default folder, oldest first. The log never contains the erased content.",
  input: z.strictObject({
    from: z
      .number()
      .int()
      .min(0)
      .exactOptional()
      .describe("Position to start from: `next` from the previous page."),
    limit: z.number().int().min(1).exactOptional().describe("Maximum number of records. Default 1,000."),
  }),
  output: outputSchema,
  command: {
    flags: { from: { value: "position" } },
    paged: true,
    text: (output, { look, again }) => {
      if (output.records.length === 0) return "No erasures, deletions or external backups are on record.";
      const listed = recordTable(output.records, look);
      return output.next === null ? listed : `${listed}\nThere are more: ${again({ from: output.next })}`;
    },
  },
  run: async ({ store, config }, input) => {
    const page = await store.scoped({ tenant: config.tenant, agent: config.agent }).auditLog(input);
    return { records: page.rows.map(toRecord), next: page.next };
  },
});

function toRecord({ detail, ...record }: AuditRecord) {
  const parsed: Record<string, unknown> = JSON.parse(detail);
  return { ...record, detail: parsed };
}

/** Fields that only `verify` uses, to check erasures. */
const CERTIFIED = new Set(["erased", "keys", "copies", "searched", "previous"]);

const WORDS: Readonly<Record<string, string>> = { reason: "reason:", copiesOf: "copies of" };

function describeDetail({ from, to, messages, lines, ...rest }: Record<string, unknown>): string {
  const range = typeof from === "number" ? [`messages ${from}–${String(to)}`] : [];
  const amount = typeof messages === "number" ? [`${counted(messages, "message")} erased`] : [];
  const others = Object.entries(rest)
    .filter(([name, value]) => value !== null && !CERTIFIED.has(name))
    .map(([name, value]) => `${WORDS[name] ?? name} ${[value].flat().join(" ")}`);
  return [
    ...range,
    ...amount,
    ...(typeof lines === "number" ? [counted(lines, "transcript line")] : []),
    ...others,
  ].join(", ");
}

function recordTable(records: Output["records"], look: Look): string {
  const rows = records.map(({ at, action, conversation, detail }) => [
    look.time(at),
    action,
    conversation ?? "",
    describeDetail(detail),
  ]);
  const columns = [
    { title: "when" },
    { title: "what" },
    { title: "conversation" },
    { title: "detail", flexible: true },
  ] as const;
  return table(columns, rows, look);
}
