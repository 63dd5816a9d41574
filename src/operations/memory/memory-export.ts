import path from "node:path";
import { z } from "zod";
import { type Engine, internalsOf } from "../../engine.ts";
import { PalimpsestError } from "../../errors.ts";
import type { ExchangedMemory } from "../../memory/exchange/exchanged-memory.ts";
import { writeJsonl } from "../../memory/exchange/write-jsonl.ts";
import { writeMarkdown } from "../../memory/exchange/write-markdown.ts";
import { listInput } from "../../memory/inputs.ts";
import { bytes, counted } from "../../text/counted.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { commandsForTerminals } from "../../text/hints/advice-for-terminals.ts";
import { quoted } from "../../text/terminal/quoted.ts";
import { isoTime } from "../../text/timestamps.ts";
import { defineOperation, type Use } from "../operation.ts";
import { timestamp } from "../store/backups.ts";
import { writeNewFile } from "../store/write-new-file.ts";
import { goesToOutput, refuseTwoOutputs } from "../store/written-page.ts";

const { scopes, categories, states } = listInput.shape;

type Selection = z.infer<typeof selection>;
const selection = z.strictObject({
  format: z
    .enum(["jsonl", "markdown"])
    .exactOptional()
    .describe(
      "jsonl: exact and complete. markdown: for people to read and edit. Default: by the file's extension, else jsonl.",
    ),
  scopes,
  categories,
  states: states.describe("active, superseded, archived or erased. Default: all."),
});

const inputSchema = selection.extend({
  file: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      "File to write; - is standard output. Default: standard output in a pipe, else memories-<time>.jsonl in the current folder.",
    ),
});

const outputSchema = z.strictObject({
  file: z.string().describe("The file that was written."),
  format: z.enum(["jsonl", "markdown"]).describe("Format of the file."),
  memories: z.int().describe("Number of memories in it."),
  bytes: z.int().describe("Size of the file."),
});

const ELSEWHERE = commandsForTerminals(" dataDir=<folder> (or databaseUrl=<url>)").trim();

export const exportMemories = defineOperation({
  name: "memory-export",
  summary: "Export memories with their metadata, for another store or for people.",
  input: inputSchema,
  output: outputSchema,
  command: {
    flags: { file: { name: "output", letter: "o", value: "file" } },
    examples: [
      ["lcm memory export", "all of them, as JSON lines"],
      ["lcm memory export --output memories.md", "to read and edit by hand, then import again"],
      ["lcm memory export --output - --state active | jq .abstract"],
    ],
    working: "exporting",
    refuse: (input, asked) => refuseTwoOutputs(input, asked),
    stream: (engine, { file, ...input }, { isPiped }) =>
      goesToOutput(file, isPiped) ? exportPieces(engine, input, { memories: 0 }, {}) : undefined,
    text: ({ file, memories, bytes: size }) =>
      [
        `Export: ${escapeControls(file)}`,
        `${counted(memories, "memory", "memories")}, ${bytes(size)}.`,
        `Import it into another store with: lcm memory import ${quoted(escapeControls(file))} ${ELSEWHERE}`,
      ].join("\n"),
  },
  run: async (engine, { file, ...input }, use) => {
    const format = input.format ?? (/\.(md|markdown)$/i.test(file ?? "") ? "markdown" : "jsonl");
    const ending = format === "markdown" ? "md" : "jsonl";
    const target = path.resolve(file ?? `memories-${timestamp(internalsOf(engine).clock())}.${ending}`);
    const counter = { memories: 0 };
    const pieces = encoded(exportPieces(engine, { ...input, format }, counter, use));
    const { bytes } = await writeNewFile(target, pieces);
    return { file: target, format, memories: counter.memories, bytes };
  },
});

/** The same text for a caller with a stream instead of a file. */
export async function* exportPieces(
  engine: Engine,
  { format, ...query }: Selection,
  counter: { memories: number },
  use: Use,
): AsyncGenerator<string> {
  const head = { exportedAt: isoTime(internalsOf(engine).clock()) };
  const memories = counting(engine, query, counter, use);
  if (format !== "markdown") return yield* writeJsonl(memories, head);
  // Markdown is sorted by scope and category, so all memories must be read first.
  const all: ExchangedMemory[] = [];
  for await (const one of memories) all.push(one);
  yield* writeMarkdown(all, head);
}

async function* counting(
  { memory }: Engine,
  query: Omit<Selection, "format">,
  counter: { memories: number },
  { signal, onProgress }: Use,
) {
  for await (const one of memory.exchange.export(query)) {
    if (signal?.aborted === true)
      throw new PalimpsestError("cancelled", "the export was cancelled before it finished");
    counter.memories++;
    if (counter.memories % 100 === 0) onProgress?.({ done: counter.memories, unit: "memories" });
    yield one;
  }
}

async function* encoded(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield encoder.encode(piece);
}
