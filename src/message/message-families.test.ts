/**
 * A table of messages as each family writes them, with the expected result of reading. Longer than other
 * files because it is data. Every row is also stored and restored exactly.
 */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { describe, expect, it } from "vitest";
import type { Part, Role, ToolStatus } from "../types.ts";
import { decodeOriginal, encodeOriginal } from "./original.ts";
import { readMessage } from "./read-parts.ts";

interface Row {
  readonly name: string;
  readonly message: object;
  readonly role: Role;
  readonly parts: readonly Part[];
}

const text = (value: string): Part => ({ type: "text", text: value });
const synthetic = (value: string): Part => ({ type: "text", text: value, synthetic: true });
const reasoning = (value: string): Part => ({ type: "reasoning", text: value });
const other = (blockType: string, value: string): Part => ({ type: "other", blockType, text: value });
const file = (mime: string | null, name: string | null, url: string | null): Part => ({
  type: "file",
  mime,
  name,
  url,
});
const tool = (
  callId: string | null,
  name: string | null,
  status: ToolStatus,
  input: string | null,
  output: string | null,
): Part => ({ type: "tool", callId, name, status, input, output });

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk";
const DATA_URL = `data:image/png;base64,${PIXEL}`;
const BYTES = new Uint8Array([137, 80, 78, 71]);

const ANTHROPIC: readonly Row[] = [
  {
    name: "a user's string",
    message: { role: "user", content: "Why does the test fail?" },
    role: "user",
    parts: [text("Why does the test fail?")],
  },
  {
    name: "a system string",
    message: { role: "system", content: "Answer briefly." },
    role: "system",
    parts: [text("Answer briefly.")],
  },
  {
    name: "images and documents of every source",
    message: {
      role: "user",
      content: [
        { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
        { type: "image", source: { type: "url", url: "https://example.com/a.jpg" } },
        { type: "image", source: { type: "file", file_id: "file_011" } },
        {
          type: "document",
          title: "Report",
          source: { type: "base64", media_type: "application/pdf", data: PIXEL },
        },
        { type: "document", source: { type: "url", url: "https://example.com/b.pdf" } },
        {
          type: "document",
          title: "Notes",
          context: "From Ada",
          source: { type: "text", media_type: "text/plain", data: "The pump is red." },
        },
        {
          type: "document",
          context: "From Bob",
          source: {
            type: "content",
            content: [
              { type: "text", text: "A chunk." },
              { type: "image", source: { type: "url", url: "https://example.com/chunk.png" } },
            ],
          },
        },
        { type: "document", context: "From Eve", source: { type: "content", content: "One string." } },
        { type: "container_upload", file_id: "file_022" },
        { type: "text", text: "Compare them.", cache_control: { type: "ephemeral" } },
      ],
    },
    role: "user",
    parts: [
      file("image/png", null, null),
      file(null, null, "https://example.com/a.jpg"),
      file(null, "file_011", null),
      file("application/pdf", "Report", null),
      file(null, null, "https://example.com/b.pdf"),
      text("Notes\nFrom Ada\nThe pump is red."),
      text("From Bob\nA chunk."),
      file(null, null, "https://example.com/chunk.png"),
      text("From Eve\nOne string."),
      file(null, "file_022", null),
      text("Compare them."),
    ],
  },
  {
    name: "a response with thinking and a call",
    message: {
      id: "msg_01XFDUDYJgAACzvnptvVoYEL",
      type: "message",
      role: "assistant",
      model: "claude-opus-4-5",
      content: [
        { type: "thinking", thinking: "I should read it.", signature: "EqQBCgIYAhIM" },
        { type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix" },
        { type: "text", text: "Let me look.", citations: null },
        { type: "tool_use", id: "toolu_01", name: "read", input: { path: "a.ts", lines: [1, 2] } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 10, output_tokens: 20 },
    },
    role: "assistant",
    parts: [
      reasoning("I should read it."),
      reasoning(""),
      text("Let me look."),
      tool("toolu_01", "read", "pending", '{"path":"a.ts","lines":[1,2]}', null),
    ],
  },
  {
    name: "a result makes a user message the tool's",
    message: {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_01", content: "42 lines" },
        { type: "text", text: "And then?" },
      ],
    },
    role: "tool",
    parts: [tool("toolu_01", null, "completed", null, "42 lines"), text("And then?")],
  },
  {
    name: "a failed result of blocks with an image and a search result",
    message: {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "toolu_02",
          is_error: true,
          content: [
            { type: "text", text: "first" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
            { type: "text", text: "second" },
            {
              type: "search_result",
              source: "https://example.com/doc",
              title: "Doc",
              content: [{ type: "text", text: "third" }],
            },
          ],
        },
      ],
    },
    role: "tool",
    parts: [
      tool("toolu_02", null, "error", null, "first\nsecond\nDoc\nhttps://example.com/doc\nthird"),
      file("image/png", null, null),
    ],
  },
  {
    name: "a result without content",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_03" }] },
    role: "tool",
    parts: [tool("toolu_03", null, "completed", null, "")],
  },
  {
    name: "server tools in one assistant message",
    message: {
      role: "assistant",
      content: [
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "weather" } },
        {
          type: "web_search_tool_result",
          tool_use_id: "srvtoolu_1",
          content: [
            {
              type: "web_search_result",
              url: "https://example.com",
              title: "Weather",
              encrypted_content: "EqgfCioIARgBIiQ3YTAwMjY1Mi1mZjM5LTQ1NGUt".repeat(20),
            },
          ],
        },
        {
          type: "web_search_tool_result",
          tool_use_id: "srvtoolu_2",
          content: { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" },
        },
        { type: "mcp_tool_use", id: "mcptoolu_1", name: "echo", server_name: "demo", input: { a: 1 } },
        {
          type: "mcp_tool_result",
          tool_use_id: "mcptoolu_1",
          is_error: false,
          content: [{ type: "text", text: "hello" }],
        },
        {
          type: "code_execution_tool_result",
          tool_use_id: "srvtoolu_3",
          content: { type: "code_execution_result", stdout: "3\n", stderr: "", return_code: 0, content: [] },
        },
      ],
    },
    role: "assistant",
    parts: [
      tool("srvtoolu_1", "web_search", "pending", '{"query":"weather"}', null),
      tool("srvtoolu_1", "web_search", "completed", null, "https://example.com\nWeather"),
      tool("srvtoolu_2", "web_search", "error", null, "max_uses_exceeded"),
      tool("mcptoolu_1", "echo", "pending", '{"a":1}', null),
      tool("mcptoolu_1", null, "completed", null, "hello"),
      tool("srvtoolu_3", "code_execution", "completed", null, "3\n\n"),
    ],
  },
  {
    name: "a search result and a block that nobody knows",
    message: {
      role: "user",
      content: [
        {
          type: "search_result",
          source: "kb/1",
          title: "Manual",
          content: [{ type: "text", text: "Turn left." }],
        },
        { type: "hologram", caption: "a pump", layers: [{ label: "red" }, 7, null, "blue"] },
      ],
    },
    role: "user",
    parts: [text("Manual\nkb/1\nTurn left."), other("hologram", "a pump\nred\nblue")],
  },
  {
    name: "a compaction block",
    message: { role: "assistant", content: [{ type: "compaction", content: "So far: a pump." }] },
    role: "assistant",
    parts: [{ type: "compaction", auto: true, text: "So far: a pump." }],
  },
];

const OPENAI_CHAT: readonly Row[] = [
  {
    name: "a developer's instruction",
    message: { role: "developer", content: [{ type: "text", text: "Be kind." }] },
    role: "system",
    parts: [text("Be kind.")],
  },
  {
    name: "content of every kind",
    message: {
      role: "user",
      name: "ada",
      content: [
        { type: "text", text: "What is this?" },
        { type: "image_url", image_url: { url: DATA_URL, detail: "low" } },
        { type: "image_url", image_url: { url: "https://example.com/c.png" } },
        { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
        {
          type: "file",
          file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
        },
        { type: "file", file: { file_id: "file-abc" } },
      ],
    },
    role: "user",
    parts: [
      text("What is this?"),
      file("image/png", null, DATA_URL),
      file(null, null, "https://example.com/c.png"),
      file("audio/wav", null, null),
      file("application/pdf", "a.pdf", "data:application/pdf;base64,JVBERi0="),
      file(null, "file-abc", null),
    ],
  },
  {
    name: "calls of functions and custom tools without content",
    message: {
      role: "assistant",
      content: null,
      refusal: null,
      tool_calls: [
        { id: "call_1", type: "function", function: { name: "sum", arguments: '{"a": 1,"b":2}' } },
        { id: "call_2", type: "custom", custom: { name: "sh", input: "ls -la" } },
      ],
    },
    role: "assistant",
    parts: [
      tool("call_1", "sum", "pending", '{"a": 1,"b":2}', null),
      tool("call_2", "sh", "pending", "ls -la", null),
    ],
  },
  {
    name: "reasoning, an empty content left out, and calls",
    message: {
      role: "assistant",
      reasoning_content: "Two and two.",
      tool_calls: [{ id: "call_3", type: "function", function: { name: "now", arguments: "" } }],
    },
    role: "assistant",
    parts: [reasoning("Two and two."), tool("call_3", "now", "pending", "", null)],
  },
  {
    name: "a response with text, reasoning and audio",
    message: {
      role: "assistant",
      content: "Four.",
      reasoning: "Simple.",
      audio: { id: "audio_1", data: "UklGRg==", expires_at: 1760000000, transcript: "Four, spoken." },
      annotations: [],
      tool_calls: [],
    },
    role: "assistant",
    parts: [reasoning("Simple."), text("Four."), file(null, "audio_1", null), text("Four, spoken.")],
  },
  {
    name: "a refusal as a field and as a part",
    message: {
      role: "assistant",
      content: [{ type: "refusal", refusal: "Not that." }],
      refusal: "I cannot help.",
    },
    role: "assistant",
    parts: [text("Not that."), text("I cannot help.")],
  },
  {
    name: "a tool's answer",
    message: { role: "tool", tool_call_id: "call_1", content: "3" },
    role: "tool",
    parts: [tool("call_1", null, "completed", null, "3")],
  },
  {
    name: "a tool's answer in parts",
    message: {
      role: "tool",
      tool_call_id: "call_1",
      name: "sum",
      content: [
        { type: "text", text: "3" },
        { type: "text", text: "exactly" },
      ],
    },
    role: "tool",
    parts: [tool("call_1", "sum", "completed", null, "3\nexactly")],
  },
  {
    name: "the first form of calls",
    message: { role: "assistant", content: "", function_call: { name: "sum", arguments: "{}" } },
    role: "assistant",
    parts: [tool(null, "sum", "pending", "{}", null)],
  },
  {
    name: "the first form of answers",
    message: { role: "function", name: "sum", content: "3" },
    role: "tool",
    parts: [tool(null, "sum", "completed", null, "3")],
  },
  {
    name: "an assistant that said nothing",
    message: { role: "assistant", content: null },
    role: "assistant",
    parts: [],
  },
];

const OPENAI_RESPONSES: readonly Row[] = [
  {
    name: "a message of input blocks",
    message: {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "Read this." },
        { type: "input_image", image_url: "https://example.com/d.png", detail: "auto" },
        { type: "input_image", file_id: "file-img", detail: "auto" },
        { type: "input_file", filename: "e.csv", file_url: "https://example.com/e.csv" },
      ],
    },
    role: "user",
    parts: [
      text("Read this."),
      file(null, null, "https://example.com/d.png"),
      file(null, "file-img", null),
      file(null, "e.csv", "https://example.com/e.csv"),
    ],
  },
  {
    name: "a message of output blocks",
    message: {
      id: "msg_68",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [
        { type: "output_text", text: "Done.", annotations: [], logprobs: [] },
        { type: "refusal", refusal: "But not that." },
      ],
    },
    role: "assistant",
    parts: [text("Done."), text("But not that.")],
  },
  {
    name: "a function call",
    message: {
      type: "function_call",
      id: "fc_1",
      call_id: "call_1",
      name: "shell",
      arguments: '{"command":["ls"]}',
      status: "completed",
    },
    role: "assistant",
    parts: [tool("call_1", "shell", "pending", '{"command":["ls"]}', null)],
  },
  {
    name: "its output as a string",
    message: { type: "function_call_output", call_id: "call_1", output: "a.ts\nb.ts" },
    role: "tool",
    parts: [tool("call_1", null, "completed", null, "a.ts\nb.ts")],
  },
  {
    name: "its output as blocks",
    message: {
      type: "function_call_output",
      call_id: "call_1",
      output: [
        { type: "input_text", text: "shown" },
        { type: "input_image", image_url: DATA_URL },
        { type: "input_file", filename: "f.pdf", file_data: "JVBERi0=" },
      ],
    },
    role: "tool",
    parts: [
      tool("call_1", null, "completed", null, "shown"),
      file("image/png", null, DATA_URL),
      file(null, "f.pdf", null),
    ],
  },
  {
    name: "a custom tool's call",
    message: {
      type: "custom_tool_call",
      call_id: "call_2",
      name: "apply_patch",
      input: "*** Begin Patch\n*** End Patch",
    },
    role: "assistant",
    parts: [tool("call_2", "apply_patch", "pending", "*** Begin Patch\n*** End Patch", null)],
  },
  {
    name: "a custom tool's output",
    message: { type: "custom_tool_call_output", call_id: "call_2", output: "ok" },
    role: "tool",
    parts: [tool("call_2", null, "completed", null, "ok")],
  },
  {
    name: "reasoning with summary and content",
    message: {
      type: "reasoning",
      id: "rs_1",
      summary: [
        { type: "summary_text", text: "Looked." },
        { type: "summary_text", text: "Found." },
      ],
      content: [{ type: "reasoning_text", text: "In full." }],
      encrypted_content: "gAAAAABo",
    },
    role: "assistant",
    parts: [reasoning("Looked.\nFound.\nIn full.")],
  },
  {
    name: "reasoning and audio among the blocks of a message",
    message: {
      type: "message",
      role: "assistant",
      content: [
        { type: "summary_text", text: "In short." },
        { type: "reasoning_text", text: "At length." },
        { type: "reasoning", content: [{ type: "reasoning_text", text: "Alone." }] },
        { type: "output_audio", data: "UklGRg==", transcript: "Spoken." },
      ],
    },
    role: "assistant",
    parts: [
      reasoning("In short."),
      reasoning("At length."),
      reasoning("Alone."),
      file(null, null, null),
      text("Spoken."),
    ],
  },
  {
    name: "sealed reasoning",
    message: { type: "reasoning", id: "rs_2", summary: [], encrypted_content: "gAAAAABo" },
    role: "assistant",
    parts: [reasoning("")],
  },
  {
    name: "a web search whose id a host stripped",
    message: { type: "web_search_call", status: "completed", action: { type: "search", query: "pumps" } },
    role: "assistant",
    parts: [tool(null, "web_search", "completed", '{"type":"search","query":"pumps"}', "")],
  },
  {
    name: "a file search",
    message: {
      type: "file_search_call",
      id: "fs_1",
      status: "completed",
      queries: ["red pump"],
      results: [{ file_id: "file-1", filename: "pump.md", score: 0.9, text: "It is red." }],
    },
    role: "assistant",
    parts: [
      tool(
        "fs_1",
        "file_search",
        "completed",
        '["red pump"]',
        '[{"file_id":"file-1","filename":"pump.md","score":0.9,"text":"It is red."}]',
      ),
    ],
  },
  {
    name: "a computer's call",
    message: {
      type: "computer_call",
      id: "cu_1",
      call_id: "call_3",
      action: { type: "click", x: 1, y: 2 },
      pending_safety_checks: [],
      status: "completed",
    },
    role: "assistant",
    parts: [tool("call_3", "computer", "pending", '{"type":"click","x":1,"y":2}', null)],
  },
  {
    name: "a computer's screenshot",
    message: {
      type: "computer_call_output",
      call_id: "call_3",
      output: { type: "computer_screenshot", image_url: DATA_URL },
    },
    role: "tool",
    parts: [tool("call_3", "computer", "completed", null, ""), file("image/png", null, DATA_URL)],
  },
  {
    name: "a code interpreter's run",
    message: {
      type: "code_interpreter_call",
      id: "ci_1",
      status: "completed",
      container_id: "cntr_1",
      code: "print(1)",
      outputs: [
        { type: "logs", logs: "1\n" },
        { type: "image", url: "https://example.com/plot.png" },
      ],
    },
    role: "assistant",
    parts: [
      tool("ci_1", "code_interpreter", "completed", "print(1)", "1\n"),
      file(null, null, "https://example.com/plot.png"),
    ],
  },
  {
    name: "a local shell's call",
    message: {
      type: "local_shell_call",
      id: "lsh_1",
      call_id: "call_4",
      action: { type: "exec", command: ["ls"], env: {} },
      status: "completed",
    },
    role: "assistant",
    parts: [tool("call_4", "local_shell", "pending", '{"type":"exec","command":["ls"],"env":{}}', null)],
  },
  {
    name: "a local shell's output",
    message: { type: "local_shell_call_output", id: "call_4", output: '{"stdout":"a"}' },
    role: "tool",
    parts: [tool("call_4", "local_shell", "completed", null, '{"stdout":"a"}')],
  },
  {
    name: "a shell's output that is a list without types",
    message: {
      type: "shell_call_output",
      call_id: "call_5",
      output: [{ stdout: "a", stderr: "", outcome: { type: "exit", exit_code: 0 } }],
    },
    role: "tool",
    parts: [
      tool(
        "call_5",
        "shell",
        "completed",
        null,
        '[{"stdout":"a","stderr":"","outcome":{"type":"exit","exit_code":0}}]',
      ),
    ],
  },
  {
    name: "a patch that failed",
    message: { type: "apply_patch_call_output", call_id: "call_6", status: "failed", output: "no such file" },
    role: "tool",
    parts: [tool("call_6", "apply_patch", "error", null, "no such file")],
  },
  {
    name: "an MCP call with its output",
    message: {
      type: "mcp_call",
      id: "mcp_1",
      server_label: "demo",
      name: "roll",
      arguments: '{"dice":"2d4"}',
      output: "5",
      error: null,
    },
    role: "assistant",
    parts: [tool("mcp_1", "roll", "completed", '{"dice":"2d4"}', "5")],
  },
  {
    name: "an MCP call that failed",
    message: {
      type: "mcp_call",
      id: "mcp_2",
      server_label: "demo",
      name: "roll",
      arguments: "{}",
      output: null,
      error: "timeout",
    },
    role: "assistant",
    parts: [tool("mcp_2", "roll", "error", "{}", "timeout")],
  },
  {
    name: "a list of MCP tools",
    message: {
      type: "mcp_list_tools",
      id: "mcpl_1",
      server_label: "demo",
      tools: [{ name: "roll", description: "Rolls dice", input_schema: {} }],
    },
    role: "assistant",
    parts: [other("mcp_list_tools", "mcpl_1\ndemo\nroll\nRolls dice")],
  },
  {
    name: "a generated image",
    message: {
      type: "image_generation_call",
      id: "ig_1",
      status: "completed",
      revised_prompt: "a red pump",
      result: PIXEL,
    },
    role: "assistant",
    parts: [tool("ig_1", "image_generation", "completed", "a red pump", ""), file("image/png", null, null)],
  },
  {
    name: "a reference",
    message: { type: "item_reference", id: "msg_123" },
    role: "assistant",
    parts: [other("item_reference", "msg_123")],
  },
  {
    name: "an approval by the user",
    message: {
      type: "mcp_approval_response",
      approval_request_id: "mcpr_1",
      approve: true,
      reason: "fine",
    },
    role: "user",
    parts: [other("mcp_approval_response", "mcpr_1\nfine")],
  },
  {
    name: "a sealed compaction",
    message: { type: "compaction", id: "cmp_1", encrypted_content: "gAAAAABo" },
    role: "assistant",
    parts: [{ type: "compaction", auto: true, text: "" }],
  },
  {
    name: "tools that a developer adds",
    message: { type: "additional_tools", role: "developer", tools: [{ type: "function", name: "late" }] },
    role: "system",
    parts: [other("additional_tools", "developer\nfunction\nlate")],
  },
  {
    name: "a program",
    message: { type: "program", id: "pg_1", call_id: "call_8", code: "await f()", fingerprint: "x" },
    role: "assistant",
    parts: [tool("call_8", "program", "pending", "await f()", null)],
  },
  {
    name: "a program's output",
    message: { type: "program_output", id: "po_1", call_id: "call_8", result: "done", status: "completed" },
    role: "tool",
    parts: [tool("call_8", "program", "completed", null, "done")],
  },
  {
    name: "tools that a search found",
    message: { type: "tool_search_output", call_id: "call_9", tools: [{ name: "late" }] },
    role: "tool",
    parts: [tool("call_9", "tool_search", "completed", null, '[{"name":"late"}]')],
  },
  {
    name: "an output that names its function and no call",
    message: { type: "function_call_output", name: "sum", output: "3" },
    role: "tool",
    parts: [tool(null, "sum", "completed", null, "3")],
  },
  {
    name: "a patch",
    message: {
      type: "apply_patch_call",
      call_id: "call_10",
      status: "completed",
      operation: { type: "delete_file", path: "a.ts" },
    },
    role: "assistant",
    parts: [tool("call_10", "apply_patch", "pending", '{"type":"delete_file","path":"a.ts"}', null)],
  },
  {
    name: "several actions at once",
    message: { type: "computer_call", id: "cu_2", actions: [{ type: "wait" }] },
    role: "assistant",
    parts: [tool("cu_2", "computer", "pending", '[{"type":"wait"}]', null)],
  },
  {
    name: "a question for approval",
    message: {
      type: "mcp_approval_request",
      id: "mcpr_1",
      server_label: "demo",
      name: "roll",
      arguments: "{}",
    },
    role: "assistant",
    parts: [other("mcp_approval_request", "mcpr_1\ndemo\nroll\n{}")],
  },
  {
    name: "a message between agents",
    message: { type: "agent_message", author: "a", recipient: "b", content: [{ type: "text", text: "hi" }] },
    role: "assistant",
    parts: [other("agent_message", "a\nb\ntext\nhi")],
  },
  {
    name: "a request to compact",
    message: { type: "compaction_trigger" },
    role: "user",
    parts: [{ type: "compaction", auto: false, text: "" }],
  },
  {
    name: "a call of a kind that came later",
    message: { type: "telescope_call", call_id: "call_7", action: { target: "moon" } },
    role: "assistant",
    parts: [tool("call_7", "telescope", "pending", '{"target":"moon"}', null)],
  },
];

const AI_SDK: readonly Row[] = [
  {
    name: "a user's text, images and files with bytes and URLs",
    message: {
      role: "user",
      content: [
        { type: "text", text: "Look." },
        { type: "image", image: BYTES, mediaType: "image/png" },
        { type: "image", image: new URL("https://example.com/g.png") },
        { type: "image", image: PIXEL, mediaType: "image/png" },
        { type: "file", data: BYTES.buffer, mediaType: "application/pdf", filename: "h.pdf" },
        { type: "file", data: "https://example.com/i.pdf", mediaType: "application/pdf" },
        {
          type: "file",
          data: { type: "url", url: "https://example.com/j.pdf" },
          mediaType: "application/pdf",
        },
        { type: "file", data: { type: "text", text: "inline" }, mediaType: "text/plain" },
      ],
    },
    role: "user",
    parts: [
      text("Look."),
      file("image/png", null, null),
      file(null, null, "https://example.com/g.png"),
      file("image/png", null, null),
      file("application/pdf", "h.pdf", null),
      file("application/pdf", null, "https://example.com/i.pdf"),
      file("application/pdf", null, "https://example.com/j.pdf"),
      text("inline"),
    ],
  },
  {
    name: "reasoning, a call and its approval",
    message: {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Ask the tool.", providerOptions: { anthropic: { signature: "Eq" } } },
        { type: "text", text: "One moment." },
        { type: "tool-call", toolCallId: "call_1", toolName: "weather", input: { city: "Graz" } },
        { type: "tool-approval-request", approvalId: "aitxt-1", toolCallId: "call_1" },
      ],
    },
    role: "assistant",
    parts: [
      reasoning("Ask the tool."),
      text("One moment."),
      tool("call_1", "weather", "pending", '{"city":"Graz"}', null),
      other("tool-approval-request", "aitxt-1\ncall_1"),
    ],
  },
  {
    name: "results of every kind",
    message: {
      role: "tool",
      content: [
        result("a", { type: "text", value: "sunny" }),
        result("b", { type: "json", value: { degrees: 21 } }),
        result("c", { type: "error-text", value: "offline" }),
        result("d", { type: "error-json", value: { code: 7 } }),
        result("e", { type: "execution-denied", reason: "not today" }),
        result("f", {
          type: "content",
          value: [
            { type: "text", text: "see" },
            { type: "media", data: PIXEL, mediaType: "image/png" },
            { type: "file-data", data: PIXEL, mediaType: "text/csv", filename: "k.csv" },
            { type: "image-url", url: "https://example.com/l.png" },
            { type: "file-id", fileId: "file-9" },
            { type: "file-url", url: "https://example.com/p.pdf" },
            { type: "image-data", data: PIXEL, mediaType: "image/webp" },
            { type: "image-file-id", fileId: "file-10" },
            { type: "audio", data: PIXEL, mimeType: "audio/mpeg" },
            { type: "image", data: "https://example.com/q.png", mimeType: "image/png" },
          ],
        }),
      ],
    },
    role: "tool",
    parts: [
      tool("a", "weather", "completed", null, "sunny"),
      tool("b", "weather", "completed", null, '{"degrees":21}'),
      tool("c", "weather", "error", null, "offline"),
      tool("d", "weather", "error", null, '{"code":7}'),
      tool("e", "weather", "error", null, "not today"),
      tool("f", "weather", "completed", null, "see"),
      file("image/png", null, null),
      file("text/csv", "k.csv", null),
      file(null, null, "https://example.com/l.png"),
      file(null, "file-9", null),
      file(null, null, "https://example.com/p.pdf"),
      file("image/webp", null, null),
      file(null, "file-10", null),
      file("audio/mpeg", null, null),
      file("image/png", null, "https://example.com/q.png"),
    ],
  },
  {
    name: "an approval",
    message: {
      role: "tool",
      content: [{ type: "tool-approval-response", approvalId: "aitxt-1", approved: true, reason: "go on" }],
    },
    role: "tool",
    parts: [other("tool-approval-response", "aitxt-1\ngo on")],
  },
  {
    name: "a call and a result of version 4",
    message: {
      role: "assistant",
      content: [
        { type: "tool-call", toolCallId: "call_2", toolName: "sum", args: { a: 1 } },
        { type: "tool-result", toolCallId: "call_2", toolName: "sum", result: { total: 1 }, isError: true },
      ],
    },
    role: "assistant",
    parts: [
      tool("call_2", "sum", "pending", '{"a":1}', null),
      tool("call_2", "sum", "error", null, '{"total":1}'),
    ],
  },
  {
    name: "a user's UI message",
    message: {
      id: "ui-1",
      role: "user",
      metadata: { createdAt: 1 },
      parts: [
        { type: "text", text: "Hello" },
        { type: "file", mediaType: "image/png", filename: "m.png", url: DATA_URL },
      ],
    },
    role: "user",
    parts: [text("Hello"), file("image/png", "m.png", DATA_URL)],
  },
  {
    name: "an assistant's UI message",
    message: {
      id: "ui-2",
      role: "assistant",
      parts: [
        { type: "step-start" },
        { type: "reasoning", text: "Hm.", state: "done" },
        {
          type: "tool-weather",
          toolCallId: "call_1",
          state: "output-available",
          input: { city: "Graz" },
          output: { degrees: 21 },
        },
        { type: "tool-weather", toolCallId: "call_2", state: "input-available", input: { city: "Linz" } },
        {
          type: "dynamic-tool",
          toolName: "mcp_search",
          toolCallId: "call_3",
          state: "output-error",
          input: { q: "x" },
          errorText: "offline",
        },
        {
          type: "tool-shell",
          toolCallId: "call_4",
          state: "output-denied",
          input: {},
          approval: { id: "ap", approved: false, reason: "too risky" },
        },
        { type: "source-url", sourceId: "s1", url: "https://example.com/n", title: "N" },
        {
          type: "source-document",
          sourceId: "s2",
          mediaType: "application/pdf",
          title: "O",
          filename: "o.pdf",
        },
        { type: "data-chart", id: "d1", data: { label: "sales", values: [1, 2] } },
        { type: "text", text: "21 degrees.", state: "done" },
      ],
    },
    role: "assistant",
    parts: [
      { type: "step_start" },
      reasoning("Hm."),
      tool("call_1", "weather", "completed", '{"city":"Graz"}', '{"degrees":21}'),
      tool("call_2", "weather", "pending", '{"city":"Linz"}', null),
      tool("call_3", "mcp_search", "error", '{"q":"x"}', "offline"),
      tool("call_4", "shell", "error", "{}", "too risky"),
      other("source-url", "s1\nhttps://example.com/n\nN"),
      other("source-document", "s2\napplication/pdf\nO\no.pdf"),
      other("data-chart", "d1\nsales"),
      text("21 degrees."),
    ],
  },
  {
    name: "a UI message whose tools are named like other parts",
    message: {
      id: "ui-4",
      role: "assistant",
      parts: ["tool-call", "tool-result", "tool-approval-check"].map((type) => ({
        type,
        toolCallId: "c1",
        state: "output-available",
        input: {},
        output: "yes",
      })),
    },
    role: "assistant",
    parts: ["call", "result", "approval-check"].map((name) => tool("c1", name, "completed", "{}", "yes")),
  },
  {
    name: "a UI message of version 4, which says its content twice",
    message: {
      id: "ui-3",
      role: "assistant",
      content: "It is 1.",
      parts: [
        {
          type: "tool-invocation",
          toolInvocation: { state: "result", toolCallId: "c1", toolName: "sum", args: { a: 1 }, result: 1 },
        },
        {
          type: "tool-invocation",
          toolInvocation: { state: "call", toolCallId: "c2", toolName: "sum", args: { a: 2 } },
        },
        { type: "text", text: "It is 1." },
      ],
    },
    role: "assistant",
    parts: [
      tool("c1", "sum", "completed", '{"a":1}', "1"),
      tool("c2", "sum", "pending", '{"a":2}', null),
      text("It is 1."),
    ],
  },
];

function result(toolCallId: string, output: object): object {
  return { type: "tool-result", toolCallId, toolName: "weather", output };
}

const PI: readonly Row[] = [
  {
    name: "a user with an image",
    message: {
      role: "user",
      content: [
        { type: "text", text: "/mode" },
        { type: "image", data: PIXEL, mimeType: "image/png" },
      ],
      timestamp: 1765238302057,
    },
    role: "user",
    parts: [text("/mode"), file("image/png", null, null)],
  },
  {
    name: "an assistant",
    message: {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Use read.", thinkingSignature: "ErMC" },
        { type: "text", text: "Reading." },
        { type: "toolCall", id: "toolu_1", name: "read", arguments: { path: "a.md" } },
      ],
      api: "anthropic-messages",
      provider: "anthropic",
      model: "claude-sonnet-4-5",
      usage: { input: 1, output: 2 },
      stopReason: "toolUse",
      timestamp: 1765238302057,
    },
    role: "assistant",
    parts: [
      reasoning("Use read."),
      text("Reading."),
      tool("toolu_1", "read", "pending", '{"path":"a.md"}', null),
    ],
  },
  {
    name: "an assistant that failed",
    message: {
      role: "assistant",
      content: [{ type: "text", text: "Rea" }],
      api: "anthropic-messages",
      stopReason: "error",
      errorMessage: "529 overloaded_error",
      timestamp: 1765238302057,
    },
    role: "assistant",
    parts: [text("Rea"), { type: "failure", error: "529 overloaded_error" }],
  },
  {
    name: "a tool's result",
    message: {
      role: "toolResult",
      toolCallId: "toolu_1",
      toolName: "read",
      content: [
        { type: "text", text: "# A" },
        { type: "image", data: PIXEL, mimeType: "image/png" },
      ],
      details: { truncated: false },
      isError: true,
      timestamp: 1765238302057,
    },
    role: "tool",
    parts: [tool("toolu_1", "read", "error", null, "# A"), file("image/png", null, null)],
  },
  {
    name: "a command that the person ran",
    message: {
      role: "bashExecution",
      command: "ls",
      output: "a.md\n",
      exitCode: 0,
      cancelled: false,
      truncated: false,
      timestamp: 1765238302057,
    },
    role: "tool",
    parts: [tool(null, "bash", "completed", "ls", "a.md\n")],
  },
  {
    name: "a command that failed",
    message: { role: "bashExecution", command: "false", output: "", exitCode: 1 },
    role: "tool",
    parts: [tool(null, "bash", "error", "false", "")],
  },
  {
    name: "a custom message",
    message: { role: "custom", customType: "note", content: "Remember the pump.", display: true },
    role: "user",
    parts: [synthetic("Remember the pump.")],
  },
  {
    name: "a custom message under its first name",
    message: { role: "hookMessage", customType: "note", content: [{ type: "text", text: "Note." }] },
    role: "user",
    parts: [synthetic("Note.")],
  },
  {
    name: "a summary of a branch",
    message: { role: "branchSummary", summary: "Tried the other way.", fromId: "ab12" },
    role: "user",
    parts: [synthetic("Tried the other way.")],
  },
  {
    name: "a summary of a compaction",
    message: { role: "compactionSummary", summary: "All about pumps.", tokensBefore: 175004 },
    role: "user",
    parts: [synthetic("All about pumps.")],
  },
];

const NATIVE: readonly Row[] = [
  {
    name: "all twelve part types",
    message: {
      role: "assistant",
      parts: [
        { type: "text", text: "Hi", synthetic: true },
        { type: "reasoning", text: "Hm." },
        {
          type: "tool",
          callId: "c1",
          name: "read",
          status: "completed",
          input: { path: "a" },
          output: "b",
          title: "Read a",
        },
        { type: "tool", callId: "c2", name: "read", status: "running", input: "raw" },
        { type: "tool", callId: "c3", output: "late answer" },
        { type: "tool", callId: "c4", name: "read", input: {}, error: "gone" },
        { type: "patch", hash: "9f2c", files: ["a.ts", "b.ts"] },
        { type: "file", mime: "text/plain", name: "a.txt", url: "files/a.txt" },
        { type: "subtask", prompt: "Find pumps.", description: "Search", agent: "scout" },
        { type: "compaction", auto: false, text: "So far." },
        { type: "step_start" },
        { type: "step_finish", reason: "stop", cost: 0.01, tokens: { input: 1, output: 2 } },
        { type: "snapshot", hash: "77aa" },
        { type: "agent", name: "scout" },
        { type: "retry", attempt: 2, error: "overloaded" },
      ],
    },
    role: "assistant",
    parts: [
      synthetic("Hi"),
      reasoning("Hm."),
      tool("c1", "read", "completed", '{"path":"a"}', "b"),
      tool("c2", "read", "running", "raw", null),
      tool("c3", null, "completed", null, "late answer"),
      tool("c4", "read", "error", "{}", "gone"),
      { type: "patch", hash: "9f2c", files: ["a.ts", "b.ts"] },
      file("text/plain", "a.txt", "files/a.txt"),
      { type: "subtask", prompt: "Find pumps.", description: "Search", agent: "scout" },
      { type: "compaction", auto: false, text: "So far." },
      { type: "step_start" },
      { type: "step_finish", reason: "stop" },
      { type: "snapshot", hash: "77aa" },
      { type: "agent", name: "scout" },
      { type: "retry", attempt: 2, error: "overloaded" },
    ],
  },
  {
    name: "tools in every state",
    message: {
      role: "assistant",
      parts: [
        { type: "tool", callId: "c1", name: "read" },
        { type: "tool", callId: "c2", name: "read", status: "pending", input: 5, output: "so far" },
        { type: "tool", callId: "c3", name: "read", status: "completed" },
        { type: "tool", callId: "c4", name: "read", status: "error", input: {} },
        { type: "tool", callId: "c5", name: "read", status: "error", input: null, output: "half" },
        { type: "step_finish", tokens: null },
        { type: "file", url: new URL("file:///tmp/a") },
      ],
    },
    role: "assistant",
    parts: [
      tool("c1", "read", "pending", "", null),
      tool("c2", "read", "pending", "5", "so far"),
      tool("c3", "read", "completed", "", ""),
      tool("c4", "read", "error", "{}", ""),
      tool("c5", "read", "error", null, "half"),
      { type: "step_finish", reason: null },
      file(null, null, "file:///tmp/a"),
    ],
  },
  {
    name: "parts with nothing but what they need",
    message: {
      role: "user",
      parts: [
        { type: "patch", files: [] },
        { type: "file" },
        { type: "subtask", prompt: "p" },
        { type: "compaction", auto: true },
        { type: "step_finish" },
        { type: "snapshot" },
        { type: "agent" },
        { type: "retry" },
      ],
    },
    role: "user",
    parts: [
      { type: "patch", hash: null, files: [] },
      file(null, null, null),
      { type: "subtask", prompt: "p", description: null, agent: null },
      { type: "compaction", auto: true, text: "" },
      { type: "step_finish", reason: null },
      { type: "snapshot", hash: null },
      { type: "agent", name: null },
      { type: "retry", attempt: null, error: null },
    ],
  },
];

const FAMILIES = { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES, AI_SDK, PI, NATIVE };

describe.each(Object.entries(FAMILIES))("a message of %s", (_family, rows) => {
  it.each(rows)("is read: $name", ({ message, role, parts }) => {
    const shape = readMessage(message, "strict");
    expect(shape.parts).toStrictEqual(parts);
    expect(shape.role).toBe(role);
  });

  it.each(rows)("is read alike leniently: $name", ({ message }) => {
    expect(readMessage(message, "lenient")).toStrictEqual(readMessage(message, "strict"));
  });

  it.each(rows)("comes back exactly: $name", ({ message }) => {
    const original = encodeOriginal(message);
    const decoded = decodeOriginal(original.format, original.text);
    deepStrictEqual(decoded, message);
    strictEqual(JSON.stringify(decoded), JSON.stringify(message));
    strictEqual(encodeOriginal(decoded).text, original.text);
  });

  it.each(rows)("is read alike from its original: $name", ({ message, parts }) => {
    const { format, text: stored } = encodeOriginal(message);
    expect(readMessage(decodeOriginal(format, stored), "strict").parts).toStrictEqual(parts);
  });
});
