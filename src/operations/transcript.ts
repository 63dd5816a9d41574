import { z } from "zod";
import { transcriptInput } from "../context/inputs.ts";
import { type Engine, internalsOf } from "../engine.ts";
import { everyRow } from "../store/every-row.ts";
import type { Transcript } from "../store/store.ts";
import { bytes, count } from "../text/counted.ts";
import type { Look } from "../text/terminal/look.ts";
import { table } from "../text/terminal/table.ts";
import { MESSAGE_FORMATS } from "../types.ts";
import { conversationName } from "./conversations/conversation-schema.ts";
import { defineOperation } from "./operation.ts";
import { writeNewFile } from "./store/write-new-file.ts";
import { refuseTwoOutputs, wroteFile } from "./store/written-page.ts";

const whole = z.number().int();

const versionSchema = z.strictObject({
  number: whole.describe("Version number, from 1."),
  path: z.string().describe("Path of the imported file."),
  format: z.enum(MESSAGE_FORMATS).describe("The host's format."),
  previous: whole.nullable().describe("The version whose first lines it shares; null if there is none."),
  sharedLines: whole.describe("Number of shared lines."),
  lines: whole.describe("Lines of this version, including shared ones."),
  bytes: whole.describe("Size of the file when it was last read."),
  updatedAt: z.string().describe("When it was last read, ISO 8601 in UTC."),
});

const unreadableSchema = z.strictObject({
  version: whole.describe("Version of the transcript."),
  line: whole.describe("Number of the line, from 1."),
  problem: z.string().describe("Why it is not readable. Its bytes are kept."),
});

const inputSchema = z.strictObject({
  conversation: conversationName,
  version: transcriptInput.shape.version,
  output: z
    .string()
    .min(1)
    .exactOptional()
    .describe("File to write the transcript to. It must not exist yet; - is standard output."),
});

const viewSchema = z.strictObject({
  versions: z.boolean().exactOptional().describe("List the versions of the file that are on record."),
  unreadable: z.boolean().exactOptional().describe("List the lines that could not be parsed."),
});

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  conversation: z.string().describe("Id of the conversation."),
  versions: z.array(versionSchema).describe("Versions of the file that are on record, oldest first."),
  unreadable: z.array(unreadableSchema).describe("Lines that are kept but not readable."),
  written: z
    .strictObject({
      file: z.string().describe("The file that was written."),
      bytes: whole.describe("Its size."),
    })
    .nullable()
    .describe("The written file; null if none was named."),
});

export const transcript = defineOperation({
  name: "transcript",
  summary: "Write the host's transcript file, byte for byte, or list its versions and unreadable lines.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["conversation"],
    flags: { output: { letter: "o", value: "file" }, version: { name: "number", value: "version" } },
    view: viewSchema,
    refuse: ({ output: file }, asked) => refuseTwoOutputs({ file }, asked),
    stream: (engine, input, view) => {
      const { versions, unreadable } = view.flags(viewSchema);
      const isListing = versions === true || unreadable === true;
      const isStreamed = input.output === undefined ? !isListing : input.output === "-";
      return isStreamed ? transcriptBytes(engine, input) : undefined;
    },
    text: (output, view) => {
      const { versions, unreadable } = view.flags(viewSchema);
      return [
        ...(output.written === null ? [] : [wroteFile(output.written)]),
        ...(versions === true ? [versionTable(output, view.look)] : []),
        ...(unreadable === true ? [unreadableTable(output, view.look)] : []),
      ].join("\n");
    },
  },
  run: async (engine, input) => {
    const { id } = await engine.context.conversations.get(input.conversation);
    const store = internalsOf(engine).conversations;
    const versions = await store.transcripts(id);
    const unreadable: z.infer<typeof unreadableSchema>[] = [];
    for (const { number } of versions) {
      const query = { transcript: number, kinds: ["unreadable", "torn"] as const, withoutContent: true };
      for await (const { line, problem } of everyRow((from) => store.transcriptLines(id, { ...query, from })))
        unreadable.push({ version: number, line: line + 1, problem: problem ?? "the line was torn" });
    }
    const written =
      input.output === undefined ? null : await writeNewFile(input.output, transcriptBytes(engine, input));
    return { conversation: id, versions: versions.map(toVersion), unreadable, written };
  },
});

/** The bytes, for a caller with a stream instead of a file. */
export function transcriptBytes(
  engine: Engine,
  { conversation, version }: Pick<z.infer<typeof inputSchema>, "conversation" | "version">,
): AsyncIterable<Uint8Array> {
  return engine.context.conversations.transcript({
    conversation,
    ...(version === undefined ? {} : { version }),
  });
}

function toVersion({ lineCount, size, ...version }: Transcript): z.infer<typeof versionSchema> {
  const { number, path: file, format, previous, sharedLines, updatedAt } = version;
  return { number, path: file, format, previous, sharedLines, lines: lineCount, bytes: size, updatedAt };
}

function versionTable({ versions }: Output, look: Look): string {
  if (versions.length === 0) return "This conversation was not imported from a file.";
  const columns = [
    { title: "version", align: "right" },
    { title: "lines", align: "right" },
    { title: "size", align: "right" },
    { title: "shared lines", optional: true },
    { title: "read" },
    { title: "file", flexible: true },
  ] as const;
  const rows = versions.map((version) => [
    String(version.number),
    count(version.lines),
    bytes(version.bytes),
    version.previous === null ? "" : `${count(version.sharedLines)} with version ${version.previous}`,
    look.time(version.updatedAt),
    version.path,
  ]);
  return table(columns, rows, look);
}

function unreadableTable({ unreadable }: Output, look: Look): string {
  if (unreadable.length === 0) return "All lines are readable.";
  const columns = [
    { title: "version", align: "right" },
    { title: "line", align: "right" },
    { title: "problem" },
  ] as const;
  return table(
    columns,
    unreadable.map(({ version, line, problem }) => [String(version), String(line), problem]),
    look,
  );
}
