/** Whether a text is JSON, decided by parsing its beginning. */
import type { Beginning } from "../exploration.ts";
import { JsonScanner } from "./scan-json.ts";

const COMMENT = /^(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/)/;

export function jsonKindOf(
  { head, isWhole }: Beginning,
  isNamedSo: boolean,
): "json" | "jsonl" | "notebook" | null {
  const first = firstSign(isNamedSo ? withoutComments(head) : head);
  if (first !== "{" && first !== "[" && !(isNamedSo && /["\dtfn-]/.test(first))) return null;
  if (isByLine(head, isWhole)) return "jsonl";
  const { firstBreak, values } = scan(head, isWhole);
  if (firstBreak !== null && !(isNamedSo && values > 0)) return null;
  if (values < 1) return null;
  return isNotebook(head) ? "notebook" : "json";
}

function firstSign(text: string): string {
  return /^\s*(\S)/.exec(text)?.[1] ?? "";
}

/** Settings files often begin with a comment. */
function withoutComments(head: string): string {
  let rest = head.trimStart();
  for (let [comment] = COMMENT.exec(rest) ?? []; comment !== undefined; [comment] = COMMENT.exec(rest) ?? [])
    rest = rest.slice(comment.length).trimStart();
  return rest;
}

/** Either the first two lines are complete values, or the first is and the second begins a value longer than the head. */
function isByLine(head: string, isWhole: boolean): boolean {
  const lines = head.split("\n").filter((line) => line.trim() !== "");
  const [first = "", second] = lines;
  if (second === undefined || !/^\s*[{[]/.test(first)) return false;
  const isCut = lines.length === 2 && !isWhole;
  return isValue(first) && /^\s*[{[]/.test(second) && (isCut || lines.slice(1, 6).some(isValue));
}

function isValue(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function scan(head: string, isWhole: boolean) {
  let values = 0;
  const scanner = new JsonScanner(
    {
      beginObject: () => undefined,
      beginArray: () => undefined,
      key: () => values++,
      scalar: () => values++,
      end: () => values++,
      abandon: () => undefined,
    },
    false,
  );
  scanner.write(head);
  const { firstBreak } = scanner;
  if (isWhole) scanner.finish();
  return { firstBreak, values: values + scanner.depth };
}

function isNotebook(head: string): boolean {
  return /"(?:cells|nbformat)"\s*:/.test(head) && /"cell_type"\s*:/.test(head);
}
