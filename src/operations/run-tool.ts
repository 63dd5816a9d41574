/**
 * Runs an operation for models: with the tool's defaults, with text results, and with advice
 * that a model can follow after an error.
 */
import { z } from "zod";
import type { Engine } from "../engine.ts";
import { PalimpsestError } from "../errors.ts";
import { count } from "../text/counted.ts";
import { withoutAliases } from "./aliases.ts";
import type { Abilities, Operation, ShownTool, Tool, Use } from "./operation.ts";
import { parseInputOn } from "./run-operation.ts";

export interface ToolOperation<Input = object, Output = unknown, Progress = unknown>
  extends Operation<Input, Output, Progress> {
  readonly tool: Tool<Input, Output>;
}

export function isTool<Input, Output, Progress>(
  operation: Operation<Input, Output, Progress>,
): operation is ToolOperation<Input, Output, Progress> {
  return operation.tool !== undefined;
}

/** The tool as shown to models. */
export function shownTool<Input, Output, Progress>(
  operation: ToolOperation<Input, Output, Progress>,
  abilities: Abilities,
): ShownTool {
  const { tool } = operation;
  const shown = {
    description: tool.description,
    input: shownInput(operation) as z.ZodType as z.ZodType<object>,
  };
  return tool.shownTo?.(abilities, shown) ?? shown;
}

export async function runTool<Input, Output, Progress>(
  operation: ToolOperation<Input, Output, Progress>,
  engine: Engine,
  given: object,
  use: Use<Progress> = {},
): Promise<{ readonly output: Output; readonly text: string }> {
  const { defaults, aliases = {}, sets } = operation.tool;
  refuseSet(operation, given);
  const input = await parseInputOn(operation, engine, {
    ...defaults,
    ...withoutAliases(aliases, given),
    ...sets,
  });
  const output = await operation.run(engine, input, use);
  return { output, text: operation.tool.text(output, input) };
}

/** The input schema for models: all fields except the fixed ones. */
export function shownInput<Input, Output, Progress>({
  input,
  tool: { sets = {}, defaults = {} },
}: ToolOperation<Input, Output, Progress>): z.ZodType<Input> {
  const isSame = Object.keys(sets).length === 0 && Object.keys(defaults).length === 0;
  if (isSame || !(input instanceof z.ZodObject)) return input;
  const ownDefaults = new Map<string, unknown>(Object.entries(defaults));
  const shown = Object.entries(input.shape as Record<string, z.ZodType>)
    .filter(([name]) => !(name in sets))
    .map(([name, field]) => [name, withDefault(field, ownDefaults.get(name))]);
  return z.strictObject(Object.fromEntries(shown)) as z.ZodType as z.ZodType<Input>;
}

/** States the default for models instead of the general one. */
function withDefault(field: z.ZodType, value: unknown): z.ZodType {
  if (typeof value !== "number") return field;
  return field.describe((field.description ?? "").replace(/Default[: ][^.]*/, `Default ${count(value)}`));
}

function refuseSet<Input, Output, Progress>(
  { tool: { name, sets = {} } }: ToolOperation<Input, Output, Progress>,
  given: object,
): void {
  const [set] = Object.keys(sets).filter((key) => key in given);
  if (set !== undefined) throw new PalimpsestError("invalid-input", `${name} has no ${set}`);
}

/** Returns only the text. Errors have the advice in their message, which is all that reaches a model. */
export async function runToolForText<Input, Output, Progress>(
  operation: ToolOperation<Input, Output, Progress>,
  engine: Engine,
  given: object,
  use: Use<Progress> = {},
): Promise<string> {
  try {
    return (await runTool(operation, engine, given, use)).text;
  } catch (error) {
    const advice = error instanceof PalimpsestError ? await adviceOn(error, operation) : undefined;
    if (!(error instanceof PalimpsestError) || advice === undefined) throw error;
    throw new PalimpsestError(error.code, `${error.message}. ${advice}`, {
      isRetryable: error.retryable,
      cause: error,
    });
  }
}

/** Advice for a model about a rejected call. */
export async function adviceOn<Input, Output, Progress>(
  { code, advice }: PalimpsestError,
  operation: ToolOperation<Input, Output, Progress>,
): Promise<string | undefined> {
  if (advice !== undefined) {
    // Imported lazily, since it imports every operation, including this one.
    const { adviceForModels } = await import("./advice-for-models.ts");
    return adviceForModels(advice);
  }
  return code === "invalid-input"
    ? `${operation.tool.name} takes ${namesIn(shownInput(operation))}.`
    : undefined;
}

function namesIn(schema: z.ZodType): string {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? `${name} (required)` : name))
    .join(", ");
}
