import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Grant } from "../../src/context/ask/grants.ts";
import { internalsOf } from "../../src/engine.ts";
import { type Engine, isPalimpsestError, open } from "../../src/index.ts";
import { OPERATIONS } from "../../src/operations/index.ts";
import type { Operation } from "../../src/operations/operation.ts";
import { runOperation } from "../../src/operations/run-operation.ts";
import type { ScopedStore } from "../../src/store/store.ts";
import { messageId } from "../../src/text/identifiers.ts";
import { DEFAULT_SCOPE } from "../../src/types.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

/** Never given out by any store. */
const UNKNOWN: Ids = {
  conversation: "conv_00000000000000aa",
  summary: "sum_00000000000000aa",
  file: "/nowhere.jsonl",
  payload: "file_00000000000000aa",
};
const SETTINGS = {
  logLevel: "silent",
  freshTailCount: 2,
  leafChunkTokens: 200,
  leafMinFanout: 2,
  toolOutputStubBytes: 500,
} as const;
const LATE = "A late word: zeppelin.";
const SECRET = "The password of the vault is heliotrope.";

const VECTOR = Float32Array.of(1, 0);

interface Ids {
  readonly conversation: string;
  readonly summary: string;
  /** A transcript that was read into the conversation. */
  readonly file: string;
  /** A long result that came in one of its messages. */
  readonly payload: string;
}

type Read = (store: ScopedStore, ids: Ids) => Promise<unknown>;

/** Every method of a scoped store, as somebody calls it who knows ids that are not theirs. */
const READS: Record<Exclude<keyof ScopedStore, "scope" | "reach">, Read> = {
  commit: (store, { conversation }) =>
    store.commit([{ kind: "update-conversation", id: conversation, title: "mine", at: "2026-01-01" }]),
  exclusively: (store, { conversation }) => store.exclusively(conversation, async () => "done"),
  conversation: (store, { conversation }) => store.conversation({ id: conversation }),
  conversations: async (store, { conversation }) =>
    (await store.conversations({ archived: true })).rows.filter(({ id }) => id === conversation),
  messages: (store, { conversation }) => store.messages(conversation, {}),
  originals: (store, { conversation }) => store.originals(conversation, {}),
  contextItems: (store, { conversation }) => store.contextItems(conversation, {}),
  contextShape: (store, { conversation }) => store.contextShape(conversation, {}),
  contextWindow: (store, { conversation }) => store.contextWindow(conversation, { maxTokens: 1_000 }),
  summary: (store, { summary }) => store.summary(summary),
  missingSummaries: (store, { conversation }) => store.missingSummaries(conversation),
  lineage: (store, { conversation }) => store.lineage(conversation, { seq: 1 }),
  describeSummary: (store, { summary }) => store.describeSummary(summary),
  descend: (store, { summary }) => store.descend({ summary, maxTokens: 1_000 }),
  similarSummaryIds: async (store, { summary }) =>
    (await store.similarSummaryIds(`${summary.slice(0, -1)}x`)).filter((id) => id === summary),
  idsBeginning: (store, { conversation }) => store.idsBeginning(conversation),
  summaries: (store, { conversation }) => store.summaries(conversation, {}),
  summaryOutlines: (store, { conversation }) => store.summaryOutlines(conversation, {}),
  turns: (store, { conversation }) => store.turns(conversation, {}),
  receipts: (store, { conversation }) => store.receipts(conversation, {}),
  compactionEvents: (store, { conversation }) => store.compactionEvents(conversation, {}),
  transcripts: (store, { conversation }) => store.transcripts(conversation),
  lostTranscripts: (store, { conversation }) => store.lostTranscripts(conversation),
  transcriptsAt: (store, { file }) => store.transcriptsAt(file),
  // Conversations of others have messages under it too.
  conversationsWith: (store) => store.conversationsWith("late#0"),
  transcriptLines: (store, { conversation }) => store.transcriptLines(conversation, { transcript: 1 }),
  uncleanedSince: (store) => store.uncleanedSince(),
  auditLog: async (store, { conversation }) =>
    (await store.auditLog({})).rows.filter((one) => one.conversation === conversation),
  auditMarks: async (store, { conversation }) =>
    (await store.auditMarks(0, 100)).filter((one) => one.conversation === conversation),
  searchIndex: (store, { conversation }) => store.searchIndex({ conversation }),
  segmentDocuments: async (store, { conversation }) => {
    const segments = (await store.searchIndex()).segments.map(({ id }) => id);
    const runs = (await store.segmentDocuments(segments)).flatMap((segment) => segment.runs);
    return runs.filter((run) => run.conversation === conversation);
  },
  searchPages: (store) => store.searchPages([], []),
  documents: (store, { conversation }) => store.documents([{ conversation, kind: "message", number: 1 }]),
  texts: (store, { conversation }) => store.texts([{ conversation, kind: "message", number: 1 }]),
  nearestMessages: (store, { conversation }) =>
    store.nearestMessages({ model: "one", vector: VECTOR, limit: 5, conversations: [conversation] }),
  messageVectors: (store, { conversation }) =>
    store.messageVectors("one", [{ conversation, kind: "message", number: 1 }]),
  unembedded: (store, { conversation }) => store.unembedded("one", { conversations: [conversation] }),
  messageVectorCounts: (store) => store.messageVectorCounts(),
  file: (store, { payload }) => store.file(payload),
  files: async (store, { payload }) => (await store.files({})).rows.filter(({ id }) => id === payload),
  fileMarks: async (store, { payload }) => (await store.fileMarks(0, 100)).filter(({ id }) => id === payload),
  fileLines: (store, { payload }) => store.fileLines(payload),
  fileBytes: (store, { payload }) => store.fileBytes(payload, 0, 100),
  putContent: (store) => store.putContent(nothing()),
};

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Take no id, or answer alike for all of them. */
const WITHOUT_IDS: readonly string[] = [
  "missingSummaries",
  "lostTranscripts",
  "searchPages",
  "exclusively",
  "putContent",
  "messageVectorCounts",
  "uncleanedSince",
];

/** What comes of a call, with the ids that were asked for taken out. */
async function outcome(read: Read, store: ScopedStore, ids: Ids): Promise<string> {
  const answer = await read(store, ids).catch((error: unknown) => `${error}`);
  return (JSON.stringify(answer) ?? "undefined").replaceAll(
    new RegExp(Object.values(ids).join("|"), "g"),
    "ID",
  );
}

const METHODS = Object.keys(READS) as (keyof typeof READS)[];

describe.each(ENGINES)("a grant's reach on %s (promise: scoped)", (name) => {
  const folder = temporaryFolder();
  let place: Place;
  let engine: Engine;
  let foreign: Engine;
  let own: Ids;
  let hidden: Ids;
  let theirs: Ids;
  let grant: Grant;
  let limited: Engine;

  /** A conversation with summaries. */
  async function talk(on: Engine, session: string, words: string): Promise<Ids> {
    for (let turn = 1; turn <= 12; turn++)
      await on.context.commitTurn({
        conversation: session,
        key: `t${turn}`,
        messages: [
          { role: "user", content: `${words} Round ${turn}. ${"We went on about it. ".repeat(10)}` },
          { role: "assistant", content: `Noted, round ${turn}.` },
        ],
      });
    await on.context.compact({ conversation: session });
    await on.context.assemble({ conversation: session });
    await on.context.commitTurn({
      conversation: session,
      key: "last",
      messages: [{ role: "user", content: "Bye." }],
    });
    await on.context.commitTurn({
      conversation: session,
      key: "result",
      messages: [
        { role: "assistant", content: [{ type: "tool_use", id: "call_1", name: "look", input: {} }] },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "call_1", content: `${words} `.repeat(30) }],
        },
      ],
    });
    const file = path.join(folder, `${session}.jsonl`);
    writeFileSync(file, `${JSON.stringify({ role: "user", content: `From a file: ${words}` })}\n`);
    await on.context.conversations.import(file);
    const { summaries, conversation } = await on.context.conversations.summaries(session);
    await on.store.scoped({ tenant: on.config.tenant, agent: on.config.agent }).commit([
      {
        kind: "embed",
        id: conversation.id,
        model: "one",
        first: 1,
        last: 1,
        messages: [{ seq: 1, vectors: [VECTOR] }],
      },
    ]);
    await on.context.erase({ conversation: conversation.id, from: 25, to: 25 });
    const [payload] = (await on.context.files.list({ conversation: conversation.id })).files;
    return {
      conversation: conversation.id,
      summary: summaries[0]?.id ?? "",
      file,
      payload: payload?.id ?? "",
    };
  }

  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, config: SETTINGS, background: "off" });
    foreign = await open({
      store: place.store,
      config: { ...SETTINGS, tenant: "other" },
      background: "off",
    });
    own = await talk(engine, "own", "The kettle boils at 93 degrees.");
    hidden = await talk(engine, "hidden", SECRET);
    theirs = await talk(foreign, "theirs", SECRET);
    for (const on of [engine, foreign]) await on.context.index.build();
    for (const [on, session] of [
      [engine, "own"] as const,
      [engine, "hidden"] as const,
      [foreign, "theirs"] as const,
    ])
      await on.context.commitTurn({
        conversation: session,
        key: "late",
        messages: [{ role: "user", content: LATE }],
      });
    const issued = internalsOf(engine).grants?.issue({
      origin: "test",
      conversations: [own.conversation],
      tokenCap: 10_000,
      ttlMs: 60_000,
    });
    if (!issued) throw new Error("no grant was issued");
    grant = issued;
    limited = internalsOf(engine).under(grant);
  });

  afterAll(async () => {
    await foreign.close();
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true });
  });

  it.each(METHODS)("%s would tell something of the others", async (method) => {
    if (WITHOUT_IDS.includes(method)) return;
    for (const [on, ids] of [[engine, hidden] as const, [foreign, theirs] as const]) {
      const store = on.store.scoped({ tenant: on.config.tenant, agent: on.config.agent });
      expect(await outcome(READS[method], store, ids)).not.toBe(await outcome(READS[method], store, UNKNOWN));
    }
  });

  it.each(METHODS)("%s answers for an id outside as for an unknown one", async (method) => {
    const read = READS[method];
    const store = limited.store.scoped(DEFAULT_SCOPE);
    const unknown = await outcome(read, store, UNKNOWN);
    for (const ids of [hidden, theirs]) expect(await outcome(read, store, ids)).toBe(unknown);
  });

  it("lets through what is inside", async () => {
    const store = limited.store.scoped(DEFAULT_SCOPE);
    const all = engine.store.scoped(DEFAULT_SCOPE);
    for (const method of [
      ...(["messages", "summary", "summaries", "contextWindow", "documents"] as const),
      ...(["file", "fileLines", "fileBytes"] as const),
    ])
      expect(await outcome(READS[method], store, own)).toBe(await outcome(READS[method], all, own));
    expect((await store.conversations({})).rows.map(({ id }) => id)).toEqual([own.conversation]);
  });

  it("has no other scope", async () => {
    const other = limited.store.scoped({ tenant: "other", agent: "default" });
    expect(await other.conversation({ id: theirs.conversation })).toBeUndefined();
    expect((await other.conversations({ archived: true })).rows).toEqual([]);
    expect(await limited.store.scopes()).toEqual([DEFAULT_SCOPE]);
    expect(() => limited.store.dump()).toThrow("cannot export");
    await expect(limited.store.info()).rejects.toMatchObject({ code: "not-supported" });
  });

  it("finds nothing outside by search, and does not count it", async () => {
    const everything = await engine.context.grep({ pattern: "vault", mode: "exact" });
    expect(everything.hits.length).toBeGreaterThan(0);
    for (const mode of ["full_text", "exact", "regex"] as const) {
      const answer = await limited.context.grep({ pattern: "heliotrope", mode });
      expect(answer).toMatchObject({ hits: [], next: null });
      expect(answer.total ?? 0).toBe(0);
      const { summaries } = await engine.context.conversations.summaries(own.conversation);
      const { messageCount } = await engine.context.conversations.get(own.conversation);
      expect(answer.searched).toBe(messageCount + summaries.length);
    }
    const found = await limited.context.grep({ pattern: "kettle", limit: 200 });
    expect(new Set(found.hits.map(({ conversation }) => conversation))).toEqual(new Set([own.conversation]));
    expect(found.total).toBe(found.hits.length);
  });

  it("looks into no files outside, and does not count them", async () => {
    const everything = await engine.context.files.grep({ pattern: "heliotrope" });
    expect(everything.hits.map(({ id }) => id)).toEqual([hidden.payload]);
    const answer = await limited.context.files.grep({ pattern: "heliotrope" });
    const { bytes } = (await engine.context.files.list({ conversation: own.conversation })).files[0] ?? {};
    expect(answer).toEqual({ hits: [], filesRead: 1, bytesRead: bytes, unreadable: [], next: null });
    const found = await limited.context.files.grep({ pattern: "kettle" });
    expect(found.hits.map(({ id }) => id)).toEqual([own.payload]);
    expect((await limited.context.files.list()).files.map(({ id }) => id)).toEqual([own.payload]);
  });

  it("holds for what was not indexed yet", async () => {
    const { hits } = await limited.context.grep({ pattern: "zeppelin" });
    expect(hits.map(({ conversation }) => conversation)).toEqual([own.conversation]);
  });

  it("is the same for every operation that reads, whatever it is given", async () => {
    const operations: readonly Operation<object, unknown, unknown>[] = OPERATIONS;
    const reading = operations.filter((one) => one.tool !== undefined || READING.includes(one.name));
    expect(reading.map((one) => one.name)).toEqual(expect.arrayContaining(READING));
    for (const operation of reading)
      for (const [field, kind] of Object.entries(FIELDS).filter(([key]) => key in shapeOf(operation)))
        for (const which of ["session", "conversation", "summary", "message", "payload"] as const) {
          const unknown = await answerOf(operation, field, kind, nameIn(UNKNOWN, "nowhere", which));
          for (const [ids, session] of [[hidden, "hidden"] as const, [theirs, "theirs"] as const])
            expect(await answerOf(operation, field, kind, nameIn(ids, session, which))).toBe(unknown);
        }
  });

  async function answerOf(
    operation: Operation<object, unknown, unknown>,
    field: string,
    kind: "one" | "list",
    id: string,
  ): Promise<string> {
    const asked = { pattern: "heliotrope", prompt: "Which password does the vault have?" };
    const given = Object.fromEntries(Object.entries(asked).filter(([key]) => key in shapeOf(operation)));
    const run = async () =>
      runOperation(operation, limited, { ...given, [field]: kind === "list" ? [id] : id });
    const answer = await run().catch((error: unknown) =>
      isPalimpsestError(error) ? `${error.code} ${error.message} ${error.advice}` : `${error}`,
    );
    expect(JSON.stringify(answer)).not.toContain("heliotrope.");
    const digits = /^(?:msg|conv|sum|file)_([0-9a-f]{16})/.exec(id)?.[1] ?? id;
    return (JSON.stringify(answer) ?? "").replaceAll(digits, "ID");
  }

  it("is empty as soon as the grant is revoked", async () => {
    expect(await limited.context.conversations.list()).toMatchObject({
      conversations: [{ id: own.conversation }],
    });
    internalsOf(engine).grants?.revoke(grant.id);
    expect(await limited.context.conversations.list()).toMatchObject({ conversations: [] });
    await expect(limited.context.read({ conversation: own.conversation })).rejects.toMatchObject({
      code: "not-found",
    });
    await expect(limited.context.expand({ summary: own.summary })).rejects.toMatchObject({
      code: "not-found",
    });
    expect(await limited.context.grep({ pattern: "kettle" })).toMatchObject({ hits: [], total: 0 });
  });
});

const READING = [
  ...["read", "expand", "tree", "context", "grep", "transcript", "conversations-list"],
  ...["files-list", "files-show", "files-cat"],
];
/** Fields under which operations take ids. */
const FIELDS: Readonly<Record<string, "one" | "list">> = {
  id: "one",
  conversation: "one",
  summary: "one",
  conversations: "list",
  summaryIds: "list",
  summaries: "list",
};

function nameIn(
  { conversation, summary, payload }: Ids,
  session: string,
  which: "session" | "conversation" | "summary" | "message" | "payload",
): string {
  return { session, conversation, summary, payload, message: messageId(conversation, 1) }[which];
}

function shapeOf({ input }: Operation<object, unknown, unknown>): object {
  return "shape" in input && typeof input.shape === "object" && input.shape !== null ? input.shape : {};
}
