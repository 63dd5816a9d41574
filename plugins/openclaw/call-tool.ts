/** Calls one of our tools by name, like a model. */
import type { Engine } from "../../src/host/index.ts";
import { MODEL_TOOLS } from "../../src/operations/index.ts";

export async function callTool(name: string, engine: Engine, input: object): Promise<string> {
  const tool = MODEL_TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`unknown tool: ${name}`);
  return tool.call(engine, input);
}
