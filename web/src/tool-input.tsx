/** Arguments of a tool: text of several lines as text, the two sides of an edit as a diff, and the rest as JSON. */
import { Code, languageOf } from "./code.tsx";

const SIDES = [
  ["old_string", "new_string"],
  ["old_str", "new_str"],
  ["oldText", "newText"],
] as const;

type Given = Readonly<Record<string, unknown>>;

export function ToolInput({ text }: { readonly text: string }) {
  const given = objectIn(text);
  if (given === null) return <Code text={text} />;
  const { rest, diffs } = withoutEdits(given);
  const isText = (value: unknown) => typeof value === "string" && value.includes("\n");
  const fields = Object.entries(rest);
  const short = fields.filter(([, value]) => !isText(value));
  return (
    <>
      {short.length === 0 && fields.length + diffs.length > 0 ? null : (
        <Code text={JSON.stringify(Object.fromEntries(short), null, 2)} language="json" label="" />
      )}
      {fields
        .filter(([, value]) => isText(value))
        .map(([name, value]) => (
          <Code key={name} label={name} language={languageIn(name, rest)} text={String(value)} />
        ))}
      {diffs.map((diff, index) => (
        <Code key={`${index} ${diff.length}`} language="diff" text={diff} />
      ))}
    </>
  );
}

/** The language of a written file, or of shell commands. */
function languageIn(field: string, { file_path, path, filePath }: Given): string {
  if (field === "command" || field === "cmd") return "sh";
  return languageOf(String(file_path ?? path ?? filePath ?? ""));
}

/** Null if they are not a JSON object; they are then shown as written. */
function objectIn(text: string): Given | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? Object(value) : null;
  } catch {
    return null;
  }
}

function withoutEdits(given: Given): { readonly rest: Given; readonly diffs: readonly string[] } {
  const { edits, ...others } = given;
  const listed = Array.isArray(edits) ? edits.map((edit) => diffIn(Object(edit))) : [];
  if (listed.length > 0 && listed.every((diff) => diff !== null)) return { rest: others, diffs: listed };
  const diff = diffIn(given);
  if (diff === null) return { rest: given, diffs: [] };
  const names: ReadonlySet<string> = new Set(SIDES.flat());
  return {
    rest: Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name))),
    diffs: [diff],
  };
}

/** Common first and last lines are shown once. */
function diffIn(edit: Given): string | null {
  const sides = SIDES.find(([before, after]) =>
    [edit[before], edit[after]].every((side) => typeof side === "string"),
  );
  if (sides === undefined) return null;
  const [before, after] = [String(edit[sides[0]]).split("\n"), String(edit[sides[1]]).split("\n")];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const middle = (lines: readonly string[]) => lines.slice(start, lines.length - end);
  return [
    ...before.slice(0, start).map((line) => ` ${line}`),
    ...middle(before).map((line) => `-${line}`),
    ...middle(after).map((line) => `+${line}`),
    ...before.slice(before.length - end).map((line) => ` ${line}`),
  ].join("\n");
}
