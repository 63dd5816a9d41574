/**
 * The plugin for OpenClaw: its context engine and its memory. The host loads a plugin in every process, also in those that
 * only read its metadata. So this entry registers the metadata, and the rest is loaded when it
 * is first called.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { buildMemorySystemPromptAddition } from "openclaw/plugin-sdk/core";
import {
  readSessionTranscriptRawDelta,
  readSessionTranscriptVisibleMessageDelta,
} from "openclaw/plugin-sdk/session-transcript-runtime";
import { ENGINE_ID, ENGINE_INFO } from "./engine-info.ts";
import type { ContextEngine, PluginApi, ToolDefinition } from "./types.ts";
import type { Work } from "./work.ts";

const MEMORY_SECTION = [
  "## Memory",
  "Palimpsest stores earlier conversations and facts. Search them before you ask the user again: memory_recall finds facts, lcm_grep the exact words of any conversation.",
  "Summaries in the conversation have an id: lcm_expand returns the exact messages. Store facts for later conversations with memory_store.",
];

export default {
  id: ENGINE_ID,
  name: "Palimpsest",
  description: "Lossless context and long-term memory",
  /** The host calls it several times in a process: nothing is opened here. */
  register(api: PluginApi): void {
    const work = once(() => loadWork(api));
    api.registerContextEngine(ENGINE_ID, ({ workspaceDir }) =>
      later(async () => (await work()).engineFor(workspaceDir)),
    );
    for (const tool of toolsIn(api.rootDir)) registerTool(api, tool, work);
    api.registerCommand({
      name: "lcm",
      description: "Palimpsest: status, compact, expand, doctor",
      acceptsArgs: true,
      handler: async ({ args = "", ...context }) => ({
        text: await (await work()).runCommand(args, context),
      }),
    });
    api.registerMemoryCapability({
      promptBuilder: ({ availableTools }) => (availableTools.has("memory_recall") ? [...MEMORY_SECTION] : []),
      runtime: {
        getMemorySearchManager: async ({ agentId }) => ({ manager: (await work()).managerOf(agentId) }),
        resolveMemoryBackendConfig: () => ({ backend: "builtin" }),
      },
    });
    api.on("before_reset", async (_, context) => (await work()).readRest(context));
    api.on("session_end", async (_, context) => (await work()).readRest(context));
    api.on("gateway_stop", async () => (await work()).close());
  },
};

async function loadWork({ pluginConfig = {}, logger }: PluginApi): Promise<Work> {
  const { Work } = await import("./work.ts");
  return new Work({
    settings: pluginConfig,
    sdk: {
      buildMemorySystemPromptAddition,
      readSessionTranscriptRawDelta,
      readSessionTranscriptVisibleMessageDelta,
    },
    warn: (text) => logger?.warn(text),
  });
}

/** An engine that is created on the first call. */
function later(make: () => Promise<Omit<ContextEngine, "dispose">>): ContextEngine {
  const made = once(make);
  return {
    info: ENGINE_INFO,
    bootstrap: async (given) => (await made()).bootstrap(given),
    ingest: async (given) => (await made()).ingest(given),
    commitTurn: async (given) => (await made()).commitTurn(given),
    assemble: async (given) => (await made()).assemble(given),
    compact: async (given) => (await made()).compact(given),
    maintain: async (given) => (await made()).maintain(given),
    prepareSubagentSpawn: async (given) => (await made()).prepareSubagentSpawn(given),
    onSubagentEnded: async (given) => (await made()).onSubagentEnded(given),
    // There is nothing to close.
    dispose: async () => {},
  };
}

function registerTool(api: PluginApi, tool: ToolDefinition, work: () => Promise<Work>): void {
  const { name } = tool;
  api.registerTool(
    (context) => ({
      ...{ ...tool, label: name, catalogMode: "direct-only" },
      execute: async (_, input, signal) => {
        const text = await (await work()).runTool(name, context, input, signal);
        return { content: [{ type: "text", text }], details: {} };
      },
    }),
    { name },
  );
}

function toolsIn(rootDir: string): readonly ToolDefinition[] {
  return JSON.parse(readFileSync(path.join(rootDir, "openclaw.tools.json"), "utf8"));
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
