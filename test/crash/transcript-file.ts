/**
 * A host's transcript that grows, as the crash tests write it: each line follows from the file's name and the
 * line's number, so that a line that was torn by a kill can be completed by the next process.
 */
import { appendFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { seededRandom } from "./seeded-random.ts";

export interface FileLine {
  readonly text: string;
  readonly isMessage: boolean;
}

export function transcriptPath(folder: string, name: string): string {
  return path.join(folder, `${name}.jsonl`);
}

export function transcriptLine(name: string, number: number): FileLine {
  const random = seededRandom(`${name}:${number}`);
  const content = random.chance(0.3) ? "ok" : "word ".repeat(random.below(random.chance(0.1) ? 2_000 : 40));
  const role = random.pick(["user", "assistant"]);
  // The first line has to show what kind of file this is.
  if (number === 0 || random.chance(0.5)) return message({ role, content });
  if (random.chance(0.6)) return message({ id: `${name}-${number}`, role, content });
  if (random.chance(0.6))
    return { text: JSON.stringify({ type: "note", number, content }), isMessage: false };
  return { text: `{"role":"user","content":"broken ${number}`, isMessage: false };
}

function message(value: object): FileLine {
  return { text: JSON.stringify(value), isMessage: true };
}

/** Completes a torn last line and adds `count` lines; the last one may come without its end. */
export function growTranscript(file: string, name: string, count: number, tornAt: number | null): void {
  const before = readTranscript(file);
  const first = before.lastIndexOf("\n") + 1;
  const start = before.slice(0, first).split("\n").length - 1;
  const lines = Array.from({ length: count }, (_, index) => `${transcriptLine(name, start + index).text}\n`);
  if (tornAt !== null) {
    const { text } = transcriptLine(name, start + count);
    lines.push(text.slice(0, 1 + (tornAt % (text.length - 1))));
  }
  const wanted = lines.join("");
  const torn = before.slice(first);
  if (wanted.startsWith(torn)) appendFileSync(file, wanted.slice(torn.length));
}

export function readTranscript(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

/** The message lines among the complete lines of the first `characters` of a transcript. */
export function messageLinesWithin(name: string, characters: number): string[] {
  const messages: string[] = [];
  for (let number = 0, end = 0; ; number++) {
    const line = transcriptLine(name, number);
    end += line.text.length + 1;
    if (end > characters) return messages;
    if (line.isMessage) messages.push(line.text);
  }
}

export function transcriptStart(name: string, characters: number): string {
  let text = "";
  for (let number = 0; text.length < characters; number++) text += `${transcriptLine(name, number).text}\n`;
  return text.slice(0, characters);
}
