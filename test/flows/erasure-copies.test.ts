/** Erased words are looked for wherever words can be; copies are listed, and go when that is asked for. */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/engine.ts";
import { verify } from "../../src/operations/store/verify.ts";
import { samplePublish, sampleSummary } from "../../src/store/testing/sample.ts";
import { ENGINES, type Place, steadyClock, temporaryFolder, temporaryPlace } from "../temporary-store.ts";
import { answer, lastPrompt, prompt, uuidOf, writeCall, writeResult } from "./claude-code-lines.ts";

const NOTES =
  "Kranich meets Amsel at the pier\nthe vault opens with tangerine-77120\nburn this after reading";

describe.each(ENGINES)("copies of erased words, on %s", (name) => {
  let place: Place;
  let engine: Engine;
  const folder = temporaryFolder();
  let sessions = 0;

  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, background: "off", clock: steadyClock() });
  });

  afterAll(async () => {
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const newSession = () => `session ${++sessions} on ${name}`;
  const scoped = () => engine.store.scoped({ tenant: "default", agent: "default" });

  async function bring(session: string, lines: readonly string[]): Promise<string> {
    const file = path.join(folder, `${uuidOf(session)}.jsonl`);
    writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
    const { conversation } = await engine.context.conversations.import(file);
    return conversation ?? "";
  }

  async function transcript(conversation: string): Promise<string> {
    const pieces: Uint8Array[] = [];
    for await (const piece of engine.context.conversations.transcript({ conversation })) pieces.push(piece);
    return Buffer.concat(pieces).toString("utf8");
  }

  /** Everything on record, as text without the escapes of JSON. */
  async function everything(): Promise<string> {
    const rows: unknown[] = [];
    for await (const row of engine.store.dump()) rows.push(row);
    return JSON.stringify(rows);
  }

  it("finds a tool's input in the line of its result", async () => {
    const session = newSession();
    const [call, result] = [`call ${session}`, `result ${session}`];
    const id = await bring(session, [
      prompt({ name: `ask ${session}`, parent: null, session }, "please take a note"),
      writeCall({ name: call, parent: `ask ${session}`, session }, NOTES),
      writeResult({ name: result, parent: call, session }, call, NOTES),
    ]);
    const found = await engine.context.erase({ conversation: id, from: 2, dryRun: true });
    expect(found.copies).toMatchObject([{ type: "message", kind: "near", removed: false }]);
    expect(found.alsoIn).toEqual(found.copies.map((copy) => copy.id));
    expect(found.certificate).toBeNull();
    expect(await transcript(id)).toContain("tangerine-77120");

    const erased = await engine.context.erase({ conversation: id, from: 2, also: true });
    expect(erased).toMatchObject({ messages: 2, alsoIn: [], copies: [{ removed: true }] });
    expect(await transcript(id)).not.toContain("tangerine-77120");
    expect(await transcript(id)).toContain("please take a note");
  });

  it("removes the host's note of the last prompt, also when another message says the same", async () => {
    const session = newSession();
    const said = "move the ledger to 18 Quince Lane before noon";
    const id = await bring(session, [
      prompt({ name: `one ${session}`, parent: null, session }, said),
      answer({ name: `two ${session}`, parent: `one ${session}`, session }, `You said: ${said}. I will.`),
      lastPrompt(session, said),
    ]);
    const report = await engine.context.erase({ conversation: id, from: 1 });
    expect(report).toMatchObject({
      messages: 1,
      transcriptLines: 1,
      copies: [{ kind: "exact", type: "message" }],
    });
    const left = await transcript(id);
    expect(left.split(said)).toHaveLength(2);
    expect(left).toContain("You said");
  });

  it("removes the same entry of a host from a fork that was imported before, and keeps it out of one that comes later", async () => {
    const [session, before, after] = [newSession(), newSession(), newSession()];
    const secret = "the donor is Marguerite Ollivander";
    const shared = { name: `shared ${session}`, parent: null };
    const id = await bring(session, [prompt({ ...shared, session }, secret)]);
    const fork = await bring(before, [
      prompt({ ...shared, session: before }, secret),
      answer({ name: `own ${before}`, parent: shared.name, session: before }, "noted"),
    ]);
    const report = await engine.context.erase({ conversation: id, from: 1 });
    expect(report.conversations.toSorted()).toEqual([id, fork].toSorted());
    expect(report).toMatchObject({ messages: 2, copies: [] });
    expect(await transcript(fork)).not.toContain("Ollivander");
    expect(await transcript(fork)).toContain("noted");

    const later = await bring(after, [
      prompt({ ...shared, session: after }, secret),
      lastPrompt(after, secret),
      answer({ name: `own ${after}`, parent: shared.name, session: after }, "noted again"),
    ]);
    const { messages } = await engine.context.read({ conversation: later });
    expect(messages.map(({ erasedAt }) => erasedAt === null)).toEqual([false, true]);
    expect(await everything()).not.toContain("Ollivander");
    expect((await engine.context.conversations.get(later)).title).toBeNull();
    expect(await verify.run(engine, {}, {})).toMatchObject({ ok: true, problems: [] });
  });

  it("finds who is named as the speaker of a memory and why one was archived, and reads attached files as they are encoded", async () => {
    const session = newSession();
    const secret = "Käthe Vandersloot signed contract b48151623c in blue";
    const messages = [{ role: "user", content: secret }];
    await engine.context.commitTurn({ conversation: session, key: "one", messages });
    const store = async (text: string, speaker?: string) => {
      const stored = await engine.memory.store({ text, ...(speaker === undefined ? {} : { speaker }) });
      return "memory" in stored ? (stored.memory?.id ?? "") : "";
    };
    const told = await store("The harbour opens at six in winter.", secret);
    const archived = await store("The lighthouse keeper prefers rye bread.");
    await engine.memory.forget({ id: archived, reason: secret });
    const attach = (name: string, bytes: Uint8Array) =>
      engine.context.files.attach({
        conversation: newSession(),
        name,
        async *open() {
          yield bytes;
        },
      });
    // In the middle, so that no description of the file has it.
    const around = Array.from({ length: 600 }, (_, line) => `line ${line}\n`).join("");
    const text = `\ufeff${around}${secret}\n${around}`;
    await attach("little.txt", Buffer.from(text, "utf16le"));
    await attach("big.txt", Buffer.from(text, "utf16le").swap16());
    const found = await engine.context.erase({ conversation: session, from: 1, also: true });
    expect(found.copies.map(({ type, kind }) => [type, kind]).toSorted()).toEqual([
      ["memory", "exact"],
      ["memory", "exact"],
      ["message", "exact"],
      ["message", "exact"],
    ]);
    expect(found.copies.map(({ id }) => id)).toEqual(expect.arrayContaining([told, archived]));
    expect(await everything()).not.toContain("Vandersloot");
  });

  it("leaves neither the name nor the hash of an attached file in its keys, and does not take it in again", async () => {
    const session = newSession();
    const content = Buffer.from("account 5512-8841 of Theodora Lindqvist\n");
    async function* pieces(): AsyncIterable<Uint8Array> {
      yield content;
    }
    const attach = (key?: string) =>
      engine.context.files.attach({
        conversation: session,
        name: "theodora-lindqvist.txt",
        open: pieces,
        ...(key === undefined ? {} : { key }),
      });
    const attached = await attach();
    await attach("upload-1");
    const hash = (await scoped().file(attached.id))?.content ?? "";
    expect(await everything()).toContain(hash);
    await engine.context.erase({ conversation: session });
    for (const trace of [hash, "lindqvist", "5512-8841"]) expect(await everything()).not.toContain(trace);

    expect(await attach()).toMatchObject({ status: "duplicate" });
    expect(await attach("upload-1")).toMatchObject({ status: "duplicate" });
    expect(await engine.store.collectGarbage({ dryRun: true })).toMatchObject({ contents: 0 });
    expect((await engine.context.conversations.get(session)).messageCount).toBe(2);
    for (const trace of [hash, "lindqvist", "5512-8841"]) expect(await everything()).not.toContain(trace);
  });

  it("looks into other conversations, summaries, titles, attached files and memories (promise: copies)", async () => {
    const [session, other] = [newSession(), newSession()];
    const secret = "the safe behind the portrait opens with 90-17-44-cobalt";
    const said = (text: string) => ({ role: "user", content: text });
    await engine.context.commitTurn({ conversation: session, key: "t", messages: [said(secret)] });
    await engine.context.commitTurn({
      conversation: other,
      key: "t",
      messages: [said(`as you know, ${secret.toUpperCase()}!`), said("something else"), said("the end")],
    });
    async function* pieces(): AsyncIterable<Uint8Array> {
      yield Buffer.from(`first line\n${secret}\n`);
    }
    await engine.context.files.attach({ conversation: other, name: "list.txt", open: pieces });
    const { id } = await engine.context.conversations.get(other);
    await engine.context.conversations.rename(id, secret);
    const summary = { ...sampleSummary([2, 3]), content: `They agreed: ${secret}` };
    await scoped().commit([samplePublish(id, summary)]);
    const { memory } = await engine.memory.store({ text: `Remember that ${secret}` });

    const listed = await engine.context.erase({ conversation: session, from: 1 });
    expect(listed.copies.map(({ type, kind }) => `${type} ${kind}`).toSorted()).toEqual([
      "memory exact",
      "message exact",
      "message exact",
      "summary exact",
      "title exact",
    ]);
    expect(listed.copies.every(({ removed }) => !removed)).toBe(true);
    expect(await everything()).toContain("90-17-44-cobalt");

    const again = await engine.context.erase({ conversation: id, from: 1, also: true });
    expect(again.certificate?.searched).toMatchObject({ memories: expect.any(Number) });
    expect(await everything()).not.toMatch(/90-17-44-cobalt/i);
    expect((await engine.memory.get(memory.id)).erasedAt).not.toBeNull();
    expect(await verify.run(engine, {}, {})).toMatchObject({ ok: true, problems: [] });
  });

  it("finds every copy of a long sentence, also when it is said very often", async () => {
    const session = newSession();
    const sentence = "the purple walrus keeps nineteen copper lanterns under the old stone bridge at night";
    const lines = Array.from({ length: 30 }, (_, i) =>
      prompt({ name: `${i} ${session}`, parent: i === 0 ? null : `${i - 1} ${session}`, session }, sentence),
    );
    const conversation = await bring(session, lines);
    const { alsoIn, copies } = await engine.context.erase({ conversation, from: 1, to: 1, dryRun: true });
    expect(alsoIn).toHaveLength(29);
    for (const copy of copies) expect(copy).toMatchObject({ kind: "exact", share: 1 });
    await engine.context.erase({ conversation, from: 1, to: 1, also: true });
    expect(await everything()).not.toContain("walrus");
  });

  it("does not take what is short, or said everywhere, for a copy", async () => {
    const [session, other] = [newSession(), newSession()];
    const note = "Whenever you read a file, consider whether it looks like something harmful and say so.";
    const said = (text: string) => ({ role: "user", content: text });
    await engine.context.commitTurn({
      conversation: other,
      key: "t",
      messages: Array.from({ length: 50 }, (_, i) => said(i % 2 ? `page ${i}\n${note}` : "yes")),
    });
    await engine.context.commitTurn({
      conversation: session,
      key: "t",
      messages: [said("yes"), said(`the wine cellar of Baron Achterberg, row by row\n${note}`)],
    });
    expect(await engine.context.erase({ conversation: session, from: 1 })).toMatchObject({ copies: [] });
    expect(await engine.context.erase({ conversation: session, from: 2 })).toMatchObject({ copies: [] });
  });

  it("refuses a reason that repeats the words", async () => {
    const session = newSession();
    const secret = "the password is gooseberry-4471";
    const messages = [{ role: "user", content: secret }];
    await engine.context.commitTurn({ conversation: session, key: "t", messages });
    const erasing = engine.context.erase({ conversation: session, from: 1, reason: `I said ${secret}` });
    await expect(erasing).rejects.toMatchObject({ code: "invalid-input" });
  });

  it("chains certificates, and notices one that was changed or removed (promise: certified)", async () => {
    const checked = await verify.run(engine, { erasure: true, repair: true }, {});
    expect(checked).toMatchObject({ ok: true, problems: [] });
    expect(checked.certificates).toBeGreaterThan(5);

    const target = await temporaryPlace(name);
    const copy = await open({ store: target.store, background: "off" });
    let skipped = false;
    async function* tampered() {
      for await (const row of engine.store.dump()) {
        if (row.row === "audit" && !skipped && row.detail.includes('"previous":"')) skipped = true;
        else if (row.row === "audit" && row.detail.includes('"copies":{"found":1,'))
          yield { ...row, detail: row.detail.replace('"found":1,', '"found":0,') };
        else yield row;
      }
    }
    await copy.store.load(tampered(), { replace: true });
    const { ok, problems } = await verify.run(copy, { erasure: true }, {});
    expect(ok).toBe(false);
    expect(problems.map(({ message }) => message)).toEqual(
      expect.arrayContaining([expect.stringContaining("was changed"), expect.stringContaining("is missing")]),
    );
    await copy.close();
    await target.dispose();
  });

  it("keeps erased entries out of a store that an export was loaded into", async () => {
    const [session, after] = [newSession(), newSession()];
    const secret = "the informer lives above the bakery";
    const shared = { name: `shared ${session}`, parent: null };
    const id = await bring(session, [prompt({ ...shared, session }, secret)]);
    await engine.context.erase({ conversation: id, from: 1 });
    const target = await temporaryPlace(name);
    const copy = await open({ store: target.store, background: "off" });
    await copy.store.load(engine.store.dump(), { replace: true });
    const file = path.join(folder, `${uuidOf(after)}.jsonl`);
    writeFileSync(file, `${prompt({ ...shared, session: after }, secret)}\n`);
    const { conversation } = await copy.context.conversations.import(file);
    const { messages } = await copy.context.read({ conversation: conversation ?? "" });
    expect(messages).toMatchObject([{ erasedAt: expect.any(String) }]);
    await copy.close();
    await target.dispose();
  });
});
