/**
 * Does random actions through the library and through the model, and compares after each: what was answered,
 * what is on record, what the model would see, and that doing the same again changes nothing.
 */
import { createHash } from "node:crypto";
import { utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { storedLines } from "../../src/context/ingest/transcripts/stored-lines.ts";
import { seqsOfItem } from "../../src/context/read/seqs-under.ts";
import {
  type Context,
  type Engine,
  type ErrorCode,
  isPalimpsestError,
  type Message,
  type Scope,
} from "../../src/index.ts";
import { everyRow } from "../../src/store/every-row.ts";
import type { ScopedStore } from "../../src/store/store.ts";
import { isSaid } from "../crash/view-store.ts";
import { type Action, SAYINGS } from "./actions.ts";
import { changeFile } from "./file-changes.ts";
import {
  addTurn,
  eraseLine,
  fileRead,
  Model,
  type ModelConversation,
  type NewTurn,
  outcomeOf,
  readFile,
} from "./model.ts";
import { bytesOf, type ModelLine, type ModelTranscript, saidIn } from "./transcript-model.ts";

const TIME = 1_700_000_000;

export class LibraryRun {
  #engine: Engine;
  #context: Context;
  readonly #scope: Scope;
  readonly #folder: string;
  readonly #model = new Model();
  /** The states that each file has had. */
  readonly #files = new Map<string, (readonly ModelLine[])[]>();
  #ids = 0;

  constructor(engine: Engine, scope: Scope, folder: string) {
    this.#engine = engine;
    this.#context = engine.contextOf(scope);
    this.#scope = scope;
    this.#folder = folder;
  }

  async take(action: Action): Promise<void> {
    await this.#perform(action);
    await this.#compare();
  }

  /** Everything was moved to another store: it can be read there, and a replay is recognised there. */
  async compareIn(engine: Engine): Promise<void> {
    const here = this.#engine;
    this.#use(engine);
    await this.#compare();
    for (const conversation of this.#model.conversations) {
      if (!conversation.archived) await this.#replayTurns(conversation);
      await this.#replayFile(conversation);
    }
    await this.#compare();
    this.#use(here);
  }

  async #replayTurns({ id, messages, turns }: ModelConversation): Promise<void> {
    for (const [key, keys] of turns) {
      const said = new Map(messages.map((message) => [message.key, message.said]));
      const given = keys.map((name) => ({ key: name, message: said.get(name) ?? {} }));
      const result = await this.#context.commitTurn({ conversation: id, key, messages: given });
      expect(result.status).toBe("duplicate");
    }
  }

  async #replayFile(conversation: ModelConversation): Promise<void> {
    const { id, session, transcript } = conversation;
    const name = session.slice(-2);
    const lines = this.#files.get(name)?.at(-1);
    if (transcript === null || lines === undefined) return;
    if (bytesOf(fileRead(conversation, lines).lines) !== bytesOf(transcript.lines)) return;
    expect(await this.#context.conversations.import(this.#pathOf(name))).toMatchObject({
      imported: 0,
      conversation: id,
    });
  }

  #pathOf(name: string): string {
    return path.join(this.#folder, `${this.#scope.tenant}-${name}.jsonl`);
  }

  #use(engine: Engine): void {
    this.#engine = engine;
    this.#context = engine.contextOf(this.#scope);
  }

  async #perform(action: Action): Promise<void> {
    if (action.do === "say") return this.#say(action);
    if (action.do === "file") return this.#changeFile(action);
    const { conversations } = this.#model;
    const target = conversations[action.target % conversations.length];
    if (target === undefined) return;
    if (action.do === "erase") return this.#erase(target, 1 + action.from, 1 + action.from + action.length);
    return this.#change(action, target);
  }

  async #say({ session, key, sayings, named }: Extract<Action, { do: "say" }>): Promise<void> {
    const messages = sayings.map((saying, index) => ({
      key: named ? `id-${saying % 3}` : `${key}#${index}`,
      said: SAYINGS[saying] ?? {},
    }));
    const turn: NewTurn = { key, messages };
    const conversation = this.#model.active(session);
    const outcome = outcomeOf(turn, conversation);
    const given = messages.map((message) =>
      named ? { key: message.key, message: message.said } : message.said,
    );
    const commit = () => this.#context.commitTurn({ conversation: session, key, messages: given });
    if (outcome === "conflict") return expectRefused(commit(), "conflict");
    const result = await commit();
    expect(result.status).toBe(outcome);
    if (result.status === "skipped") return;
    addTurn(turn, conversation ?? this.#model.create(result.conversation, session));
    expect(await commit()).toMatchObject({ status: "duplicate", conversation: result.conversation });
  }

  async #changeFile({ name, changes }: Extract<Action, { do: "file" }>): Promise<void> {
    const states = this.#files.get(name) ?? [];
    let lines = states.at(-1) ?? [];
    for (const change of states.length === 0 ? [{ change: "touch" } as const, ...changes] : changes)
      lines = changeFile([...states, lines], change, () => this.#ids++);
    this.#files.set(name, [...states, lines]);
    const file = this.#pathOf(name);
    writeFileSync(file, bytesOf(lines));
    // Not even the time tells that the file was written to.
    utimesSync(file, TIME, TIME);
    const { conversation: id, sessionId, archived } = await this.#context.conversations.import(file);
    const conversation = this.#model.readInto(sessionId) ?? this.#model.create(id ?? "", sessionId);
    expect([id, archived]).toEqual([conversation.id, conversation.archived]);
    readFile(conversation, lines);
    const fingerprint = await this.#fingerprint(conversation.id);
    expect(await this.#context.conversations.import(file)).toMatchObject({ imported: 0, conversation: id });
    expect(await this.#fingerprint(conversation.id)).toBe(fingerprint);
  }

  async #erase(target: ModelConversation, from: number, to: number): Promise<void> {
    if (target.transcript !== null) return this.#eraseLine(target, target.transcript, from);
    const doomed = target.messages.slice(from - 1, to).filter(({ excluded }) => excluded !== "erased");
    const erasing = this.#context.erase({ conversation: target.id, from, to });
    if (doomed.length === 0) return expectRefused(erasing, "not-found");
    expect(await erasing).toMatchObject({ messages: doomed.length });
    for (const message of doomed) message.excluded = "erased";
  }

  /** Erases the message of one line; the store is asked which message that is. */
  async #eraseLine(target: ModelConversation, transcript: ModelTranscript, at: number): Promise<void> {
    const index = at % transcript.lines.length;
    const line = transcript.lines[index];
    const seq = (await this.#lineSeqs(target.id))[index] ?? null;
    expect(seq !== null).toBe(line?.isMessage);
    if (seq === null || line === undefined || line.erased) return;
    const { conversation } = await this.#context.read({ conversation: target.id, limit: 1 });
    await this.#context.erase({ conversation: target.id, from: seq });
    eraseLine(target, line, conversation.messageCount === 1);
  }

  async #change(
    action: Extract<Action, { do: "rename" | "archive" | "unarchive" | "clear" | "retire" | "delete" }>,
    target: ModelConversation,
  ): Promise<void> {
    const context = this.#context;
    switch (action.do) {
      case "rename":
        await context.conversations.rename(target.id, action.title);
        target.title = action.title;
        return;
      case "archive":
        await context.conversations.archive(target.id);
        target.archived = true;
        return;
      case "retire":
        await context.conversations.reset({ conversation: target.id, mode: "reset" });
        target.archived = true;
        return;
      case "unarchive":
        return this.#unarchive(target);
      case "clear":
        // A file that is edited after a reset has no one right answer.
        if (target.transcript !== null) return;
        await context.conversations.reset({ conversation: target.id, mode: "new" });
        for (const message of target.messages) message.excluded ??= "reset";
        return;
      case "delete":
        await context.conversations.delete(target.id);
        this.#model.remove(target);
        return;
    }
  }

  async #unarchive(target: ModelConversation): Promise<void> {
    const active = this.#model.active(target.session);
    const unarchiving = this.#context.conversations.unarchive(target.id);
    if (active !== undefined && active !== target) return expectRefused(unarchiving, "conflict");
    await unarchiving;
    target.archived = false;
  }

  /** Everything the store has of this scope is what the model has. */
  async #compare(): Promise<void> {
    const { conversations } = await this.#context.conversations.list({ archived: true });
    const state = conversations.map(({ id, sessionId, archivedAt }) => [id, sessionId, archivedAt !== null]);
    const expected = this.#model.conversations.map(({ id, session, archived }) => [id, session, archived]);
    expect(state.sort()).toEqual(expected.sort());
    for (const conversation of this.#model.conversations) {
      if (conversation.title !== null)
        expect((await this.#context.conversations.get(conversation.id)).title).toBe(conversation.title);
      const messages = await this.#messages(conversation.id);
      await this.#compareContext(conversation, messages);
      if (conversation.transcript === null) compareMessages(conversation, messages);
      else await this.#compareTranscript(conversation, conversation.transcript, messages);
    }
  }

  /** Context items point to messages, in order; a message is listed once, or its reason is on record. */
  async #compareContext({ id }: ModelConversation, messages: readonly Message[]): Promise<void> {
    const items = await collect(everyRow((from) => this.#scoped.contextItems(id, { from })));
    const shown: number[] = [];
    for (const item of items) shown.push(...(await seqsOfItem(this.#scoped, item)));
    expect(shown).toEqual(messages.flatMap(({ seq, excluded }) => (excluded === null ? [seq] : [])));
    const ordinals = items.map((item) => item.ordinal);
    expect(ordinals).toEqual([...new Set(ordinals)].sort((a, b) => a - b));
    for (const message of messages) expect(message.original === null).toBe(message.excluded === "erased");
  }

  async #compareTranscript(
    { id, imported }: ModelConversation,
    transcript: ModelTranscript,
    messages: readonly Message[],
  ): Promise<void> {
    const seen = messages.filter(({ excluded }) => excluded === null).map(({ original }) => original);
    expect(seen).toEqual(saidIn(transcript));
    const pieces = await collect(this.#context.conversations.transcript({ conversation: id }));
    expect(Buffer.concat(pieces).toString()).toBe(bytesOf(transcript.lines));
    for (const [text, count] of imported)
      expect(messages.filter(({ original }) => original === text).length).toBeGreaterThanOrEqual(count);
  }

  get #scoped(): ScopedStore {
    return this.#engine.store.scoped(this.#scope);
  }

  async #messages(conversation: string): Promise<Message[]> {
    const read = async (from: number) => {
      const page = await this.#context.read({ conversation, from, limit: 7 });
      return { rows: page.messages, next: page.next };
    };
    return collect(everyRow(read, 1));
  }

  /** Seq of the message on each line of the newest version; null where a line is none. */
  async #lineSeqs(conversation: string): Promise<(number | null)[]> {
    const versions = await this.#scoped.transcripts(conversation);
    const newest = versions.at(-1);
    if (newest === undefined) return [];
    const lines = await collect(storedLines(this.#scoped, versions, newest));
    return lines.map((line) => line.seq);
  }

  /** Changes when anything of the conversation does. */
  async #fingerprint(conversation: string): Promise<string> {
    const { headHash } = await this.#context.conversations.get(conversation);
    const messages = await this.#messages(conversation);
    const pieces = await collect(this.#context.conversations.transcript({ conversation }));
    return createHash("sha256")
      .update(JSON.stringify([headHash, messages.map(({ key, excluded, hash }) => [key, excluded, hash])]))
      .update(Buffer.concat(pieces))
      .digest("hex");
  }
}

function compareMessages(conversation: ModelConversation, messages: readonly Message[]): void {
  expect(messages.map(({ seq, key, excluded }) => ({ seq, key, excluded }))).toEqual(
    conversation.messages.map(({ key, excluded }, index) => ({ seq: index + 1, key, excluded })),
  );
  for (const [index, message] of messages.entries()) {
    const expected = conversation.messages[index];
    if (expected !== undefined && expected.excluded !== "erased")
      expect(isSaid(message, expected.said)).toBe(true);
  }
}

async function collect<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const list: Row[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

async function expectRefused(call: Promise<unknown>, code: ErrorCode): Promise<void> {
  await expect(call).rejects.toSatisfy((error) => isPalimpsestError(error, code));
}
