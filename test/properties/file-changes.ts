/** What hosts and people do to a transcript file, as random changes of its lines. */
import fc from "fast-check";
import type { ModelLine } from "./transcript-model.ts";

export type FileChange =
  | { readonly change: "grow"; readonly lines: readonly LineSeed[] }
  /** The last line is there in part, or wholly but without its line feed. */
  | { readonly change: "tear"; readonly line: LineSeed; readonly at: number }
  | { readonly change: "edit"; readonly at: number; readonly line: LineSeed }
  | { readonly change: "insert"; readonly at: number; readonly line: LineSeed }
  | { readonly change: "cut"; readonly at: number }
  /** The file as it was a while ago, such as from a backup. */
  | { readonly change: "restore"; readonly from: number }
  /** A new file that begins with the last lines of the old one. */
  | { readonly change: "rotate"; readonly keep: number; readonly lines: readonly LineSeed[] }
  | { readonly change: "touch" };

export interface LineSeed {
  readonly kind: "message" | "message with id" | "another version" | "event" | "broken";
  readonly text: string;
}

/** Stands for a text that is long enough to be compressed. */
const LONG = "(long)";

const lineSeed: fc.Arbitrary<LineSeed> = fc.record({
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant("message" as const) },
    { weight: 2, arbitrary: fc.constantFrom("message with id" as const, "another version" as const) },
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
  {
    weight: 1,
    arbitrary: fc.record({ change: fc.constant("insert" as const), at: fc.nat(20), line: lineSeed }),
  },
  { weight: 1, arbitrary: fc.record({ change: fc.constant("cut" as const), at: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ change: fc.constant("restore" as const), from: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({ change: fc.constant("rotate" as const), keep: fc.nat(3), lines: someLines }),
  },
  { weight: 1, arbitrary: fc.constant({ change: "touch" as const }) },
);

/** A file always begins with a message, which shows what kind of file it is. The last of its states is changed. */
export function changeFile(
  states: readonly (readonly ModelLine[])[],
  change: FileChange,
  nextId: () => number,
): ModelLine[] {
  const lines = states.at(-1) ?? [];
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
    case "insert":
      return lines.toSpliced(1 + (change.at % complete.length), 0, line(change.line));
    case "restore":
      return [...(states[change.from % states.length] ?? lines)];
    case "cut":
      return complete.slice(0, 1 + (change.at % complete.length));
    case "rotate": {
      const kept = change.keep === 0 ? [] : finished(lines).slice(-change.keep);
      const first = kept.findIndex(({ isMessage }) => isMessage);
      return [
        ...(first < 0 ? [] : kept.slice(first)),
        line({ kind: "message", text: "a new file" }),
        ...change.lines.map(line),
      ];
    }
    case "touch":
      return [...lines];
  }
}

function asMessage(seed: LineSeed): LineSeed {
  return { ...seed, kind: "message" };
}

function lineOf({ kind, text }: LineSeed, nextId: () => number): ModelLine {
  const line = {
    id: null,
    isMessage: kind !== "event" && kind !== "broken",
    erased: false,
    terminated: true,
  };
  if (kind === "broken") return { ...line, text: `{"role":"user","content":"${nextId()}` };
  if (kind === "event") return { ...line, text: JSON.stringify({ type: "note", number: nextId() }) };
  // A host that writes an entry again, with other words under the same id.
  if (kind === "another version")
    return {
      ...line,
      id: "same",
      text: JSON.stringify({ id: "same", role: "user", content: `version ${nextId()}` }),
    };
  const message = { role: "user", content: text === LONG ? "long ".repeat(300) : text };
  if (kind === "message with id") {
    const id = `id-${nextId()}`;
    return { ...line, id, text: JSON.stringify({ id, ...message }) };
  }
  return { ...line, text: JSON.stringify(message) };
}

/** What was torn is completed first: a host goes on writing where it stopped. */
function finished(lines: readonly ModelLine[]): ModelLine[] {
  return lines.map((line) => line.becomes ?? { ...line, terminated: true });
}

function torn(line: ModelLine, at: number): ModelLine {
  const isWhole = at === 0 || at >= line.text.length;
  const piece = isWhole ? {} : { text: line.text.slice(0, at), id: null, isMessage: false };
  return { ...line, ...piece, terminated: false, becomes: line };
}
