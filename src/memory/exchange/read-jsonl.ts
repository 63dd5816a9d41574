/**
 * Reads our JSON lines. A line that does not contain a memory is reported with its number and the reason, and the
 * rest is read; only a file without a readable header is not read at all. Truncation is reported.
 */
import { z } from "zod";
import { describeMisfits, sentenceOf } from "../../text/describe-misfit.ts";
import { jsonProblem } from "../../text/json-problem.ts";
import { type ExchangedMemory, exchangedMemoryOf } from "./exchanged-memory.ts";
import { JSONL_FORM, JSONL_VERSION } from "./write-jsonl.ts";

type JsonlItem =
  | { readonly line: number; readonly memory: ExchangedMemory }
  | { readonly line: number; readonly problem: string };

const headerSchema = z.strictObject({
  palimpsest: z.literal(JSONL_FORM),
  version: z.literal(JSONL_VERSION),
  exportedAt: z.iso.datetime({ precision: 3 }),
});
const endSchema = z.strictObject({ palimpsest: z.literal("end"), memories: z.int().min(0) });

export async function* readJsonl(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<JsonlItem> {
  let line = 0;
  let hasHeader = false;
  let memories = 0;
  let end: number | undefined;
  for await (const text of withoutMark(lines)) {
    line += 1;
    if (text.trim() === "") continue;
    const read = parse(text);
    if (!hasHeader) {
      const problem = headerProblem(read);
      if (problem !== undefined) return yield { line, problem };
      hasHeader = true;
    } else if (end !== undefined) {
      yield { line, problem: "is after the closing line of the file and was not read" };
    } else {
      end = endOf(read);
      if (end !== undefined) continue;
      memories += 1;
      yield { line, ...memoryOf(read) };
    }
  }
  const problem = endProblem({ hasHeader, memories, end });
  if (problem !== undefined) yield { line: Math.max(1, line), problem };
}

async function* withoutMark(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const text of lines) {
    yield isFirst ? text.replace(/^\ufeff/, "") : text;
    isFirst = false;
  }
}

type Parsed = { readonly value: unknown } | { readonly problem: string };

function parse(text: string): Parsed {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: `is not JSON, or is truncated: ${jsonProblem(error)}` };
  }
}

function headerProblem(read: Parsed): string | undefined {
  if ("problem" in read) return `${read.problem}; a header of Palimpsest was expected`;
  const { value } = read;
  const { error } = headerSchema.safeParse(value);
  if (error === undefined) return undefined;
  const version = z.looseObject({ palimpsest: z.literal(JSONL_FORM), version: z.number() }).safeParse(value);
  if (version.success && version.data.version > JSONL_VERSION)
    return `has format version ${version.data.version}, but only ${JSONL_VERSION} is supported: update Palimpsest`;
  const misfits = sentenceOf(describeMisfits(error, value, { isPrivate: true }));
  return `is not the header of a memory export: ${misfits}`;
}

function endOf(read: Parsed): number | undefined {
  return "value" in read ? endSchema.safeParse(read.value).data?.memories : undefined;
}

function memoryOf(read: Parsed): { memory: ExchangedMemory } | { problem: string } {
  return "problem" in read ? read : exchangedMemoryOf(read.value);
}

interface Ending {
  readonly hasHeader: boolean;
  /** Lines between the header and the end, whether or not they could be read. */
  readonly memories: number;
  readonly end: number | undefined;
}

function endProblem({ hasHeader, memories, end }: Ending): string | undefined {
  if (!hasHeader) return "the file is empty";
  if (end === undefined)
    return "is the last line, but the closing line is missing: the file is truncated and may have had more memories";
  if (end !== memories) return `states ${end} memories, but the file has ${memories}`;
  return undefined;
}
