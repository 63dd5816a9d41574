/** The tools for models: ours, and the two that OpenClaw expects from the plugin in its memory slot. */
import { z } from "zod";
import { MODEL_TOOLS, type ModelTool } from "../../src/operations/index.ts";
import { type Bridges, isSubagent, sessionOf } from "./bridges.ts";
import { searchManager } from "./search-manager.ts";
import type { CallContext, ToolDefinition } from "./types.ts";

interface Call {
  readonly bridges: Bridges;
  readonly context: CallContext;
  readonly input: object;
  readonly signal?: AbortSignal | undefined;
}

interface Tool extends ToolDefinition {
  run(call: Call): Promise<string>;
}

const searchInput = z.strictObject({
  query: z.string().min(1).describe("What to look for, in plain words."),
  maxResults: z.int().min(1).max(50).exactOptional().describe("Maximum number of results. Default 6."),
  minScore: z.number().exactOptional().describe("Minimum score, 0 to 1. Default 0."),
});

const getInput = z.strictObject({
  path: z.string().min(1).describe("Path of a memory_search result."),
  from: z.int().min(1).exactOptional().describe("First line. Default 1."),
  lines: z.int().min(1).exactOptional().describe("Maximum number of lines. Default: all."),
});

const MEMORY_TOOLS: readonly Tool[] = [
  {
    name: "memory_search",
    description:
      "Search memories and earlier conversations, best match first. memory_get returns the full text of a result. memory_recall and lcm_grep search one of the two with more options.",
    parameters: z.toJSONSchema(searchInput, { io: "input" }),
    run: async ({ bridges, context, input, signal }) => {
      const { query, ...options } = searchInput.parse(input);
      const stop = signal === undefined ? {} : { signal };
      const results = await managerFor(bridges, context).search(query, { ...options, ...stop });
      return JSON.stringify({ results }, null, 1);
    },
  },
  {
    name: "memory_get",
    description: "Read the full text of a memory_search result.",
    parameters: z.toJSONSchema(getInput, { io: "input" }),
    run: async ({ bridges, context, input }) => {
      const { path, ...range } = getInput.parse(input);
      const file = await managerFor(bridges, context).readFile({ relPath: path, ...range });
      return JSON.stringify(file, null, 1);
    },
  },
];

const TOOLS: readonly Tool[] = [...MODEL_TOOLS.map(ownTool), ...MEMORY_TOOLS];

/** Written into the package, so that the host can offer the tools before loading them. */
export const TOOL_DEFINITIONS: readonly ToolDefinition[] = TOOLS.map(
  ({ run: _, ...definition }) => definition,
);

/** Throws errors, which the host passes to the model as the tool's error. */
export async function runTool(name: string, call: Call): Promise<string> {
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`unknown tool: ${name}`);
  return tool.run(call);
}

function ownTool({ name, shownTo, call }: ModelTool): Tool {
  const { description, input: schema } = shownTo({ searchesByMeaning: false });
  const run: Tool["run"] = async ({ bridges, context, input, signal }) => {
    const bridge = bridges.ofSession(context);
    // Memories belong to the agent. A sub-agent may read the conversations of its parents.
    const engine = name.startsWith("memory_")
      ? await bridge.engine()
      : await bridge.engineFor(sessionOf(context), isSubagent(context));
    return call(engine, input, signal === undefined ? {} : { signal });
  };
  return { name, description, parameters: z.toJSONSchema(schema, { io: "input" }), run };
}

function managerFor(bridges: Bridges, context: CallContext) {
  const bridge = bridges.ofSession(context);
  return searchManager(bridge, () => bridge.engineFor(sessionOf(context), isSubagent(context)));
}
