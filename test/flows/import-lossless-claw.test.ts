/** Moving in from lossless-claw: its database, with what it made of the conversations. */
import { closeSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { operations, runOperation } from "../../src/operations/index.ts";
import { beside } from "../beside-store.ts";
import {
  CONDENSED,
  IMAGE,
  LEAVES,
  LosslessClawDatabase,
  REPORT,
  writeLosslessClaw,
} from "../lossless-claw-database.ts";
import { ENGINES, type Place, steadyClock, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

describe.each(ENGINES)("a database of lossless-claw on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    place = await temporaryPlace(name);
    engine = await open({
      ...{ store: place.store, background: "off", clock: steadyClock() },
      config: { logLevel: "silent" },
    });
  });
  afterEach(async () => {
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  async function importFile(file: string) {
    const { files, totals } = await runOperation(operations.import, engine, { path: file });
    const reports = files.flatMap((report) => (report.kind === "transcript" ? [report] : []));
    return { reports, totals, conversation: reports[0]?.conversation ?? "" };
  }
  const messagesOf = async (conversation: string) =>
    (await engine.context.read({ conversation, limit: 100 })).messages;
  const summariesOf = async (conversation: string) =>
    (await engine.context.conversations.summaries(conversation)).summaries;
  const problems = async () => (await runOperation(operations.verify, engine, {})).problems;
  async function shownIn(conversation: string): Promise<string> {
    return JSON.stringify((await engine.context.assemble({ conversation, budget: 20_000 })).messages);
  }

  it("comes in with messages, parts, summaries, lineage, context and files", async () => {
    const database = writeLosslessClaw(folder);
    database.close();
    const { reports, totals, conversation } = await importFile(database.file);
    expect(totals).toMatchObject({ imported: 9, summaries: 3, refused: 0 });
    expect(reports.map(({ leftOut }) => leftOut)).toEqual([[], []]);
    expect(reports[0]).toMatchObject({
      format: "lossless-claw",
      sessionId: "lossless-claw:1:11111111-0000-4000-8000-000000000001",
      title: "Weather stations",
    });
    const messages = await messagesOf(conversation);
    expect(messages.map(({ role }) => role)).toEqual([
      ...["user", "assistant", "tool", "assistant", "user", "assistant", "user", "assistant"],
    ]);
    expect(messages[0]).toMatchObject({
      createdAt: "2026-02-01T09:00:01.000Z",
      parts: [{ type: "text", text: "The vault code is heron-4471." }],
    });
    expect(messages[1]?.parts).toMatchObject([
      { type: "reasoning", text: "A code. I keep it." },
      { type: "text", text: "Noted." },
      { type: "tool", callId: "call_1", name: "read", input: '{"path":"door.txt"}', output: null },
    ]);
    expect(messages[2]?.parts).toMatchObject([
      { type: "tool", callId: "call_1", input: null, output: "The door is green." },
    ]);
    expect(messages[4]?.parts.slice(1)).toMatchObject([
      { type: "text", text: REPORT },
      { type: "file", name: "map.png", url: `data:image/png;base64,${IMAGE.toString("base64")}` },
    ]);

    const [first, second, condensed] = await summariesOf(conversation);
    expect(first).toMatchObject({ depth: 0, content: "A vault code was given.", model: "sample/model" });
    expect(first?.sources).toEqual({ type: "messages", seqs: [1, 2] });
    expect(second?.sources).toEqual({ type: "messages", seqs: [3, 4] });
    expect(condensed).toMatchObject({ depth: 1, createdAt: "2026-02-01T10:00:00.000Z" });
    expect(condensed?.sources).toEqual({ type: "summaries", ids: [first?.id, second?.id] });
    expect(condensed?.content).toBe(`Vault and door. See ${first?.id}.`);
    const shown = await shownIn(conversation);
    expect(shown).toContain("Vault and door.");
    expect(shown).toContain("Four hundred readings.");
    expect(shown).not.toContain("heron-4471");
    const expanded = await runOperation(operations.expand, engine, { summary: condensed?.id ?? "" });
    expect(JSON.stringify(expanded)).toContain("A vault code was given.");
    expect(await problems()).toEqual([]);

    const listed = await engine.context.conversations.list({ archived: true });
    expect(listed.conversations.map(({ archivedAt }) => archivedAt !== null).toSorted()).toEqual([
      false,
      true,
    ]);
  });

  it("changes nothing when it is imported again, and brings what is new when it has grown", async () => {
    const database = writeLosslessClaw(folder);
    const { conversation } = await importFile(database.file);
    const before = await shownIn(conversation);
    const again = await importFile(database.file);
    expect(again.totals).toMatchObject({ imported: 0, events: 0, summaries: 0 });
    expect(again.reports.map(({ status }) => status)).toEqual(["unchanged", "unchanged"]);
    expect(await shownIn(conversation)).toBe(before);
    database.message(9, 9, "user", "One more thing.");
    database.leaf("sum_00000000000000a3", "Readings and thanks.", [5, 6, 7, 8]);
    database.shows(CONDENSED, "sum_00000000000000a3", 9);
    database.close();
    const grown = await importFile(database.file);
    expect(grown.totals).toMatchObject({ imported: 1, summaries: 1 });
    expect(await shownIn(conversation)).toContain("Readings and thanks.");
    expect(await shownIn(conversation)).not.toContain("Four hundred readings.");
    expect(await problems()).toEqual([]);
  });

  it("keeps on record what its context had forgotten", async () => {
    const database = writeLosslessClaw(folder);
    database.shows(7, 8);
    database.close();
    const { conversation } = await importFile(database.file);
    const shown = await shownIn(conversation);
    expect(shown).toContain("Thank you.");
    expect(shown).not.toContain("Vault and door.");
    expect(shown).not.toContain("Four hundred readings.");
    expect((await messagesOf(conversation)).length).toBe(8);
    expect((await summariesOf(conversation)).length).toBe(3);
    expect(await problems()).toEqual([]);
  });

  it("names what is missing or broken in it, and takes the rest", async () => {
    const database = writeLosslessClaw(folder);
    database.leaf("sum_00000000000000c1", "Of a message that is gone.", [99]);
    database.leaf("sum_00000000000000c2", "Of messages that are under another one.", [2, 3]);
    database.condensed("sum_00000000000000d1", 2, "In a circle.", ["sum_00000000000000d2"]);
    database.condensed("sum_00000000000000d2", 2, "In a circle, too.", ["sum_00000000000000d1"]);
    database.largeFile("file_00000000000000f2", path.join(folder, "file_00000000000000f2.txt"));
    const secret = path.join(folder, "secret.txt");
    writeFileSync(secret, "Not a file of lossless-claw.");
    database.largeFile("file_00000000000000f3", secret);
    database.message(30, 1, "user", "A message without its conversation.", 3);
    database.run("DROP TABLE message_parts");
    database.close();
    const { reports, conversation } = await importFile(database.file);
    const named = reports.flatMap(({ leftOut }) => leftOut).join("\n");
    for (const text of [
      "sum_00000000000000c1 has sources that could not be imported: message-99",
      "sum_00000000000000c2 has sources that are not adjacent",
      "sum_00000000000000d1 has sources",
      "sum_00000000000000d2 has sources",
      "file_00000000000000f2 is missing",
      "file_00000000000000f3 was not read",
      "parts of conversation 1 cannot be read: no such table",
      "conversation 3 has messages but no row",
    ])
      expect(named).toContain(text);
    expect((await messagesOf(conversation)).length).toBe(8);
    expect((await summariesOf(conversation)).length).toBe(3);
    const kept: Buffer[] = [];
    for await (const piece of engine.context.conversations.transcript({ conversation }))
      kept.push(Buffer.from(piece));
    expect(Buffer.concat(kept).toString()).toContain("Of a message that is gone.");
    expect(Buffer.concat(kept).toString()).not.toContain(
      Buffer.from("Not a file of loss").toString("base64"),
    );
    expect(await problems()).toEqual([]);
    const again = await importFile(database.file);
    expect(again.totals).toMatchObject({ imported: 0, events: 0, summaries: 0 });
  });

  it("is compared with the store after the import, and what differs is named", async () => {
    const database = writeLosslessClaw(folder);
    await importFile(database.file);
    const store = await beside(name, place.store);
    await store.query("DELETE FROM messages WHERE message_key = 'message-3'");
    await store.query(`UPDATE messages SET content = (SELECT content FROM messages WHERE message_key = 'message-4')
      WHERE message_key = 'message-2'`);
    await store.close();
    database.run("UPDATE summaries SET content = 'Something else.' WHERE summary_id = ?", LEAVES[0]);
    database.run("DELETE FROM summary_messages WHERE summary_id = ? AND message_id = 4", LEAVES[1]);
    database.run("UPDATE messages SET seq = seq + 7 WHERE message_id = 5");
    database.close();
    const { reports } = await importFile(database.file);
    expect(reports.map(({ leftOut }) => leftOut)).toEqual([
      [
        "message-7 is on record before message-6",
        "message-8 is on record before message-6",
        "message-2 is on record with other content",
        "message-3 has no message on record",
        `${LEAVES[0]} is on record with another text`,
        `${LEAVES[1]} is on record with other sources`,
      ],
      [],
    ]);
  });

  it("does not miss in the comparison what was erased", async () => {
    const database = writeLosslessClaw(folder);
    const { conversation } = await importFile(database.file);
    await engine.context.erase({ conversation, from: 1, to: 1 });
    database.close();
    const { reports } = await importFile(database.file);
    expect(reports.map(({ leftOut }) => leftOut)).toEqual([[], []]);
  });

  it("is refused when it cannot be read, or belongs to nobody known", async () => {
    const database = writeLosslessClaw(folder);
    database.close();
    truncateSync(database.file, 20_000);
    await expect(importFile(database.file)).rejects.toThrow(
      /cannot be read as a database of|is an SQLite database/,
    );
    const noise = path.join(folder, "noise.db");
    const file = openSync(noise, "w");
    writeSync(file, `SQLite format 3\0${"x".repeat(5_000)}`);
    closeSync(file);
    await expect(importFile(noise)).rejects.toThrow("cannot be read as a database of a host");
    const other = new LosslessClawDatabase(temporaryFolder());
    other.run("DROP TABLE messages");
    other.close();
    await expect(importFile(other.file)).rejects.toThrow("not one of OpenCode or lossless-claw");
    rmSync(path.dirname(other.file), { recursive: true });
  });
});
