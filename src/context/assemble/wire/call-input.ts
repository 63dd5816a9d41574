/** Arguments of a call, as each format wants them: an object, or the JSON text of one. */
import { isBlock } from "../../../message/block.ts";
import { jsonText } from "../../../message/strings-inside.ts";

export type CallInput = Readonly<Record<string, unknown>>;

/** Text that is no JSON object is what a free-form tool was given: it goes under a name of its own. */
export function inputObject(input: unknown): CallInput {
  if (isBlock(input)) return input;
  const text = typeof input === "string" ? input : jsonText(input);
  if (text.trim() === "") return {};
  return parseObject(text) ?? { input: text };
}

export function inputJson(input: unknown): string {
  if (isBlock(input)) return stringify(input);
  const text = typeof input === "string" ? input : jsonText(input);
  if (text.trim() === "") return "{}";
  return parseObject(text) === null ? JSON.stringify({ input: text }) : text;
}

function parseObject(text: string): CallInput | null {
  if (!/^\s*\{/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isBlock(value) ? value : null;
  } catch {
    return null;
  }
}

function stringify(input: CallInput): string {
  try {
    return JSON.stringify(input);
  } catch {
    // Nested deeper than JSON can be written: its words are left.
    return JSON.stringify({ input: jsonText(input) });
  }
}
