/** Edits a host's JSON file and keeps the formatting of everything else. */
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { PalimpsestError } from "../../errors.ts";
import { addHooks, type CommandHook, removeHooks } from "./edit-hooks.ts";
import type { FileEdit, KnownFile } from "./host-setup.ts";
import { isObject, type JsonObject, removeAt, setAt, valueAt } from "./json-values.ts";
import { isOurs } from "./ours.ts";
import { rewriteJson } from "./rewrite-json.ts";

/** Syntax that the host accepts beyond plain JSON: it must be able to read the edited file. */
export interface JsonSyntax {
  readonly comments?: true;
  readonly trailingCommas?: true;
  readonly byteOrderMark?: true;
}

interface JsonEntry {
  /** The path of keys to the value. */
  readonly at: readonly string[];
  /** Undefined: it is not written now, but an earlier set-up may have written it. */
  readonly value: unknown;
  /** Whether an existing value comes from a set-up without a record. */
  readonly looksOurs?: (value: unknown) => boolean;
}

interface JsonChange {
  readonly syntax?: JsonSyntax;
  readonly entries?: readonly JsonEntry[];
  readonly hooks?: { readonly list: readonly CommandHook[]; readonly command: string };
  /** Additional content of a new file. */
  readonly inNewFile?: JsonObject;
}

const MARK = "\ufeff";

export function editJson(path: string, change: JsonChange): FileEdit {
  const { syntax = {}, entries = [], hooks, inNewFile = {} } = change;
  const read = (text: string) => (text.trim() === "" ? {} : parsed(path, text, syntax));
  const recorded = (text: string | null, at: readonly string[]) =>
    text === null ? undefined : valueAt(parse(text), at);
  const isOurEntry = ({ at, value, looksOurs }: JsonEntry, present: unknown, { found, written }: KnownFile) =>
    isOurs(present, value, { found: recorded(found, at), written: recorded(written, at) }, looksOurs);
  return {
    path,
    add: (before, known) => {
      const isNew = before === null || before.trim() === "";
      const root = read(before ?? "");
      const after = structuredClone(isNew ? inNewFile : root);
      const replaced = entries.filter((entry) => {
        const found = valueAt(root, entry.at);
        return entry.value !== undefined && found !== undefined && !isOurEntry(entry, found, known);
      });
      for (const entry of entries) {
        const { at, value } = entry;
        if (value !== undefined) setAt(after, at, value);
        else if (isOurEntry(entry, valueAt(root, at), known)) removeAt(after, at, root);
      }
      if (hooks !== undefined) addHooks(after, hooks.list, hooks.command, parse(known.found ?? "{}"));
      return {
        text: isNew ? `${JSON.stringify(after, null, 2)}\n` : rewritten(before, root, after),
        replaced: replaced.map(({ at }) => at.join(".")),
      };
    },
    remove: (now, known) => {
      const root = read(now);
      const after = structuredClone(root);
      for (const entry of entries) {
        const present = valueAt(root, entry.at);
        if (present === undefined || !isOurEntry(entry, present, known)) continue;
        const earlier = recorded(known.found, entry.at);
        if (earlier === undefined) removeAt(after, entry.at, parse(known.found ?? "{}"));
        else setAt(after, entry.at, earlier);
      }
      if (hooks !== undefined) removeHooks(after, parse(known.found ?? "{}"));
      return rewritten(now, root, after);
    },
  };
}

function rewritten(text: string, before: JsonObject, after: JsonObject): string {
  const mark = text.startsWith(MARK) ? MARK : "";
  return mark + rewriteJson(text.slice(mark.length), before, after);
}

function parsed(
  path: string,
  text: string,
  { comments, trailingCommas, byteOrderMark }: JsonSyntax,
): JsonObject {
  const hasMark = text.startsWith(MARK);
  const errors: ParseError[] = [];
  const options = { disallowComments: comments !== true, allowTrailingComma: trailingCommas === true };
  const root: unknown = parse(hasMark ? text.slice(1) : text, errors, options);
  const [error] = errors;
  if (hasMark && byteOrderMark !== true) throw malformed(path, "it begins with a byte order mark");
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split("\n").length;
    // `ValueExpected`: value expected
    const problem = printParseErrorCode(error.error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
    throw malformed(path, `line ${line}: ${problem.toLowerCase()}`);
  }
  if (!isObject(root)) throw malformed(path, "it is another value");
  return root;
}

function malformed(path: string, problem: string): PalimpsestError {
  return new PalimpsestError(
    "invalid-input",
    `${path} is not a JSON object that the host can read (${problem})`,
    { advice: "The file was not changed. Correct the file, and run the command again." },
  );
}
