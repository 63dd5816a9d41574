/**
 * Our server with samples beside the real tools: what the official conformance suite asks a server to have, and tools
 * that are slow, fail or print. Tools of text run as operations do, through the same code.
 */
import { setTimeout as wait } from "node:timers/promises";
import {
  type CallToolResult,
  fromJsonSchema,
  type McpServer,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { PalimpsestError } from "../../src/errors.ts";
import { addTool, createServer } from "../../src/mcp/create-server.ts";
import type { OpenEngine } from "../../src/mcp/open-once.ts";
import type { Steps, Use } from "../../src/operations/operation.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

export interface SampleOptions {
  /** Is called when the endless tool was cancelled. */
  readonly onCancelled: () => void;
}

export function createSampleServer(
  open: OpenEngine,
  options: SampleOptions = { onCancelled: () => undefined },
): McpServer {
  const server = createServer(open);
  server.server.registerCapabilities({ logging: {} });
  addTextTools(server, open, options);
  addToolWithDefaults(server, open);
  addContentTools(server);
  addSampleResources(server);
  addSamplePrompts(server);
  return server;
}

const OPTIONS = { structured: false, connection: "sample" };

type Run = (use: Use<Steps> & SampleOptions) => Promise<string>;

const TEXT_TOOLS: Readonly<Record<string, Run>> = {
  test_simple_text: async () => "This is a simple text response for testing.",
  test_error_handling: async () => {
    throw new Error("This tool intentionally returns an error for testing");
  },
  test_advice: async () => {
    throw new PalimpsestError("not-found", "nothing there", { advice: "Try: lcm grep tea, or lcm doctor." });
  },
  test_store_failure: async () => {
    throw new PalimpsestError("busy", "another process holds the lock", { advice: "Wait a moment." });
  },
  test_tool_with_progress: async ({ onProgress }) => {
    for (const done of [1, 50, 100]) {
      onProgress?.({ done, unit: "messages" });
      // Longer than the pause between two notifications, also when timers of a busy process fire early.
      await wait(250);
    }
    return "done";
  },
  /** Ends only by being cancelled. */
  test_endless: async ({ signal, onProgress, onCancelled }) => {
    onProgress?.({ done: 1, unit: "messages" });
    await wait(600_000, undefined, { signal }).catch(onCancelled);
    throw new PalimpsestError("cancelled", "cancelled");
  },
  test_printing: async () => {
    console.log("printed by console.log");
    console.info("printed by console.info");
    return "printed";
  },
};

function addTextTools(server: McpServer, open: OpenEngine, options: SampleOptions): void {
  for (const [name, run] of Object.entries(TEXT_TOOLS))
    addTool(
      server,
      {
        name,
        summary: name,
        input: z.strictObject({}),
        output: z.string(),
        command: { text: String },
        tool: { name, description: `A sample: ${name}.`, text: String },
        run: (_, __, use) => run({ ...use, ...options }),
      },
      open,
      OPTIONS,
    );
}

/** Gives back its argument, or what stands for it. */
function addToolWithDefaults(server: McpServer, open: OpenEngine): void {
  addTool(
    server,
    {
      name: "defaults",
      summary: "A sample.",
      input: z.strictObject({ room: z.int().exactOptional() }),
      output: z.strictObject({}),
      command: { text: () => "" },
      tool: {
        name: "test_defaults",
        description: "A sample.",
        defaults: { room: 4_000 },
        text: (_, input) => JSON.stringify(input),
      },
      run: async () => ({}),
    },
    open,
    OPTIONS,
  );
}

const mixed = {
  type: "resource",
  resource: {
    uri: "test://mixed-content-resource",
    mimeType: "application/json",
    text: '{"test":"data","value":123}',
  },
} as const;
const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const;
const text = (words: string) => ({ type: "text", text: words }) as const;

function addContentTools(server: McpServer): void {
  const give = (name: string, content: Content) =>
    server.registerTool(name, { description: `A sample: ${name}.` }, () => toResult(...content));
  give("test_image_content", [image]);
  give("test_audio_content", [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }]);
  give("test_embedded_resource", [
    {
      type: "resource",
      resource: {
        uri: "test://embedded-resource",
        mimeType: "text/plain",
        text: "This is an embedded resource content.",
      },
    },
  ]);
  give("test_multiple_content_types", [text("Multiple content types test:"), image, mixed]);
  server.registerTool("test_tool_with_logging", { description: "A sample that logs." }, async (context) => {
    for (const step of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await context.mcpReq.log("info", step);
      await wait(50);
    }
    return toResult(text("done"));
  });
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "A sample with $defs.", inputSchema: fromJsonSchema(SCHEMA_2020_12) },
    () => toResult(text("done")),
  );
}

type Content = CallToolResult["content"];

function toResult(...content: Content): CallToolResult {
  return { content };
}

const SCHEMA_2020_12 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } },
  },
  properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
  additionalProperties: false,
} as const;

function addSampleResources(server: McpServer): void {
  server.registerResource(
    "static-text",
    "test://static-text",
    { description: "A sample.", mimeType: "text/plain" },
    ({ href: uri }) => ({
      contents: [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }],
    }),
  );
  server.registerResource(
    "static-binary",
    "test://static-binary",
    { description: "A sample.", mimeType: "image/png" },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: "image/png", blob: PIXEL }] }),
  );
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource(
    "template",
    template,
    { description: "A sample.", mimeType: "application/json" },
    ({ href: uri }, { id }) => {
      const body = { id, templateTest: true, data: `Data for ID: ${String(id)}` };
      return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(body) }] };
    },
  );
}

function addSamplePrompts(server: McpServer): void {
  const user = <Block>(content: Block) => ({ role: "user", content }) as const;
  server.registerPrompt("test_simple_prompt", { description: "A sample." }, () => ({
    messages: [user(text("This is a simple prompt for testing."))],
  }));
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "A sample.", argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => ({
      messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "A sample.", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [
        user({
          type: "resource" as const,
          resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." },
        }),
        user(text("Please process the embedded resource above.")),
      ],
    }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "A sample." }, () => ({
    messages: [user(image), user(text("Please analyze the image above."))],
  }));
}
