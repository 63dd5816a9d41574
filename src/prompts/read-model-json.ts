/**
 * Extracts the JSON from a model's answer: after reasoning, in a fence, between sentences, with trailing
 * commas, comments or single quotes, or truncated. Anything but an object or a list is rejected.
 */
import { jsonrepair } from "jsonrepair";
import { withReplacements } from "../text/utf8.ts";

type ModelJson =
  | {
      readonly ok: true;
      readonly value: Readonly<Record<string, unknown>> | readonly unknown[];
      /** The JSON is truncated: its last value may be incomplete. */
      readonly isCutOff: boolean;
    }
  | { readonly ok: false; readonly reason: string };

const REASONING = /^[\s\S]*<\/(?:think|thinking|thought|reasoning|reflection)>/i;
const FENCED = /```(?:json|JSON|json5|javascript|js)?[ \t]*\n([\s\S]*?)(?:\n[ \t]*```|(?![\s\S]))/;

export function readModelJson(answer: string): ModelJson {
  const text = answer.replace(REASONING, "").trim();
  if (text === "") return { ok: false, reason: "The answer is empty." };
  const [, fenced = ""] = FENCED.exec(text) ?? [];
  for (const candidate of [fenced, text]) {
    const found = jsonFrom(candidate);
    if (found !== null) return found;
  }
  return { ok: false, reason: "The answer holds no JSON." };
}

function jsonFrom(text: string): ModelJson | null {
  const start = text.search(/[{[]/);
  if (start < 0) return null;
  const { end, isCutOff } = extentOf(text, start);
  const piece = text.slice(start, end);
  const value = parsed(piece) ?? repaired(piece);
  return value === null ? null : { ok: true, value, isCutOff };
}

/** The range up to the bracket that closes the first one, if strings can be recognised. */
function extentOf(text: string, start: number): { readonly end: number; readonly isCutOff: boolean } {
  let depth = 0;
  let isInString = false;
  for (let i = start; i < text.length; i++) {
    const sign = text[i];
    if (isInString) {
      if (sign === "\\") i++;
      else if (sign === '"') isInString = false;
    } else if (sign === '"') isInString = true;
    else if (sign === "{" || sign === "[") depth++;
    else if (sign === "}" || sign === "]") {
      depth--;
      if (depth === 0) return { end: i + 1, isCutOff: false };
    }
  }
  // Unescaped quotes inside strings break the count; the last bracket is then the better guess.
  const last = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  const endsWell = /[}\]][\s`.]*$/.test(text);
  return endsWell && last > start
    ? { end: last + 1, isCutOff: depth > 0 && !isInString }
    : { end: text.length, isCutOff: true };
}

type Structure = Readonly<Record<string, unknown>> | readonly unknown[];

function parsed(piece: string): Structure | null {
  try {
    return structureOf(JSON.parse(piece, storable));
  } catch {
    return null; // The next attempt repairs it.
  }
}

function repaired(piece: string): Structure | null {
  try {
    return structureOf(JSON.parse(jsonrepair(piece), storable));
  } catch {
    return null; // Not repairable: the caller reports it.
  }
}

/** A model may write an escape without a valid character, which cannot be stored. */
function storable(_key: string, value: unknown): unknown {
  return typeof value === "string" ? withReplacements(value) : value;
}

function structureOf(value: unknown): Structure | null {
  return typeof value === "object" && value !== null ? (value as Structure) : null;
}
