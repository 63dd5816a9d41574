/** Invented sessions in the forms of hosts that keep whole sessions: each as it is first found, and after it has grown. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface SampleDocument {
  readonly format: string;
  readonly label: string;
  /** Writes the file into the folder, as it is first or after it has grown, and gives its path. */
  write(folder: string, isGrown: boolean): string;
  /** Messages of the first session, in words, and those that come with the growth. */
  readonly said: readonly string[];
  readonly added: readonly string[];
  readonly session: {
    readonly sessionId: string | RegExp;
    readonly title: string;
    readonly host: string;
    readonly project: string | null;
    readonly model: string | null;
  };
  /** When the first message was said; null where the file does not tell. */
  readonly firstAt: string | null;
  readonly sessions: number;
}

const AT = "2026-02-01T09:00:00.000Z";
const at = (second: number) => new Date(Date.parse(AT) + second * 1000).toISOString();

function writeJson(folder: string, name: string, value: unknown, indent = 2): string {
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify(value, null, indent));
  return file;
}

const GEMINI = [
  { id: "g1", timestamp: at(0), type: "user", content: [{ text: "List the tea shelves." }] },
  { id: "g2", timestamp: at(1), type: "info", content: "Update available." },
  {
    id: "g3",
    timestamp: at(2),
    type: "gemini",
    content: "I look at them.",
    model: "gemini-sample",
    thoughts: [{ subject: "Plan", description: "Use the list tool.", timestamp: at(2) }],
    tokens: { input: 5, output: 2, cached: 0, total: 7 },
    toolCalls: [
      {
        id: "call-1",
        name: "list_directory",
        args: { path: "shelves" },
        status: "success",
        timestamp: at(3),
        result: [
          { functionResponse: { id: "call-1", name: "list_directory", response: { output: "oolong" } } },
        ],
      },
    ],
  },
];
const GEMINI_ADDED = {
  id: "g4",
  timestamp: at(5),
  type: "user",
  content: [{ text: "And this?" }, { inlineData: { mimeType: "image/png", data: "aGVsbG8=" } }],
};
const GEMINI_HEAD = {
  sessionId: "5a1e7e00-0000-4000-8000-000000000001",
  projectHash: "abc",
  startTime: AT,
  lastUpdated: AT,
  summary: "Tea shelves",
  directories: ["/home/ada/tea"],
};
const GEMINI_SAID = [
  "user: List the tea shelves.",
  "assistant: (Plan\nUse the list tool.) | I look at them.",
  'assistant: list_directory({"path":"shelves"}) => oolong',
];
const gemini = {
  format: "gemini-cli",
  label: "Gemini CLI",
  said: GEMINI_SAID,
  added: ["user: And this? | [image/png]"],
  session: {
    sessionId: GEMINI_HEAD.sessionId,
    title: "Tea shelves",
    host: "gemini-cli",
    project: "/home/ada/tea",
    model: "gemini-sample",
  },
  firstAt: AT,
  sessions: 1,
};

/** As Gemini writes it: a message comes again with its tool call, and the session's fields change. */
export function geminiLines(isGrown: boolean): string {
  const [first, notice, full] = GEMINI;
  const { summary, directories, ...head } = GEMINI_HEAD;
  const partial = { ...full, toolCalls: undefined, tokens: null };
  const lines = [
    { ...head, kind: "main" },
    first,
    notice,
    partial,
    { $set: { lastUpdated: at(2) } },
    full,
    { $set: { summary, directories } },
    ...(isGrown ? [GEMINI_ADDED] : []),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

const OPENCODE_INFO = {
  id: "ses_tea1",
  title: "Sorting the tea",
  directory: "/home/ada/tea",
  version: "1.18.33",
  time: { created: Date.parse(AT), updated: Date.parse(AT) },
};
const millis = (second: number) => Date.parse(at(second));
const OPENCODE = [
  {
    info: { id: "msg_1", role: "user", time: { created: millis(0) }, agent: "build" },
    parts: [
      { id: "prt_1", type: "text", text: "Sort the tea." },
      {
        id: "prt_2",
        type: "file",
        mime: "text/plain",
        filename: "tea.txt",
        url: "file:///home/ada/tea/tea.txt",
      },
    ],
  },
  {
    info: {
      id: "msg_2",
      role: "assistant",
      parentID: "msg_1",
      modelID: "sample-model",
      providerID: "sample",
      time: { created: millis(1), completed: millis(4) },
      cost: 0,
    },
    parts: [
      { id: "prt_3", type: "step-start" },
      { id: "prt_4", type: "reasoning", text: "By colour.", time: { start: millis(1) } },
      {
        id: "prt_5",
        type: "tool",
        callID: "call_1",
        tool: "bash",
        state: {
          status: "completed",
          input: { command: "sort tea.txt" },
          output: "assam\noolong",
          title: "Sort",
          metadata: {},
          time: { start: millis(2), end: millis(3) },
        },
      },
      { id: "prt_6", type: "text", text: "Sorted." },
      { id: "prt_7", type: "step-finish", reason: "stop", cost: 0, tokens: { input: 3, output: 2 } },
      { id: "prt_8", type: "glitter", sparkle: "unknown words" },
    ],
  },
];
const OPENCODE_ADDED = {
  info: { id: "msg_3", role: "user", time: { created: millis(9) } },
  parts: [{ id: "prt_9", type: "text", text: "Thank you." }],
};
const opencode = {
  format: "opencode",
  label: "OpenCode",
  said: [
    "user: Sort the tea. | [tea.txt]",
    'assistant: step_start | (By colour.) | bash({"command":"sort tea.txt"}) => assam\noolong | Sorted. | step_finish | other',
  ],
  added: ["user: Thank you."],
  session: {
    sessionId: "ses_tea1",
    title: "Sorting the tea",
    host: "opencode",
    project: "/home/ada/tea",
    model: "sample-model",
  },
  firstAt: AT,
};

/** An export says of each part where it belongs, after the part. */
function exported({ info, parts }: OpencodeMessage): object {
  const place = { sessionID: OPENCODE_INFO.id, messageID: info.id };
  return {
    info: { ...info, sessionID: OPENCODE_INFO.id },
    parts: parts.map(({ id, ...part }) => ({ ...part, id, ...place })),
  };
}

interface OpencodeMessage {
  readonly info: { readonly id: string; readonly time: { readonly created: number } };
  readonly parts: readonly { readonly id: string }[];
}

/** A database as OpenCode makes it, with the columns that matter and one session. */
export function openOpencode(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec(`
    CREATE TABLE IF NOT EXISTS session (id text PRIMARY KEY, project_id text, parent_id text, slug text, directory text,
      title text, version text, time_created integer, time_updated integer);
    CREATE TABLE IF NOT EXISTS message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
    CREATE TABLE IF NOT EXISTS part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text);
  `);
  return database;
}

export function addOpencodeSession(
  database: DatabaseSync,
  id: string,
  title: string,
  directory: string,
): void {
  database
    .prepare("INSERT OR REPLACE INTO session VALUES (?, 'p', NULL, 's', ?, ?, '1', ?, ?)")
    .run(id, directory, title, millis(0), millis(0));
}

export function putOpencodeMessage(database: DatabaseSync, session: string, message: OpencodeMessage): void {
  const { id, ...info } = message.info;
  const { created } = info.time;
  const updated = Date.now();
  database.exec("BEGIN");
  database
    .prepare("INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?)")
    .run(id, session, created, updated, JSON.stringify(info));
  for (const { id: part, ...data } of message.parts)
    database
      .prepare("INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?)")
      .run(part, id, session, created, updated, JSON.stringify(data));
  database.exec("COMMIT");
}

function writeOpencode(folder: string, isGrown: boolean): string {
  const file = path.join(folder, "opencode.db");
  const database = openOpencode(file);
  addOpencodeSession(database, "ses_tea1", OPENCODE_INFO.title, OPENCODE_INFO.directory);
  addOpencodeSession(database, "ses_tea2", "New session - 2026-02-01T09:00:00.000Z", "/home/ada/milk");
  for (const message of OPENCODE) putOpencodeMessage(database, "ses_tea1", message);
  putOpencodeMessage(database, "ses_tea2", {
    info: { id: "msg_9", time: { created: millis(3) } },
    parts: [{ id: "prt_90", ...{ type: "text", text: "Is there milk?" } }],
  });
  if (isGrown) putOpencodeMessage(database, "ses_tea1", OPENCODE_ADDED);
  database.close();
  return file;
}

const call = (id: string, name: string, input: object) => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(input) },
});

function openhandsRun(instance: string, isGrown: boolean): object {
  const response = {
    id: "gen-1",
    model: "sample-model",
    choices: [
      {
        message: {
          role: "assistant",
          content: "I brew.",
          tool_calls: [call("t1", "execute_bash", { command: "brew" })],
        },
      },
    ],
  };
  const metadata = { function_name: "execute_bash", tool_call_id: "t1", model_response: response };
  return {
    instance_id: instance,
    test_result: { git_patch: "diff" },
    instruction: "Brew tea.",
    metadata: { llm_config: { model: "sample/first" } },
    history: [
      {
        id: 0,
        timestamp: "2026-02-01T09:00:00.000",
        source: "agent",
        action: "system",
        args: { content: "You brew." },
      },
      {
        id: 1,
        timestamp: at(1),
        source: "user",
        action: "message",
        args: { content: "Brew tea.", image_urls: null },
      },
      { id: 2, timestamp: at(1), source: "user", action: "recall", args: { query: "Brew tea." } },
      {
        id: 3,
        timestamp: at(2),
        source: "agent",
        action: "run",
        tool_call_metadata: metadata,
        args: { command: "brew" },
      },
      {
        id: 4,
        timestamp: at(3),
        source: "agent",
        cause: 3,
        observation: "run",
        tool_call_metadata: metadata,
        content: "The kettle is empty.",
        extras: { metadata: { working_dir: "/workspace/tea" } },
        success: false,
      },
      { id: 5, timestamp: at(4), source: "environment", observation: "error", content: "No more water." },
      ...(isGrown
        ? [{ id: 6, timestamp: at(5), source: "agent", action: "message", args: { content: "I give up." } }]
        : []),
    ],
    error: null,
  };
}

const DRAWER = "The leaves are in the third drawer.";

function sweRun(isGrown: boolean): object {
  return {
    environment: "main",
    trajectory: [
      {
        action: "ls",
        observation: DRAWER,
        response: "I look.",
        execution_time: 0.1,
        state: { working_dir: "/testbed" },
        messages: [],
      },
    ],
    history: [
      { role: "system", content: "You repair kettles.", agent: "main", message_type: "system_prompt" },
      { role: "user", content: "The kettle leaks.", agent: "main" },
      {
        role: "assistant",
        content: "I look.",
        thought: "I look.",
        tool_calls: [call("c1", "bash", { command: "ls" })],
        agent: "main",
      },
      { role: "tool", content: DRAWER, tool_call_ids: ["c1"], agent: "main" },
      ...(isGrown ? [{ role: "assistant", content: "It is mended.", agent: "main" }] : []),
    ],
    info: { exit_status: "submitted" },
    replay_config: JSON.stringify({
      agent: { model: { name: "sample-model" } },
      problem_statement: { id: "kettle__1" },
    }),
  };
}

const node = (id: string, parent: string | null, role: string, parts: unknown[], more: object = {}) => ({
  id,
  parent,
  children: [],
  message: {
    id,
    author: { role, ...more },
    create_time: Date.parse(AT) / 1000,
    content: { content_type: "text", parts },
    recipient: "all",
  },
});

function chatgptConversation(isGrown: boolean): object {
  const code = { content_type: "code", language: "python", text: "steep(3)" };
  const output = { content_type: "execution_output", text: "3 minutes" };
  const root = { id: "root", parent: null, children: ["n1"], message: null };
  const asked = node("n4", "n1", "assistant", []);
  const answered = node("n5", "n4", "tool", [], { name: "python" });
  return {
    title: "How long to steep",
    create_time: 1,
    conversation_id: "c0ffee",
    default_model_slug: "sample-model",
    current_node: isGrown ? "n6" : "n5",
    mapping: {
      root,
      n1: node("n1", "root", "user", [
        "How long?",
        { content_type: "image_asset_pointer", asset_pointer: "file-service://cup" },
      ]),
      n4: { ...asked, message: { ...asked.message, content: code, recipient: "python" } },
      n5: { ...answered, message: { ...answered.message, content: output } },
      n2: node("n2", "n1", "assistant", ["An hour."]),
      ...(isGrown ? { n6: node("n6", "n5", "assistant", ["Three minutes."]) } : {}),
    },
  };
}

function claudeConversation(isGrown: boolean): object {
  const message = (uuid: string, sender: string, text: string, more: object = {}) => ({
    uuid,
    sender,
    text,
    content: [{ type: "text", text }],
    created_at: AT,
    attachments: [],
    files: [],
    ...more,
  });
  return {
    uuid: "0c1a0de0-0000-4000-8000-000000000001",
    name: "Green or black",
    created_at: AT,
    chat_messages: [
      message("u1", "human", "Which one?", {
        attachments: [{ file_name: "list.txt", extracted_content: "sencha" }],
        files: [{ file_name: "cup.png" }],
      }),
      message("u2", "assistant", "Green.", {
        content: [
          { type: "thinking", thinking: "It is morning." },
          { type: "text", text: "Green." },
        ],
      }),
      ...(isGrown ? [message("u3", "human", "Thanks.")] : []),
    ],
  };
}

const SWE_ID = /^kettle__1-[0-9a-f]{12}$/;

export const DOCUMENTS: readonly SampleDocument[] = [
  {
    ...gemini,
    write: (folder, isGrown) =>
      writeJson(folder, "session-1.json", {
        ...GEMINI_HEAD,
        messages: [...GEMINI, ...(isGrown ? [GEMINI_ADDED] : [])],
      }),
  },
  {
    ...gemini,
    write(folder, isGrown) {
      const file = path.join(folder, "session-2.jsonl");
      writeFileSync(file, geminiLines(isGrown));
      return file;
    },
  },
  {
    ...opencode,
    sessions: 1,
    write: (folder, isGrown) =>
      writeJson(folder, "ses_tea1.json", {
        info: OPENCODE_INFO,
        messages: [...OPENCODE, ...(isGrown ? [OPENCODE_ADDED] : [])].map(exported),
      }),
  },
  { ...opencode, sessions: 2, write: writeOpencode },
  {
    format: "openhands",
    label: "OpenHands",
    sessions: 2,
    write(folder, isGrown) {
      const runs = [openhandsRun("tea__1", isGrown), openhandsRun("tea__2", false)];
      const file = path.join(folder, "output.jsonl");
      writeFileSync(file, runs.map((run) => `${JSON.stringify(run)}\n`).join(""));
      return file;
    },
    said: [
      "system: You brew.",
      "user: Brew tea.",
      'assistant: I brew. | execute_bash({"command":"brew"})',
      "tool: failed => The kettle is empty.",
      "user: No more water.",
    ],
    added: ["assistant: I give up."],
    session: {
      sessionId: /^tea__1-[0-9a-f]{12}$/,
      title: "tea__1",
      host: "openhands",
      project: "/workspace/tea",
      model: "sample-model",
    },
    firstAt: AT,
  },
  {
    format: "swe-agent",
    label: "SWE-agent",
    sessions: 1,
    write: (folder, isGrown) => writeJson(folder, "kettle__1.traj", sweRun(isGrown)),
    said: [
      "system: You repair kettles.",
      "user: The kettle leaks.",
      'assistant: I look. | bash({"command":"ls"})',
      `tool: => ${DRAWER}`,
    ],
    added: ["assistant: It is mended."],
    session: {
      sessionId: SWE_ID,
      title: "kettle__1",
      host: "swe-agent",
      project: "/testbed",
      model: "sample-model",
    },
    firstAt: null,
  },
  {
    format: "chatgpt",
    label: "ChatGPT export",
    sessions: 1,
    write: (folder, isGrown) => writeJson(folder, "conversations.json", [chatgptConversation(isGrown)], 0),
    said: [
      "user: How long? | [file-service://cup]",
      "(assistant: An hour.)",
      "assistant: python(steep(3))",
      "tool: python => 3 minutes",
    ],
    added: ["assistant: Three minutes."],
    session: {
      sessionId: "c0ffee",
      title: "How long to steep",
      host: "chatgpt",
      project: null,
      model: "sample-model",
    },
    firstAt: AT,
  },
  {
    format: "claude-ai",
    label: "Claude.ai export",
    sessions: 1,
    write: (folder, isGrown) => writeJson(folder, "claude.json", [claudeConversation(isGrown)]),
    said: ["user: Which one? | list.txt\nsencha | [cup.png]", "assistant: (It is morning.) | Green."],
    added: ["user: Thanks."],
    session: {
      sessionId: "0c1a0de0-0000-4000-8000-000000000001",
      title: "Green or black",
      host: "claude-ai",
      project: null,
      model: null,
    },
    firstAt: AT,
  },
];
