import path from "node:path";
import { z } from "zod";
import { type Engine, internalsOf } from "../../engine.ts";
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import { type ArchiveReport, archiveLines, emptyReport, writeArchive } from "../../store/archive.ts";
import type { DumpDamage } from "../../store/store.ts";
import { givenId } from "../../text/given.ts";
import { defineOperation, type Use } from "../operation.ts";
import { archiveSchema } from "./archive-schema.ts";
import { archiveOptions, timestamp } from "./backups.ts";
import { goesToOutput, refuseTwoOutputs, renderExport, renderHtmlExport } from "./written-page.ts";

const leftOutSchema = z.strictObject({
  conversation: z
    .string()
    .nullable()
    .describe("The conversation that was left out; null for the memories or the audit log."),
  messages: z.number().int().describe("Number of messages that it should have."),
  fromSeq: z
    .number()
    .int()
    .nullable()
    .describe("The first unreadable message; null if all are readable and something else is damaged."),
  problem: z.string().describe("The problem."),
}) satisfies z.ZodType<DumpDamage>;

export type ExportOutput = z.infer<typeof outputSchema>;
const outputSchema = archiveSchema.omit({ damages: true }).extend({
  leftOut: z
    .array(leftOutSchema)
    .describe(
      "Items that could not be read because the database is damaged; empty if the export is complete.",
    ),
});

export const exportStore = defineOperation({
  name: "export",
  summary:
    "Export the whole store, every tenant and agent, as JSON lines that `lcm import` loads into SQLite or PostgreSQL. From a damaged store, it exports what is intact.",
  input: z.strictObject({
    file: z
      .string()
      .min(1)
      .exactOptional()
      .describe(
        "File to write, compressed when its name ends in .zst; - is standard output. Default: standard output in a pipe, else palimpsest-export-<time>.jsonl in the current folder.",
      ),
    html: givenId
      .exactOptional()
      .describe(
        "Write this conversation as one HTML file instead, which shows it without a server. It contains every word of the conversation.",
      ),
    withoutToolResults: z
      .boolean()
      .exactOptional()
      .describe(
        "With `html`: leave tool results out of the file. Summaries and answers may still quote them.",
      ),
  }),
  output: outputSchema,
  command: {
    examples: [
      ["lcm export -o everything.jsonl.zst", "the whole store"],
      ["lcm export --html my-session -o session.html", "one conversation, for a browser"],
    ],
    flags: { file: { name: "output", letter: "o", value: "file" }, html: { value: "conversation" } },
    working: "exporting",
    refuse: (input, asked) => refuseUnusedOption(input) ?? refuseTwoOutputs(input, asked),
    stream: (engine, { file, html, withoutToolResults }, { isPiped }) => {
      if (html === undefined) return goesToOutput(file, isPiped) ? exportLines(engine) : undefined;
      return file === "-" ? pageBytes(engine, html, withoutToolResults === true) : undefined;
    },
    outcome: ({ leftOut }) => (leftOut.length > 0 ? "found-problems" : undefined),
    text: (output, { input }) =>
      input.html === undefined ? renderExport(output) : renderHtmlExport(output, input),
  },
  readsDamaged: true,
  run: async (engine, { html, withoutToolResults, ...input }, use) => {
    if (html !== undefined) return exportPage(engine, html, withoutToolResults === true, input.file);
    const file = path.resolve(
      input.file ?? `palimpsest-export-${timestamp(internalsOf(engine).clock())}.jsonl`,
    );
    try {
      return { ...withoutDamages(await writeArchive(engine.store, file, archiveOptions(use))), leftOut: [] };
    } catch (error) {
      if (!isPalimpsestError(error, "store-corrupt")) throw error;
      return exportSound(engine, file, use);
    }
  },
});

/** An export of the whole store is complete: it must not look as if it left something out. */
function refuseUnusedOption({
  html,
  withoutToolResults,
}: {
  readonly html?: string;
  readonly withoutToolResults?: boolean;
}): PalimpsestError | undefined {
  if (withoutToolResults !== true || html !== undefined) return undefined;
  return new PalimpsestError("invalid-input", "`withoutToolResults` requires `html`", {
    advice: "Name the conversation with `html`. An export of the whole store always has all tool results.",
  });
}

async function exportPage(engine: Engine, html: string, withoutToolResults: boolean, file?: string) {
  const { exportHtml } = await import("./export-html.ts");
  const { id } = await engine.context.conversations.get(html);
  return exportHtml(engine, id, { withoutToolResults, file: file ?? `${id}.html` });
}

async function* pageBytes(engine: Engine, html: string, withoutToolResults: boolean) {
  const { streamHtml } = await import("./export-html.ts");
  const { id } = await engine.context.conversations.get(html);
  yield* streamHtml(engine, id, { withoutToolResults });
}

/** Exports the intact part of a damaged store. Reads everything twice, so it is used only after damage is found. */
async function exportSound({ store }: Engine, file: string, use: Use) {
  const leftOut: DumpDamage[] = [];
  const onDamage = (damage: DumpDamage) => leftOut.push(damage);
  return {
    ...withoutDamages(await writeArchive(store, file, { ...archiveOptions(use), onDamage })),
    leftOut,
  };
}

function withoutDamages({ damages: _, ...report }: ArchiveReport) {
  return report;
}

/** The same lines for a caller with a stream instead of a file. */
export function exportLines(engine: Engine): AsyncIterable<string> {
  return archiveLines(engine.store, emptyReport(""));
}
