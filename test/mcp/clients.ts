/** Real MCP clients, in both eras of the protocol, for a server that runs as a program of its own. */

import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll } from "vitest";
import { builtCode } from "../built-code-options.ts";

export const COMMAND = fileURLToPath(new URL("../../bin/lcm.mjs", import.meta.url));

/** What hosts speak today, and the newest revision. */
export const ERAS = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof ERAS)[number];

const clients: Client[] = [];
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
});

export function createClient(era: Era): Client {
  const mode = era === "2026-07-28" ? { pin: era } : "legacy";
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  clients.push(client);
  return client;
}

export interface Connection {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  /** Everything that the server wrote to standard error until now. */
  errors(): string;
}

export async function connectProgram(args: readonly string[], era: Era = "2025-11-25"): Promise<Connection> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    stderr: "pipe",
    env: { PATH: process.env.PATH ?? "", HOME: "/nonexistent", ...builtCode() },
  });
  let errors = "";
  transport.stderr?.on("data", (piece: Buffer) => {
    errors += piece.toString();
  });
  const client = createClient(era);
  await client.connect(transport);
  return { client, transport, errors: () => errors };
}

export async function connectHttp(url: string, era: Era = "2025-11-25"): Promise<Client> {
  const client = createClient(era);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: unknown;
}

/** What the model receives. */
export async function callText(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  options: Parameters<Client["callTool"]>[1] = {},
): Promise<ToolAnswer> {
  const {
    content,
    isError = false,
    structuredContent,
  } = await client.callTool({ name, arguments: args }, options);
  const text = content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n");
  return { text, isError, structured: structuredContent };
}

export async function resourceText(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  return contents.map((content) => ("text" in content ? content.text : "[blob]")).join("\n");
}
