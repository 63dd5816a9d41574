/**
 * An MCP server over an engine: tools from every operation that models may call, resources and prompts. It translates
 * and nothing else. One server is made for each connection, or for each HTTP request; they share the engine.
 */
import { McpServer } from "@modelcontextprotocol/server";
import type { Engine } from "../engine.ts";
import type { Abilities } from "../operations/operation.ts";
import type { ToolOperation } from "../operations/run-tool.ts";
import { packageVersion } from "../package-version.ts";
import { addHook, type RunHook } from "./add-hook.ts";
import { addPrompts } from "./add-prompts.ts";
import { addResources } from "./add-resources.ts";
import { addTools } from "./add-tools.ts";
import { newConnection } from "./connection.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import type { OpenEngine } from "./open-once.ts";

export interface ServerOptions {
  /**
   * Tools describe and give their output also as JSON, for programs. Default false: hosts that get both show the
   * model only the JSON, in which what was said is not marked as such.
   */
  readonly structured?: boolean;
  /** What the engine can do, where it is opened later. Default: as the engine says, or nothing beyond words. */
  readonly abilities?: Abilities;
  /** Answers the host's hooks, for a host that calls a tool for each. Default: none are answered. */
  readonly hook?: RunHook;
  /** Whether the caller may use a tool. Default: every one. */
  readonly allows?: (operation: ToolOperation) => boolean;
}

export function createServer(
  engine: Engine | OpenEngine,
  { structured = false, ...options }: ServerOptions = {},
): McpServer {
  const open = typeof engine === "function" ? engine : async () => engine;
  const abilities =
    options.abilities ?? (typeof engine === "function" ? { searchesByMeaning: false } : engine);
  const unchanging = { listChanged: false };
  const server = new McpServer(
    { name: "palimpsest", title: "Palimpsest", version: packageVersion() },
    {
      instructions: INSTRUCTIONS,
      capabilities: { tools: unchanging, resources: unchanging, prompts: unchanging },
    },
  );
  const tools = { structured, connection: newConnection() };
  addTools(server, open, { ...tools, abilities, allows: options.allows ?? (() => true) });
  if (options.hook !== undefined) addHook(server, options.hook, open, tools);
  addResources(server, open);
  addPrompts(server, open);
  return server;
}
