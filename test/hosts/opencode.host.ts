import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations, runOperation } from "../../src/operations/index.ts";
import { type ChatModel, startChatModel } from "./chat-model.ts";
import { withEngine } from "./run-host.ts";
import { type SetUpHome, setUpHome } from "./set-up-home.ts";

const FACT = "The vault code of depot seven is heron-4471.";

describe("OpenCode, set up by lcm setup", () => {
  let model: ChatModel;
  let home: SetUpHome;
  let server: ChildProcess;
  let address = "";
  let session = "";
  let before = "";
  const configuration = () => path.join(home.folder, ".config/opencode/opencode.jsonc");

  beforeAll(async () => {
    model = await startChatModel();
    home = setUpHome("opencode", () => ({
      ...{ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
      ...{ OPENCODE_DISABLE_LSP_DOWNLOAD: "1" },
    }));
    mkdirSync(path.dirname(configuration()), { recursive: true });
    before = settings(model.url);
    writeFileSync(configuration(), before);
    home.lcm("setup", "opencode", "--yes");
    await start();
    session = await newSession();
    await say(session, `${FACT} Keep it in mind.`);
  });
  afterAll(async () => {
    server?.kill();
    await model?.close();
    if (home === undefined) return;
    home.lcm("daemon", "--stop");
    rmSync(home.folder, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    server = spawn(home.program, ["serve", "--port", "0"], {
      ...{ cwd: home.project("a project"), env: home.environment, stdio: ["ignore", "pipe", "ignore"] },
    });
    if (server.stdout === null) return;
    for await (const line of createInterface(server.stdout)) {
      address = /listening on (http:\S+)/.exec(line)?.[1] ?? "";
      if (address !== "") return;
    }
  }

  async function post(place: string, body: object): Promise<string> {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${address}${place}`, {
      ...{ method: "POST", headers, body: JSON.stringify(body) },
    });
    return response.text();
  }

  const newSession = async () => JSON.parse(await post("/session", {})).id;
  const say = (id: string, text: string) =>
    post(`/session/${id}/message`, { parts: [{ type: "text", text }] });
  const compact = () => post(`/session/${session}/summarize`, { providerID: "local", modelID: "scripted" });
  const lastRequest = () =>
    JSON.stringify(model.requests.findLast(({ tools }) => tools.length > 0)?.messages);

  /** Each message that OpenCode tells of a session is on record once. */
  async function expectOnRecord(id: string): Promise<void> {
    const told: { info: { id: string } }[] = JSON.parse(
      await (await fetch(`${address}/session/${id}/message`)).text(),
    );
    home.lcm("daemon", "--stop");
    await withEngine(home.data, async (engine) => {
      const { messages } = await engine.context.read({ conversation: id, limit: 100_000 });
      expect(messages.map(({ key }) => key)).toEqual(told.map(({ info }) => info.id));
      const { problems } = await runOperation(operations.verify, engine, {});
      expect(problems).toEqual([]);
    });
  }

  it("offers the tools, and captures turns with tools", async () => {
    const names = model.requests.flatMap(({ tools }) => tools.map((tool) => tool.function.name));
    expect(names.some((name) => name.includes("lcm_grep"))).toBe(true);
    await say(session, 'CALL:bash:{"command":"echo turn-1","description":"x"} go');
    await expectOnRecord(session);
  });

  it("gives a hint in another session, in every request of it", async () => {
    await home.wakeDaemon();
    const other = await newSession();
    await say(other, "Hello, who are you?");
    expect(lastRequest()).not.toContain("earlier work that may matter");
    await say(other, "What was the vault code of depot seven?");
    await say(other, "Thank you very much.");
    expect(lastRequest()).toContain("earlier work that may matter for this prompt");
    await expectOnRecord(other);
  });

  it("asks the summariser to keep ids, and gives the digest after a compaction", async () => {
    await home.wakeDaemon();
    await compact();
    expect(JSON.stringify(model.requests)).toContain("what this summary must keep");
    await say(session, "And now?");
    const first = lastRequest();
    expect(first).toContain("earlier messages of this session");
    expect(first).toContain("heron-4471");
    await say(session, "And then?");
    expect(lastRequest()).toContain("earlier messages of this session");
    await expectOnRecord(session);
  });

  it("never takes its own text for something that was said", async () => {
    await withEngine(home.data, async (engine) => {
      const { hits } = await engine.context.grep({ pattern: "<palimpsest about", mode: "exact" });
      // The scripted model repeats what it was asked.
      expect(hits.filter(({ role }) => role !== "assistant")).toEqual([]);
    });
  });

  it("gives the configuration back byte for byte", async () => {
    server.kill();
    await once(server, "exit");
    home.lcm("setup", "opencode", "--undo", "--yes");
    expect(readFileSync(configuration(), "utf8")).toBe(before);
    expect(existsSync(path.join(home.folder, ".config/opencode/plugin/palimpsest.js"))).toBe(false);
  });
});

function settings(url: string): string {
  const models = { scripted: { limit: { context: 60_000, output: 2_000 } } };
  const options = { baseURL: url, apiKey: "none" };
  const local = { npm: "@ai-sdk/openai-compatible", options, models };
  // OpenCode adds the first line where it is missing.
  const $schema = "https://opencode.ai/config.json";
  const all = { $schema, model: "local/scripted", small_model: "local/scripted", provider: { local } };
  // As nobody formats it, with a comment and a comma that plain JSON does not have.
  return `// mine\n${JSON.stringify(all).slice(0, -1)},}\n\n`;
}
