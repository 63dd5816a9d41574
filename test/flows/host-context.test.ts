import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { readArchive, writeArchive } from "../../src/store/archive.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";
import { answer, prompt, uuidOf } from "./claude-code-lines.ts";

const AT = "2026-03-01T10:00:00.000Z";

function inFolder(line: string, cwd: string, gitBranch: string): string {
  return JSON.stringify({ ...JSON.parse(line), cwd, gitBranch });
}

describe.each(ENGINES)("where a conversation takes place, on %s", (kind) => {
  const folder = temporaryFolder();
  let place: Place;
  let engine: Engine;
  beforeAll(async () => {
    place = await temporaryPlace(kind);
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
    const file = path.join(folder, `${uuidOf("shop")}.jsonl`);
    const asked = { name: "a", parent: null, session: "shop" };
    writeFileSync(
      file,
      [
        inFolder(prompt(asked, "Where is the basket emptied?"), "/home/me/shop", "main"),
        inFolder(
          answer({ name: "b", parent: "a", session: "shop" }, "In checkout."),
          "/home/me/shop/src",
          "fix",
        ),
        "",
      ].join("\n"),
    );
    await engine.context.conversations.import(file);
    const codex = [
      { type: "session_meta", payload: { id: "rollout", cwd: "/home/me/shopping", git: { branch: "next" } } },
      { type: "turn_context", payload: { cwd: "/home/me/shopping", model: "gpt-5" } },
      {
        type: "response_item",
        payload: { type: "message", role: "user", content: [{ type: "input_text", text: "The basket." }] },
      },
    ];
    const rollout = path.join(folder, "rollout.jsonl");
    writeFileSync(rollout, codex.map((line) => `${JSON.stringify({ timestamp: AT, ...line })}\n`).join(""));
    await engine.context.conversations.import(rollout);
    const messages = [{ role: "user", content: "A basket of our own." }];
    const hostContext = { host: "my-app", project: "/home/me/shop/app", model: "small" };
    await engine.context.commitTurn({ conversation: "own", key: "1", messages, hostContext });
    await engine.context.commitTurn({ conversation: "nowhere", key: "1", messages });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const listed = async (query = {}) => (await engine.context.conversations.list(query)).conversations;
  const sessions = async (query: object) =>
    (await listed(query)).map(({ sessionId }) => sessionId).toSorted();

  it("is read from transcripts: the first folder, the newest branch and model", async () => {
    const found = new Map((await listed()).map((one) => [one.sessionId, one]));
    expect(found.get(uuidOf("shop"))).toMatchObject({
      host: "claude-code",
      project: "/home/me/shop",
      branch: "fix",
      firstAt: AT,
      lastAt: AT,
    });
    expect(found.get("rollout")).toMatchObject({
      host: "codex",
      project: "/home/me/shopping",
      branch: "next",
      model: "gpt-5",
    });
    expect(found.get("nowhere")).toMatchObject({ host: null, project: null, branch: null, model: null });
  });

  it("follows the newest turn, and keeps the host and folder of the first", async () => {
    const messages = [{ role: "user", content: "And again." }];
    const hostContext = { host: "other", project: "/elsewhere", branch: "later", model: "large" };
    await engine.context.commitTurn({ conversation: "own", key: "2", messages, hostContext });
    await engine.context.commitTurn({ conversation: "own", key: "3", messages });
    expect(await engine.context.conversations.get("own")).toMatchObject({
      host: "my-app",
      project: "/home/me/shop/app",
      branch: "later",
      model: "large",
    });
    expect(await engine.store.checkEngine()).toEqual([]);
  });

  it("limits lists and searches to a folder and what is below it", async () => {
    expect(await sessions({ project: "/home/me/shop" })).toEqual([uuidOf("shop"), "own"].toSorted());
    expect(await sessions({ project: "/home/me/shop/app/" })).toEqual(["own"]);
    expect(await sessions({ host: "codex" })).toEqual(["rollout"]);
    expect(await sessions({ project: "/home/me/sho" })).toEqual([]);
    const { hits } = await engine.context.grep({ pattern: "basket", project: "/home/me/shopping" });
    expect(hits.map(({ snippet }) => snippet.text)).toEqual(["The basket."]);
    expect((await engine.context.grep({ pattern: "basket" })).hits).toHaveLength(4);
    const named = { conversations: ["nowhere"], project: "/home/me" };
    expect((await engine.context.grep({ pattern: "basket", ...named })).hits).toEqual([]);
  });

  it("finds a folder by its own path and by a link to it", async () => {
    const real = path.join(realpathSync(folder), `real-${kind}`);
    const link = path.join(realpathSync(folder), `link-${kind}`);
    mkdirSync(path.join(real, "below"), { recursive: true });
    symlinkSync(real, link);
    const messages = [{ role: "user", content: "A turtle." }];
    for (const [session, project] of [
      ["by-real", path.join(real, "below")],
      ["by-link", link],
    ] as const)
      await engine.context.commitTurn({
        conversation: session,
        key: "1",
        messages,
        hostContext: { project },
      });
    expect(await sessions({ project: link })).toEqual(["by-link", "by-real"]);
    expect(await sessions({ project: path.join(link, "below") })).toEqual(["by-real"]);
    expect(await sessions({ project: real })).toEqual(["by-real"]);
    expect((await engine.context.grep({ pattern: "turtle", project: link })).hits).toHaveLength(2);
  });

  it("goes along to another store", async () => {
    const file = path.join(folder, `${kind}.jsonl`);
    await writeArchive(engine.store, file);
    const other = await open({ store: path.join(folder, `moved-${kind}`), config: { logLevel: "silent" } });
    await other.store.load(readArchive(file), { replace: false });
    const moved = (await other.context.conversations.list()).conversations;
    expect(moved).toEqual(await listed());
    expect(await other.store.checkEngine()).toEqual([]);
    await other.close();
  });
});
