/** Files that a shell command visibly creates, changes, removes or prints. What it hides in scripts is not guessed. */
import type { FileState } from "./file-operation.ts";

/** Longer commands are scripts; their beginning says what they do. */
const LONGEST = 2_000;
const REDIRECT = /(?:^|[^>&\d-])(>{1,2})\s*(['"]?)([\w@.+~/-]+)\2/g;
const VERBS: Readonly<Record<string, FileState>> = {
  rm: "deleted",
  unlink: "deleted",
  touch: "created",
  cat: "read",
  head: "read",
  tail: "read",
  nl: "read",
  bat: "read",
};

type Found = { path: string; state: FileState };

export function filesOfShell(command: string): Found[] {
  const text = command.slice(0, LONGEST);
  const found: Found[] = [];
  for (const segment of withoutHereDocuments(text).split(/&&|\|\||;|\||\n/))
    addSegment(segment.trim(), found);
  for (const match of text.matchAll(REDIRECT))
    addPath(match[3] ?? "", match[1] === ">>" ? "modified" : "created", found);
  return found;
}

/** The text that is fed to a command is not a command. */
function withoutHereDocuments(text: string): string {
  const start = text.search(/<<-?\s*['"]?\w+/);
  const end = start < 0 ? -1 : text.indexOf("\n", start);
  return end < 0 ? text : text.slice(0, end);
}

function addSegment(segment: string, found: Found[]): void {
  const words = segment.replace(/[<>].*$/, "").split(/\s+/);
  const verb = words[0] === "sudo" || words[0] === "git" ? words[1] : words[0];
  const operands = words.filter((word, index) => index > 0 && word !== verb && !word.startsWith("-"));
  if (verb === "sed") addSed(words, operands, found);
  else if (verb === "mv") addPath(operands.at(-1) ?? "", "renamed", found);
  else if (verb === "cp" || verb === "tee") addPath(operands.at(-1) ?? "", "created", found);
  else if (verb !== undefined && Object.hasOwn(VERBS, verb))
    for (const operand of operands.slice(0, 10)) addPath(operand, VERBS[verb] ?? "read", found);
}

/** `sed -n '1,80p' file` prints, `sed -i … file` changes. */
function addSed(words: readonly string[], operands: readonly string[], found: Found[]): void {
  const isInPlace = words.some((word) => /^-i|^--in-place/.test(word));
  if (operands.length >= 2) addPath(operands.at(-1) ?? "", isInPlace ? "modified" : "read", found);
}

function addPath(operand: string, state: FileState, found: Found[]): void {
  const path = operand.replace(/^['"]|['"]$/g, "");
  if (
    /^[\w@.~/][\w@.+~/-]*$/.test(path) &&
    /[./]/.test(path) &&
    /[A-Za-z]/.test(path) &&
    !path.startsWith("/dev/")
  )
    found.push({ path, state });
}
