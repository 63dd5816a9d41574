/**
 * The tools for the AI SDK: `generateText({ tools: palimpsestTools(engine) })`. The model gets text; errors
 * reach it as the tool's error, with advice.
 */
import { type JSONSchema7, jsonSchema, type Tool, tool } from "ai";
import { z } from "zod";
import type { Engine } from "../engine.ts";
import { PalimpsestError } from "../errors.ts";
import { MODEL_TOOLS, type ModelTool } from "../operations/index.ts";

export interface PalimpsestToolsOptions {
  /** Only these, by name. Default: all. */
  readonly only?: readonly string[];
}

/** Each by its name: `lcm_grep`, `lcm_read`, `memory_recall`, `memory_store` and so on. */
export function palimpsestTools(
  engine: Engine,
  { only }: PalimpsestToolsOptions = {},
): Record<string, Tool<object, string>> {
  const wanted = MODEL_TOOLS.filter(({ name }) => only?.includes(name) !== false);
  const unknown = only?.find((name) => !wanted.some((one) => one.name === name));
  if (unknown !== undefined) throw new PalimpsestError("invalid-input", `there is no tool ${unknown}`);
  return Object.fromEntries(wanted.map((one) => [one.name, toTool(engine, one)]));
}

/** The model sees the operation's schema; the operation itself validates, with better error messages. */
function describedBy(input: z.ZodType<object>) {
  return jsonSchema<object>(z.toJSONSchema(input, { io: "input" }) as JSONSchema7, {
    validate: (value) => ({ success: true, value: Object(value) }),
  });
}

function toTool(engine: Engine, { shownTo, call }: ModelTool): Tool<object, string> {
  const { description, input } = shownTo(engine);
  return tool({
    description,
    inputSchema: describedBy(input),
    execute: (given, { abortSignal: signal }) => call(engine, given, { signal }),
  });
}
