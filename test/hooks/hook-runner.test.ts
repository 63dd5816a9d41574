import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HookRunner } from "../../src/hooks/index.ts";
import { type Engine, open } from "../../src/index.ts";
import { SILENT } from "../../src/log.ts";
import { temporaryFolder } from "../temporary-store.ts";

const SESSION = "0f8b6c1e-1111-4222-8333-444455556666";

describe("hooks", () => {
  let folder: string;
  let engine: Engine;
  let runner: HookRunner;
  let transcript: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    engine = await open({
      store: path.join(folder, "data"),
      background: "off",
      config: { logLevel: "silent" },
    });
    runner = new HookRunner(async () => engine, SILENT);
    transcript = path.join(folder, `${SESSION}.jsonl`);
  });
  afterEach(async () => {
    await runner.captures.settle();
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function say(texts: readonly string[], session = SESSION, file = transcript): void {
    const lines = texts.map((content, i) => ({
      ...{ type: i % 2 === 0 ? "user" : "assistant", uuid: `${session}-${i}`, sessionId: session },
      ...{ parentUuid: i === 0 ? null : `${session}-${i - 1}`, isSidechain: false },
      ...{ timestamp: `2026-03-01T10:00:${String(i % 60).padStart(2, "0")}.000Z` },
      message: { role: i % 2 === 0 ? "user" : "assistant", content },
    }));
    writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
  }

  function hook(name: string, more: object = {}, host = "claude-code"): Promise<string> {
    return runner.run(host, {
      hook_event_name: name,
      session_id: SESSION,
      transcript_path: transcript,
      ...more,
    });
  }

  async function contextOf(answer: Promise<string>): Promise<string> {
    return JSON.parse((await answer) || "{}").hookSpecificOutput?.additionalContext ?? "";
  }

  it("take in what the transcript has, and what is added to it", async () => {
    say(["The vault code is heron-4471."]);
    expect(await hook("Stop")).toBe("");
    await runner.captures.settle();
    say(["The vault code is heron-4471.", "Noted."]);
    await hook("Stop");
    await runner.captures.settle();
    const { messages } = await engine.context.read({ conversation: SESSION });
    expect(messages.map(({ key }) => key)).toEqual([`${SESSION}-0`, `${SESSION}-1`]);
  });

  it("of Gemini CLI take in its session, which gets its title with the first request, and bring a hint", async () => {
    const head = {
      sessionId: SESSION,
      projectHash: "ab",
      startTime: "2026-03-01T10:00:00.000Z",
      kind: "main",
    };
    const user = (id: string, text: string) => ({
      ...{ id, timestamp: "2026-03-01T10:00:01.000Z", type: "user", content: [{ text }] },
    });
    const lines: object[] = [head, user("one", "<session_context>\nIt is Monday.\n</session_context>")];
    const file = path.join(folder, "session-1.jsonl");
    const write = () => writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const gemini = (name: string, more: object = {}) =>
      hook(name, { transcript_path: file, ...more }, "gemini");
    write();
    expect(await gemini("SessionStart", { source: "startup" })).toBe("");
    await runner.captures.settle();
    lines.push(user("two", "The vault code is heron-4471."));
    write();
    expect(await gemini("AfterAgent")).toBe("");
    await runner.captures.settle();
    expect(await engine.context.conversations.get(SESSION)).toMatchObject({
      title: "The vault code is heron-4471.",
      messageCount: 2,
    });
    expect(await gemini("PreCompress", { trigger: "auto" })).toBe("");
    const prompt = "What was the vault code heron again?";
    expect(await contextOf(gemini("BeforeAgent", { prompt, session_id: "another" }))).toContain("msg_");
  });

  it("give a digest with ids after a compaction, within its limit however long the session is", async () => {
    const talk = Array.from(
      { length: 400 },
      (_, i) => `Station ${i} reads ${i * 13} millibar. ${"So it went. ".repeat(20)}`,
    );
    say(["The vault code is heron-4471.", ...talk]);
    expect(await hook("PreCompact")).toContain("Keep every identifier");
    const digest = await contextOf(hook("SessionStart", { source: "compact" }));
    expect(digest).toMatch(/^<palimpsest about="earlier messages of this session">/);
    expect(digest).toMatch(/sum_[0-9a-f]{16}/);
    expect(digest).toContain("lcm_expand");
    expect(digest.length).toBeLessThan(32_000);
  });

  it("give a digest on the first prompt of a session that was compacted without one", async () => {
    say(["The vault code is heron-4471.", "Noted."]);
    const boundary = {
      type: "system",
      subtype: "compact_boundary",
      uuid: "b",
      sessionId: SESSION,
      parentUuid: null,
    };
    writeFileSync(transcript, `${JSON.stringify(boundary)}\n`, { flag: "a" });
    await hook("SessionStart", { source: "resume" });
    await runner.captures.settle();
    expect(await contextOf(hook("UserPromptSubmit", { prompt: "go on" }))).toContain("heron-4471");
    expect(await contextOf(hook("UserPromptSubmit", { prompt: "go on" }))).toBe("");
  });

  it("give a hint beside a prompt that touches another session, and none beside others", async () => {
    const other = path.join(folder, "other.jsonl");
    say(["The deploy of billing-api failed on port 8443.", "Then we opened it."], "other-session", other);
    await runner.captures.capture(other);
    const hint = await contextOf(
      hook("UserPromptSubmit", { prompt: "Why did the deploy of billing-api fail?" }),
    );
    expect(hint).toMatch(/msg_[0-9a-f]{16}_1/);
    expect(hint).toContain("port 8443");
    for (const prompt of [
      "Thanks, that is fine.",
      "/compact deploy billing-api",
      "<task-notification> deploy billing-api",
    ])
      expect(await contextOf(hook("UserPromptSubmit", { prompt })), prompt).toBe("");
  });

  it("of Copilot CLI take in the events beside which no transcript is named, and bring the digest with a prompt", async () => {
    const before = process.env.COPILOT_HOME;
    process.env.COPILOT_HOME = path.join(folder, "copilot");
    try {
      const file = path.join(folder, "copilot/session-state", SESSION, "events.jsonl");
      mkdirSync(path.dirname(file), { recursive: true });
      const event = (id: string, type: string, data: object) =>
        `${JSON.stringify({ type, data, id, timestamp: "2026-03-01T10:00:00.000Z", parentId: null })}\n`;
      const ours = '<system_reminder>\n<palimpsest about="x">\nOurs.\n</palimpsest>\n</system_reminder>';
      const transformedContent = `The vault code is heron-4471.\n\n${ours}`;
      const lines = [
        event("e-1", "session.start", { sessionId: SESSION }),
        event("e-2", "user.message", { content: "The vault code is heron-4471.", transformedContent }),
        event("e-3", "session.compaction_complete", { success: true }),
      ];
      writeFileSync(file, lines.join(""));
      const copilot = (name: string, more: object = {}) =>
        runner.run("copilot", { hook_event_name: name, session_id: SESSION, ...more });
      await copilot("SessionStart", { source: "resume" });
      await runner.captures.settle();
      const { messages } = await engine.context.read({ conversation: SESSION });
      expect(JSON.stringify(messages.map(({ parts }) => parts))).not.toContain("Ours.");
      const { additionalContext } = JSON.parse(await copilot("UserPromptSubmit", { prompt: "go on" }));
      expect(additionalContext).toContain("heron-4471");
      expect(await copilot("UserPromptSubmit", { prompt: "go on" })).toBe("");
      await copilot("PreCompact");
      expect(await copilot("UserPromptSubmit", { prompt: "go on" })).toContain("heron-4471");
      const long = { result_type: "success", text_result_for_llm: "a line of it\n".repeat(9_000) };
      const call = { tool_name: "lcm", timestamp: "2026-03-01T10:00:05.000Z", tool_result: long };
      const { modifiedResult } = JSON.parse(await copilot("PostToolUse", call));
      expect(modifiedResult.textResultForLlm).toMatch(/file_[0-9a-f]{16}/);
      expect(modifiedResult.resultType).toBe("success");
    } finally {
      // Replacing the whole object would hide the environment from the home folder of later tests.
      if (before === undefined) delete process.env.COPILOT_HOME;
      else process.env.COPILOT_HOME = before;
    }
  });

  it("replace a long result by a stub that opens to the exact text, and leave short ones alone", async () => {
    say(["Run it."]);
    const stdout = "0123456789 ünïcode\n".repeat(10_000);
    const response = { stdout, stderr: "", interrupted: false };
    const call = { tool_name: "Bash", tool_use_id: "toolu_1", tool_response: JSON.stringify(response) };
    const { hookSpecificOutput } = JSON.parse(await hook("PostToolUse", call));
    const { updatedToolOutput: shown } = hookSpecificOutput;
    expect(shown).toMatchObject({ stderr: "", interrupted: false });
    const id = /file_[0-9a-f]{16}/.exec(shown.stdout)?.[0] ?? "";
    const pieces: Uint8Array[] = [];
    for await (const piece of engine.context.files.content(id)) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe(stdout);
    const short = { ...call, tool_use_id: "toolu_2", tool_response: { ...response, stdout: "ok" } };
    expect(await hook("PostToolUse", short)).toBe("");
    expect(await hook("PostToolUse", call, "codex")).toBe("");
    const { messages } = await engine.context.assemble({ conversation: SESSION, budget: 50_000 });
    expect(JSON.stringify(messages)).not.toContain("ünïcode");
  });

  it("read a result that the host saved in its own folder, and no other file", async () => {
    say(["Run it."]);
    const saved = path.join(folder, SESSION, "tool-results");
    mkdirSync(saved, { recursive: true });
    writeFileSync(path.join(saved, "a.txt"), "all of it ".repeat(9_000));
    writeFileSync(path.join(path.dirname(folder), `${path.basename(folder)}.txt`), "secret");
    const call = (file: string, id: string) => ({
      ...{ tool_name: "Bash", tool_use_id: id },
      tool_response: { stdout: "the beginning", persistedOutputPath: file },
    });
    const kept = await hook("PostToolUse", call(path.join(saved, "a.txt"), "toolu_3"));
    expect(kept).toContain("90,000 bytes");
    const outside = path.join(path.dirname(folder), `${path.basename(folder)}.txt`);
    expect(await hook("PostToolUse", call(outside, "toolu_4"))).toBe("");
    rmSync(outside);
  });

  it("do not take the host's summariser for a sub-agent", async () => {
    const agent = path.join(folder, "agent-1.jsonl");
    say(["Summarise."], "agent-one", agent);
    const ended = { agent_id: "1", agent_transcript_path: agent };
    await hook("SubagentStop", { ...ended, agent_type: "" });
    await runner.captures.settle();
    expect((await engine.context.conversations.list()).conversations).toEqual([]);
    await hook("SubagentStop", { ...ended, agent_type: "Explore" });
    await runner.captures.settle();
    expect((await engine.context.conversations.list()).conversations).toHaveLength(1);
  });

  it("say nothing to what they do not know, and nothing when the store cannot be opened", async () => {
    expect(await runner.run("claude-code", null)).toBe("");
    expect(await hook("Notification")).toBe("");
    expect(await runner.run("another", { hook_event_name: "Stop", session_id: "s" })).toBe("");
    const broken = new HookRunner(() => Promise.reject(new Error("no store")), SILENT);
    const given = { session_id: SESSION, transcript_path: transcript };
    for (const name of [
      "SessionStart",
      "UserPromptSubmit",
      "PostToolUse",
      "Stop",
      "PreCompact",
      "SessionEnd",
    ])
      expect(
        await broken.run("codex", { ...given, hook_event_name: name, prompt: "what about billing-api?" }),
      ).toBe("");
  });
});
