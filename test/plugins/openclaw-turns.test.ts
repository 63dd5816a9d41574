/** Turns that OpenClaw hands over while the store cannot be used. The whole host is in test/hosts. */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Bridges } from "../../plugins/openclaw/bridges.ts";
import { TurnEngine } from "../../plugins/openclaw/context-engine.ts";
import type { HostMessage, HostSdk } from "../../plugins/openclaw/types.ts";
import { open } from "../../src/index.ts";
import { temporaryFolder } from "../temporary-store.ts";

interface Entry {
  readonly id: string;
  readonly message: HostMessage;
}

const session = { sessionId: "s1", sessionKey: "agent:main:s1" };
const messages = [
  { role: "user", content: "The ferry leaves at nine." },
  { role: "assistant", content: [{ type: "text", text: "At nine." }] },
];
const turn = {
  ...session,
  advancementKey: "turn-1",
  admission: { entryId: "e1" },
  terminal: { entryId: "e2" },
  messages,
};

/** A host whose transcript has these entries, or that has no transcript. */
function hostWith(transcript: readonly Entry[] | null): HostSdk {
  const page = { kind: "page", cursor: "end", hasMore: false } as const;
  return {
    buildMemorySystemPromptAddition: () => "",
    readSessionTranscriptVisibleMessageDelta: async ({ cursor }) => {
      if (transcript === null) return { kind: "missing" };
      const shown = cursor === undefined ? transcript : [];
      return { ...page, entries: shown.map(({ id, message }) => ({ entryId: id, message })) };
    },
    readSessionTranscriptRawDelta: async ({ cursor }) => {
      if (transcript === null) return { kind: "missing" };
      const shown = cursor === undefined ? transcript : [];
      return { ...page, events: shown.map((entry) => ({ event: { type: "message", ...entry } })) };
    },
  };
}

describe("a turn for OpenClaw whose store fails", () => {
  let folder: string;
  let store: string;
  let bridges: Bridges | undefined;
  beforeEach(() => {
    folder = temporaryFolder();
    store = path.join(folder, "store");
    // A file in the place of the folder: the store can neither be opened nor made.
    writeFileSync(store, "");
  });
  afterEach(async () => {
    await bridges?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function engineOn(sdk: HostSdk): TurnEngine {
    const settings = { dataDir: store, logLevel: "silent" };
    bridges = new Bridges({ settings, sdk, warn: () => {} });
    return new TurnEngine(bridges, new Map(), undefined);
  }
  async function onRecord(): Promise<string[]> {
    await bridges?.close();
    const engine = await open({ config: { dataDir: store, logLevel: "silent" }, background: "off" });
    const read = await engine.context.read({ conversation: session });
    await engine.close();
    return read.messages.map(({ key }) => key);
  }
  const transcript = messages.map((message, i) => ({ id: `e${i + 1}`, message }));

  it("is left to the transcript before a turn, and read from there once the store works", async () => {
    expect(await engineOn(hostWith(transcript)).commitTurn(turn)).toEqual({ status: "committed" });
    rmSync(store);
    expect(await engineOn(hostWith(transcript)).bootstrap(session)).toMatchObject({ importedMessages: 2 });
    expect(await onRecord()).toEqual(["e1", "e2"]);
  });

  it.each([
    ["there is no transcript", null],
    ["the transcript has only a part of it", transcript.slice(0, 1)],
  ])("stays with the host when %s", async (_, held) => {
    await expect(engineOn(hostWith(held)).commitTurn(turn)).rejects.toThrow("the host tries again");
    rmSync(store);
    expect(await engineOn(hostWith(held)).commitTurn(turn)).toEqual({ status: "committed" });
    expect(await engineOn(hostWith(held)).commitTurn(turn)).toEqual({ status: "duplicate" });
    expect(await onRecord()).toEqual(["e1", "e2"]);
  });

  it("stays with the host after a turn, whatever the transcript has", async () => {
    const engine = engineOn(hostWith(transcript));
    const assembled = await engine.assemble({ ...session, messages: [], tokenBudget: 10_000 });
    expect(assembled.messages).toEqual([]);
    await expect(engine.commitTurn(turn)).rejects.toThrow("the host tries again");
  });
});

describe("an overflow in OpenClaw", () => {
  it("makes the next request shorter, also when no summary can", async () => {
    const folder = temporaryFolder();
    const words = Array.from({ length: 3_000 }, (_, i) => `word${i}`).join(" ");
    const transcript = [{ id: "e1", message: { role: "user", content: words } }];
    const settings = { dataDir: folder, logLevel: "silent" };
    const bridges = new Bridges({ settings, sdk: hostWith(transcript), warn: () => {} });
    try {
      const engine = new TurnEngine(bridges, new Map(), undefined);
      await engine.bootstrap(session);
      const show = () => engine.assemble({ ...session, messages: [], tokenBudget: 40_000 });
      const before = await show();
      const overflow = {
        tokenBudget: 40_000,
        currentTokenCount: 70_000,
        compactionTarget: "budget",
      } as const;
      let last = before.estimatedTokens;
      for (let attempt = 1; attempt <= 3; attempt++) {
        expect(await engine.compact({ ...session, ...overflow })).toMatchObject({
          ok: true,
          compacted: true,
        });
        await engine.bootstrap(session);
        const { estimatedTokens } = await show();
        expect(estimatedTokens).toBeLessThan(last);
        last = estimatedTokens;
      }
      await engine.commitTurn({
        ...turn,
        terminal: turn.admission,
        messages: transcript.map(({ message }) => message),
      });
      await engine.bootstrap(session);
      expect((await show()).estimatedTokens).toBe(before.estimatedTokens);
    } finally {
      await bridges.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
