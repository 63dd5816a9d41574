/** Searches inside files, for `grep` with scope `files`. */
import { z } from "zod";
import { rangeInput } from "../../context/inputs.ts";
import type { GrepFilesResult } from "../../context/retrieve/files/grep-files.ts";
import type { Engine } from "../../engine.ts";
import { PalimpsestError } from "../../errors.ts";
import { SEARCHED_BYTES } from "../../store/file-store.ts";
import type { GrepArguments, GrepOutput } from "../retrieve/grep.ts";
import { snippetSchema } from "../retrieve/snippet-schema.ts";

const whole = z.int();

const fileHitSchema = z.strictObject({
  id: z.string().describe("Id of the file, to read around the hit."),
  name: z.string().nullable().describe("Name of the file, if it has one."),
  tool: z.string().nullable().describe("For a tool result: name of the tool."),
  conversation: z.string().describe("Id of the conversation."),
  message: z.string().describe("Id of the message that contains the file."),
  line: whole.describe("Line of the hit, from 1."),
  byte: whole.describe(
    "Byte offset of the line; in a line of more than 4,096 bytes, each match is a hit, and this is the offset of the match.",
  ),
  snippet: snippetSchema,
  around: rangeInput.describe(
    "Arguments of describe to read around the hit: lines, or bytes for a long line.",
  ),
});

export const fileHits = {
  fileHits: z
    .array(fileHitSchema)
    .describe("With scope files: matching lines, or matches in long lines, newest file first."),
  filesRead: whole.describe("With scope files: files that were searched completely in this call."),
  bytesRead: whole.describe("With scope files: bytes that were searched in this call."),
  unreadable: z.array(z.string()).describe("With scope files: ids of damaged files that were skipped."),
  filesApart: z
    .strictObject({
      files: whole.describe("Number of files, counted up to 1,000."),
      large: whole.describe(`Those above ${SEARCHED_BYTES / 2 ** 20} MiB, which were not searched.`),
    })
    .nullable()
    .describe("If nothing was found: files that can be searched with scope files, if any."),
};

export const NO_FILE_HITS = { fileHits: [], filesRead: 0, bytesRead: 0, unreadable: [], filesApart: null };

/** The inputs that apply to lines of files. All others are rejected by name. */
const TAKEN: ReadonlySet<string> = new Set([
  ...["pattern", "mode", "ignoreCase", "scope"],
  ...["conversations", "limit", "maxTokens", "cursor"],
]);

export async function searchInFiles(
  engine: Engine,
  { scope: _, ...input }: GrepArguments,
  signal: AbortSignal | undefined,
): Promise<GrepOutput> {
  refuseOthers(input);
  if (input.mode === "hybrid")
    throw new PalimpsestError("invalid-input", "semantic search does not cover files", {
      advice: "Omit `mode`, or use `mode=regex` or `mode=exact`.",
    });
  const asked = { ...input, signal };
  const { hits, next, unreadable, ...read }: GrepFilesResult = await engine.context.files.grep(asked);
  const none = {
    hits: [],
    total: null,
    searched: 0,
    opened: 0,
    nearTools: [],
    meaning: null,
    filesApart: null,
  };
  return { ...none, fileHits: [...hits], unreadable: [...unreadable], next, ...read };
}

function refuseOthers(input: object): void {
  const other = Object.keys(input).find((name) => !TAKEN.has(name));
  if (other === undefined) return;
  throw new PalimpsestError("invalid-input", `${other} does not apply to files`, {
    advice:
      "Files are searched by pattern, mode, ignoreCase, conversations, limit, maxTokens and cursor. Omit it.",
  });
}

/** Files of the conversations that a search without hits covered. */
export async function filesApart(
  engine: Engine,
  conversations: readonly string[] | undefined,
): Promise<GrepOutput["filesApart"]> {
  const pages = await Promise.all(
    conversations?.map((conversation) => engine.context.files.list({ conversation })) ?? [
      engine.context.files.list(),
    ],
  );
  const files = pages.flatMap((page) => page.files);
  if (files.length === 0) return null;
  return { files: files.length, large: files.filter(({ bytes }) => bytes > SEARCHED_BYTES).length };
}
