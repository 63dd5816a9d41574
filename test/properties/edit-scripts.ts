/** What may happen to the bytes of a transcript file between two imports, as random changes of its lines. */
import fc from "fast-check";

export type Edit =
  | { readonly edit: "append" | "insert" | "replace"; readonly at: number; readonly line: string }
  /** By a line of the same length. */
  | { readonly edit: "overwrite"; readonly at: number; readonly letter: string }
  | { readonly edit: "delete" | "truncate"; readonly at: number }
  | { readonly edit: "swap"; readonly at: number; readonly with: number }
  | { readonly edit: "rewrite"; readonly lines: readonly string[] }
  | { readonly edit: "line endings" }
  /** A last line that is not finished, and later is, or that another one takes the place of. */
  | { readonly edit: "tear"; readonly line: string; readonly at: number }
  | { readonly edit: "finish" };

const text = fc.constantFrom("ok", "ok", "no", "good morning", "umlauts äöü", "long ".repeat(400));
const line = fc.oneof(
  { weight: 4, arbitrary: text.map((content) => JSON.stringify({ role: "user", content })) },
  {
    weight: 3,
    arbitrary: fc
      .record({ id: fc.constantFrom("a", "b", "c", "d"), content: text })
      .map(({ id, content }) => JSON.stringify({ id, role: "assistant", content })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('{"type":"note","number":7}', "", "{torn", "\u0000", "\r", "\ufeff{}"),
  },
);
const place = fc.nat(30);
const kind = <Name extends string>(...names: readonly Name[]) => fc.constantFrom(...names);

export const edits: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ edit: kind("append"), at: place, line }) },
  { weight: 2, arbitrary: fc.record({ edit: kind("insert", "replace"), at: place, line }) },
  {
    weight: 3,
    arbitrary: fc.record({ edit: kind("overwrite"), at: place, letter: fc.constantFrom("x", "y", "z") }),
  },
  { weight: 2, arbitrary: fc.record({ edit: kind("delete", "truncate"), at: place }) },
  { weight: 1, arbitrary: fc.record({ edit: kind("swap"), at: place, with: place }) },
  {
    weight: 1,
    arbitrary: fc.record({ edit: kind("rewrite"), lines: fc.array(line, { maxLength: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ edit: kind("line endings") }) },
  { weight: 2, arbitrary: fc.record({ edit: kind("tear"), line, at: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ edit: kind("finish") }) },
);

/** The first line says what file it is, and stays. What is behind the last line feed is a line as well. */
export function editFile(file: string, edit: Edit): string {
  const [first = "", ...lines] = file.split("\n");
  const last = lines.at(-1) ?? "";
  const at = "at" in edit ? edit.at % Math.max(1, lines.length - 1) : 0;
  const join = (others: readonly string[]) => [first, ...others].join("\n");
  switch (edit.edit) {
    case "append":
      return `${last === "" ? file : `${file}\n`}${edit.line}\n`;
    case "insert":
      return join(lines.toSpliced(at, 0, edit.line));
    case "replace":
      return join(lines.with(at, edit.line));
    case "overwrite":
      return join(lines.with(at, overwritten(lines[at] ?? "", edit.letter)));
    case "delete":
      return lines.length < 2 ? file : join(lines.toSpliced(at, 1));
    case "truncate":
      return `${first}\n${lines.join("\n").slice(0, edit.at * 7)}`;
    case "swap": {
      const other = edit.with % lines.length;
      return join(lines.with(at, lines[other] ?? "").with(other, lines[at] ?? ""));
    }
    case "rewrite":
      return join([...edit.lines, ""]);
    case "line endings":
      return file.includes("\r\n") ? file.replaceAll("\r\n", "\n") : file.replaceAll("\n", "\r\n");
    case "tear":
      return join(lines.with(-1, edit.line.slice(0, edit.at)));
    case "finish":
      return last === "" ? file : `${file}"}\n`;
  }
}

/** The letters before the closing quote become others, so that a message stays one. */
function overwritten(line: string, letter: string): string {
  return line.replace(/[a-zäöü]{1,3}(?="\}$)/u, (letters) =>
    letter.repeat(Buffer.byteLength(letters, "utf8")),
  );
}
