/** A change of a JSON file that keeps everything else in it, in the indentation that it has. */
import { PalimpsestError } from "../../errors.ts";
import type { FileEdit } from "./host-setup.ts";

export type JsonObject = Record<string, unknown>;

/** Both change the object that they are given. */
export interface JsonChange {
  add(root: JsonObject): void;
  remove(root: JsonObject): void;
}

export function editJson(path: string, change: JsonChange): FileEdit {
  const changed = (text: string | null, apply: (root: JsonObject) => void) => {
    const root = parse(path, text);
    const before = JSON.stringify(root);
    apply(root);
    // A file that says the same stays as it is written.
    if (text !== null && JSON.stringify(root) === before) return text;
    return `${JSON.stringify(root, null, indentOf(text))}\n`;
  };
  return {
    path,
    add: (before) => changed(before, change.add),
    remove: (now) => changed(now, change.remove),
  };
}

function parse(path: string, text: string | null): JsonObject {
  if (text === null || text.trim() === "") return {};
  try {
    const root: unknown = JSON.parse(text);
    if (isObject(root)) return root;
  } catch (error) {
    throw malformed(path, error);
  }
  throw malformed(path);
}

function malformed(path: string, cause?: unknown): PalimpsestError {
  return new PalimpsestError("invalid-input", `${path} is not a JSON object; the file was not changed`, {
    advice: "Correct the file or remove its comments, and run the command again.",
    cause,
  });
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object under a name, made if it is missing. Another kind of value there is refused. */
export function objectAt(root: JsonObject, name: string): JsonObject {
  const value = root[name] ?? {};
  if (!isObject(value))
    throw new PalimpsestError("invalid-input", `"${name}" in the host's configuration is not an object`, {
      advice: "Correct it, and run the command again.",
    });
  root[name] = value;
  return value;
}

/** Takes a name out of an object under `at`, and that object too when nothing else is in it. */
export function removeAt(root: JsonObject, at: string, name: string): void {
  const inner = root[at];
  if (!isObject(inner)) return;
  delete inner[name];
  if (Object.keys(inner).length === 0) delete root[at];
}

function indentOf(text: string | null): string | number {
  return /^[{[]\r?\n([ \t]+)/.exec(text ?? "")?.[1] ?? 2;
}
