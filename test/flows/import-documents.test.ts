/** Files that hold whole sessions: documents, exports and OpenCode's database. */
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { operations, runOperation } from "../../src/operations/index.ts";
import type { Part } from "../../src/types.ts";
import {
  addOpencodeSession,
  DOCUMENTS,
  geminiLines,
  openOpencode,
  putOpencodeMessage,
} from "../session-documents.ts";
import { ENGINES, type Place, steadyClock, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

function inWords(part: Part): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "reasoning":
      return `(${part.text})`;
    case "file":
      return `[${part.name ?? part.url ?? part.mime}]`;
    case "tool": {
      const failed = part.status === "error" ? "failed" : null;
      const call = part.input === null ? (part.name ?? "") : `${part.name}(${part.input})`;
      const answer = part.output === null ? null : `=> ${part.output}`;
      return [call, failed, answer].filter(Boolean).join(" ");
    }
    default:
      return part.type;
  }
}

describe.each(ENGINES)("a file of whole sessions on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let folder: string;
  const openEngine = () =>
    open({ store: place.store, background: "off", clock: steadyClock(), config: { logLevel: "silent" } });
  beforeEach(async () => {
    folder = temporaryFolder();
    place = await temporaryPlace(name);
    engine = await openEngine();
  });
  afterEach(async () => {
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  async function said(conversation: string): Promise<string[]> {
    const { messages } = await engine.context.read({ conversation, limit: 1000 });
    return messages.map(({ role, parts, excluded }) => {
      const words = `${role}: ${parts.map(inWords).join(" | ")}`;
      return excluded === null ? words : `(${words})`;
    });
  }
  const importFile = (file: string) => runOperation(operations.import, engine, { path: file });
  const problems = async () => (await runOperation(operations.verify, engine, {})).problems;
  async function reopen(): Promise<void> {
    await engine.close();
    engine = await openEngine();
  }

  it.each(DOCUMENTS)("of $label is imported once, and then only what is new ($format)", async (sample) => {
    const first = await importFile(sample.write(folder, false));
    expect(first.files).toHaveLength(sample.sessions);
    const [report] = first.files;
    expect(report).toMatchObject({
      status: "imported",
      file: "new",
      format: sample.format,
      formatLabel: sample.label,
      title: sample.session.title,
      sessionId:
        typeof sample.session.sessionId === "string"
          ? sample.session.sessionId
          : expect.stringMatching(sample.session.sessionId),
      imported: sample.said.length,
      unreadable: [],
    });
    const conversation = report?.kind === "transcript" ? (report.conversation ?? "") : "";
    expect(await said(conversation)).toEqual(sample.said);
    const { title, host, project, model } = sample.session;
    expect(await engine.context.conversations.get(conversation)).toMatchObject({
      title,
      host,
      project,
      model,
    });
    if (sample.firstAt !== null) {
      const { messages } = await engine.context.read({ conversation, limit: 1 });
      expect(messages[0]?.createdAt).toBe(sample.firstAt);
    }
    await reopen();
    const again = await importFile(sample.write(folder, false));
    expect(again.totals).toMatchObject({ imported: 0, events: 0 });
    expect(again.files.every((file) => file.kind === "transcript" && file.status === "unchanged")).toBe(true);
    const grown = await importFile(sample.write(folder, true));
    expect(grown.totals.imported).toBe(sample.added.length);
    expect(grown.files[0]).toMatchObject({ file: "grown", conversation, alreadyThere: sample.said.length });
    expect(await said(conversation)).toEqual([...sample.said, ...sample.added]);
    expect(await problems()).toEqual([]);
  });

  it("of Gemini keeps what was rewound off the path, and words that were masked later", async () => {
    const file = path.join(folder, "session-3.jsonl");
    const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
    const masked = {
      id: "g3",
      type: "gemini",
      content: "I look at them.",
      toolCalls: [
        {
          id: "call-1",
          name: "list_directory",
          args: { path: "shelves" },
          status: "success",
          result: [{ functionResponse: { response: { output: "(masked)" } } }],
        },
      ],
    };
    writeFileSync(file, geminiLines(true));
    appendFileSync(
      file,
      lines(
        { $set: { messages: [masked] } },
        { $rewindTo: "g4" },
        { id: "g5", type: "user", content: "Rather this." },
      ),
    );
    const [report] = await engine.context.conversations.importAll(file);
    const words = await said(report?.conversation ?? "");
    expect(words).toContain('(assistant: list_directory({"path":"shelves"}) => oolong)');
    expect(words).toContain('assistant: list_directory({"path":"shelves"}) => (masked)');
    expect(words).toContain("(user: And this? | [image/png])");
    expect(words.at(-1)).toBe("user: Rather this.");
    // A line that is being written is read once it is complete.
    appendFileSync(file, '{"id":"g6","type":"us');
    expect(await engine.context.conversations.import(file)).toMatchObject({ status: "unchanged" });
    expect(await problems()).toEqual([]);
  });

  it.each(["opencode", "gemini-cli"])("of %s has the same messages in both of its forms", async (format) => {
    const samples = DOCUMENTS.filter((sample) => sample.format === format);
    expect(samples).toHaveLength(2);
    const reports = [];
    for (const sample of [...samples, ...samples])
      reports.push((await engine.context.conversations.importAll(sample.write(folder, true)))[0]);
    const [first, ...others] = reports;
    for (const other of others)
      expect(other).toMatchObject({ conversation: first?.conversation, imported: 0 });
    expect(reports.slice(2)).toMatchObject([{ status: "unchanged" }, { status: "unchanged" }]);
  });

  it("of OpenCode takes a message that is being written when it is finished, while it is followed", async () => {
    const file = path.join(folder, "opencode.db");
    const database = openOpencode(file);
    addOpencodeSession(database, "ses_live", "New session - 2026-03-01T10:00:00.000Z", "/home/ada");
    const follow = () => engine.context.conversations.importAll(file, { follow: true });
    expect(await follow()).toMatchObject([{ imported: 0, conversation: null }]);
    const created = Date.parse("2026-03-01T10:00:00.000Z");
    const message = (id: string, role: string, text: string, time: object) => ({
      info: { id, role, time: { created, ...time } },
      parts: [{ id: `prt_${id}`, type: "text", text }],
    });
    putOpencodeMessage(database, "ses_live", message("msg_1", "user", "Boil water.", {}));
    putOpencodeMessage(database, "ses_live", message("msg_2", "assistant", "It is", {}));
    expect(await follow()).toMatchObject([{ imported: 1 }]);
    expect((await engine.context.conversations.get("ses_live")).title).toBe("Boil water.");
    // Nothing has changed: the session is not even read.
    expect(await follow()).toEqual([]);
    putOpencodeMessage(
      database,
      "ses_live",
      message("msg_2", "assistant", "It is boiling.", { completed: created + 1 }),
    );
    expect(await follow()).toMatchObject([{ imported: 1, alreadyThere: 1 }]);
    database.close();
    expect(await said("ses_live")).toEqual(["user: Boil water.", "assistant: It is boiling."]);
  });

  it("keeps erased words out, also those that an event repeats", async () => {
    const [sample] = DOCUMENTS.filter(({ format }) => format === "swe-agent");
    const file = sample?.write(folder, false) ?? "";
    const { conversation } = await engine.context.conversations.import(file);
    await engine.context.erase({ conversation: conversation ?? "", from: 4, to: 4 });
    await reopen();
    sample?.write(folder, true);
    await engine.context.conversations.import(file);
    const words = await said(conversation ?? "");
    expect(words.slice(3)).toEqual(["(tool: )", "assistant: It is mended."]);
    let transcript = "";
    for await (const piece of engine.context.conversations.transcript({ conversation: conversation ?? "" }))
      transcript += Buffer.from(piece).toString("utf8");
    expect(transcript).toContain("It is mended.");
    expect(transcript).not.toContain("third drawer");
    expect(await problems()).toEqual([]);
  });

  it("goes on in a conversation that was archived", async () => {
    const [sample] = DOCUMENTS.filter(({ format }) => format === "claude-ai");
    const { conversation } = await engine.context.conversations.import(sample?.write(folder, false) ?? "");
    await engine.context.conversations.archive(conversation ?? "");
    expect(await engine.context.conversations.import(sample?.write(folder, true) ?? "")).toMatchObject({
      conversation,
      archived: true,
      imported: 1,
    });
  });

  it("is refused by name when it is broken, not OpenCode's, or holds more than one session was asked for", async () => {
    const broken = path.join(folder, "broken.json");
    writeFileSync(broken, '{\n  "sessionId": "s",\n  "projectHash": "h",\n  "messages": [\n');
    await expect(engine.context.conversations.importAll(broken)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining(`${broken} is not valid JSON`),
      advice: expect.stringMatching(/\w/),
    });
    const lines = path.join(folder, "lines.jsonl");
    writeFileSync(lines, `${geminiLines(false)}{"id":\n${geminiLines(false)}`);
    await expect(engine.context.conversations.importAll(lines)).rejects.toThrow(/^line 8 of .* is not JSON$/);
    const other = path.join(folder, "other.db");
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(other);
    database.exec("CREATE TABLE t (x)");
    database.close();
    await expect(engine.context.conversations.importAll(other)).rejects.toMatchObject({
      code: "not-supported",
      message: expect.stringContaining("not one of OpenCode"),
    });
    const several = DOCUMENTS.find(({ sessions }) => sessions > 1)?.write(folder, false) ?? "";
    await expect(engine.context.conversations.import(several)).rejects.toMatchObject({
      code: "invalid-input",
      advice: expect.stringContaining("importAll"),
    });
    expect((await engine.context.conversations.list()).conversations).toEqual([]);
  });
});
