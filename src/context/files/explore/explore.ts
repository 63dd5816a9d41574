/**
 * A file too large for a message, described in at most 400 tokens: what it is, what is in it, and where. Read once as a
 * stream in constant memory; the same content gives the same words, and no credential is among them.
 */
import { counted } from "../../../text/counted.ts";
import { estimateTokens } from "../../../text/estimate-tokens.ts";
import { byteSize } from "./byte-size.ts";
import { type DecodedText, decodeText } from "./decode-text.ts";
import { describeBinary } from "./describe-binary.ts";
import type { Beginning, Exploration, ExploreInput, Findings } from "./exploration.ts";
import { fitSections } from "./fit-sections.ts";
import { recogniseKind } from "./recognise-kind.ts";
import { startReading } from "./start-reading.ts";

/** What was noticed while the text went by, whatever its kind. */
interface Passed {
  readonly findings: Findings;
  readonly lines: number;
  readonly badCharacters: number;
  readonly complete: boolean;
}

export async function explore(input: ExploreInput): Promise<Exploration> {
  const text = await decodeText(input);
  if (text.encoding === null) return summarise(input, text, binary(text.head));
  return summarise(input, text, await read(input, text));
}

function binary(head: Uint8Array): Passed {
  return { findings: describeBinary(head), lines: 0, badCharacters: 0, complete: false };
}

async function read(input: ExploreInput, { pieces, head }: DecodedText): Promise<Passed> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  const beginning: Beginning = {
    ...{ name: input.name, mime: input.mime, bytes: input.bytes },
    head: first.done === true ? "" : first.value,
    isWhole: head.length >= input.bytes,
  };
  const reading = startReading(recogniseKind(beginning), beginning);
  let [lines, badCharacters, last, complete] = [0, 0, "", false];
  for (let piece = first; ; piece = await iterator.next()) {
    complete = piece.done === true;
    if (piece.done === true) break;
    if (reading.isDone) break;
    reading.write(piece.value);
    lines += occurrences(piece.value, "\n");
    badCharacters += occurrences(piece.value, "\ufffd");
    last = piece.value.at(-1) ?? last;
  }
  await iterator.return?.();
  if (last !== "" && last !== "\n") lines++;
  return { findings: await reading.finish(), lines, badCharacters, complete };
}

function occurrences(text: string, sign: string): number {
  let found = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) found++;
  return found;
}

function summarise(input: ExploreInput, { encoding }: DecodedText, passed: Passed): Exploration {
  const { findings, complete, badCharacters } = passed;
  const facts = [byteSize(input.bytes)];
  if (complete && passed.lines > 0) facts.push(counted(passed.lines, "line"));
  if (encoding !== null && encoding !== "utf-8")
    facts.push(encoding === "windows-1252" ? "not UTF-8, read as Latin" : "UTF-16");
  if (badCharacters > 0) facts.push(`${counted(badCharacters, "character")} not valid UTF-8`);
  const title = `${findings.label}, ${[...facts, ...findings.facts].join(", ")}.`;
  const text = fitSections(title, findings.sections);
  return { kind: findings.kind, title, text, tokens: estimateTokens(text), complete };
}
