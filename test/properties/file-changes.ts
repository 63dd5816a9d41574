/** What hosts and people do to a transcript file, as random changes of its lines. */
import fc from "fast-check";
import type { ModelLine } from "./transcript-model.ts";

export type FileChange =
  | { readonly change: "grow"; readonly lines: readonly LineSeed[] }
  /** The last line is there in part, or wholly but without its line feed. */
  | { readonly change: "tear"; readonly line: LineSeed; readonly at: number }
  | { readonly change: "edit"; readonly at: number; readonly line: LineSeed }
  | { readonly change: "cut"; readonly at: number }
  /** A new file that begins with the last lines of the old one. */
  | { readonly change: "rotate"; readonly keep: number; readonly lines: readonly LineSeed[] }
  | { readonly change: "touch" };

export interface LineSeed {
  readonly kind: "message" | "message with id" | "event" | "broken";
  readonly text: string;
}

/** Stands for a text that is long enough to be compressed. */
const LONG = "(long)";

const lineSeed: fc.Arbitrary<LineSeed> = fc.record({
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant("message" as const) },
    { weight: 2, arbitrary: fc.constant("message with id" as const) },
    { weight: 1, arbitrary: fc.constantFrom("event" as const, "broken" as const) },
  ),
  // Few texts, so that the same thing is said twice.
  text: fc.constantFrom("ok", "ok", "yes", "no", "good morning to all", LONG),
});
const someLines = fc.array(lineSeed, { minLength: 1, maxLength: 4 });

export const fileChange: fc.Arbitrary<FileChange> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ change: fc.constant("grow" as const), lines: someLines }) },
  {
    weight: 2,
    arbitrary: fc.record({ change: fc.constant("tear" as const), line: lineSeed, at: fc.nat(40) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ change: fc.constant("edit" as const), at: fc.nat(20), line: lineSeed }),
  },
  { weight: 1, arbitrary: fc.record({ change: fc.constant("cut" as const), at: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({ change: fc.constant("rotate" as const), keep: fc.nat(3), lines: someLines }),
  },
  { weight: 1, arbitrary: fc.constant({ change: "touch" as const }) },
);

/** A file always begins with a message, which shows what kind of file it is. */
export function changeFile(
  lines: readonly ModelLine[],
  change: FileChange,
  nextId: () => number,
): ModelLine[] {
  const line = (seed: LineSeed) => lineOf(seed, nextId);
  const complete = lines.filter(({ terminated }) => terminated);
  if (complete.length === 0) return [line({ kind: "message", text: `hello ${nextId()}` })];
  switch (change.change) {
    case "grow":
      return [...finished(lines), ...change.lines.map(line)];
    case "tear":
      return [...finished(lines), torn(line(change.line), change.at)];
    case "edit": {
      const at = change.at % lines.length;
      const terminated = lines[at]?.terminated ?? true;
      return lines.with(at, { ...line(at === 0 ? asMessage(change.line) : change.line), terminated });
    }
    case "cut":
      return complete.slice(0, 1 + (change.at % complete.length));
    case "rotate": {
      const kept = change.keep === 0 ? [] : finished(lines).slice(-change.keep);
      return [...kept, line({ kind: "message", text: "a new file" }), ...change.lines.map(line)];
    }
    case "touch":
      return [...lines];
  }
}

function asMessage(seed: LineSeed): LineSeed {
  return { ...seed, kind: "message" };
}

function lineOf({ kind, text }: LineSeed, nextId: () => number): ModelLine {
  const line = { isMessage: kind.startsWith("message"), erased: false, terminated: true };
  if (kind === "broken") return { ...line, text: `{"role":"user","content":"${nextId()}` };
  if (kind === "event") return { ...line, text: JSON.stringify({ type: "note", number: nextId() }) };
  const message = { role: "user", content: text === LONG ? "long ".repeat(300) : text };
  if (kind === "message with id")
    return { ...line, text: JSON.stringify({ id: `id-${nextId()}`, ...message }) };
  return { ...line, text: JSON.stringify(message) };
}

/** What was torn is completed first: a host goes on writing where it stopped. */
function finished(lines: readonly ModelLine[]): ModelLine[] {
  return lines.map((line) => line.becomes ?? { ...line, terminated: true });
}

function torn(line: ModelLine, at: number): ModelLine {
  const isWhole = at === 0 || at >= line.text.length;
  const piece = isWhole ? {} : { text: line.text.slice(0, at), isMessage: false };
  return { ...line, ...piece, terminated: false, becomes: line };
}
