import type { ShapeItem } from "../../../store/store.ts";

interface Tools {
  readonly calls?: readonly string[];
  readonly results?: readonly string[];
}

export type ShapeCode = string | readonly [string, Tools];

const ROLES = { u: "user", a: "assistant", t: "tool", s: "system" } as const;

/**
 * A context from codes: `u10` is a user message of 10 tokens, `a` assistant, `t` tool, `s` system; `S0` a summary of depth
 * 0 and 10 tokens, `F0` a truncation. Messages are numbered by position, from 1.
 */
export function shapeOf(...codes: readonly ShapeCode[]): ShapeItem[] {
  return codes.map((code, index): ShapeItem => {
    const [name, tools] = typeof code === "string" ? [code, {}] : code;
    const size = Number(name.slice(1));
    const ordinal = (index + 1) * 1024;
    if (/^[SF]/.test(name)) {
      const quality = name.startsWith("F") ? "fallback" : "normal";
      return { ordinal, type: "summary", summary: `sum_${index}`, tokenCount: 10, depth: size, quality };
    }
    const role = ROLES[name.charAt(0) as keyof typeof ROLES];
    const { calls: toolCalls = [], results: toolResults = [] } = tools;
    return { ordinal, type: "message", seq: index + 1, tokenCount: size, role, toolCalls, toolResults };
  });
}
