import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { open } from "../../src/engine.ts";
import { ask } from "../../src/operations/retrieve/ask.ts";
import { messageId } from "../../src/text/identifiers.ts";
import {
  HANG,
  refuse,
  reply,
  type Script,
  type ScriptedModel,
  startScriptedModel,
} from "../scripted-model.ts";
import { lcm, lcmJson, outcomeOf, startLcm, temporaryFolder } from "./lcm.ts";

type Answer = Awaited<ReturnType<typeof ask.run>>;

const folder = temporaryFolder();
const data = path.join(folder, "data");
const FACT = "The kettle boils at 87 degrees on the summit.";
const QUESTION = ["at", "which", "temperature", "does", "the", "kettle", "boil?"];
const models: ScriptedModel[] = [];
let source = "";

beforeAll(async () => {
  const engine = await open({ store: data, background: "off" });
  const messages = [{ role: "user", content: `${FACT}\u001b[31m` }];
  await engine.context.commitTurn({ conversation: "trip", key: "t", messages });
  source = messageId((await engine.context.conversations.get("trip")).id, 1);
  await engine.close();
});

afterAll(async () => {
  for (const model of models) await model.close();
});

async function environmentOf(script: Script) {
  const model = await startScriptedModel(script);
  models.push(model);
  const environment = {
    LCM_EXPANSION_MODEL: "openai-compatible/m",
    LCM_MODEL_BASE_URL: model.url,
    LCM_MODEL_RETRIES: "0",
  };
  return { model, environment };
}

describe("lcm ask", () => {
  it("answers by quotation where there is no model, under both of its names", async () => {
    const [long, short] = await Promise.all(
      ["expand-query", "ask"].map((name) => lcm(["--data", data, name, ...QUESTION])),
    );
    expect(long).toMatchObject({ code: 0, stderr: "" });
    expect(long?.stdout).toContain("Extractive: no model wrote this.");
    expect(long?.stdout).toContain(`> ${FACT}`);
    expect(long?.stdout).not.toContain("\u001b");
    expect(long?.stdout).toMatch(/extractive · 1 source · 1 conversation\n/);
    expect(long?.stdout).toContain(`next: lcm --data ${data} read ${source}`);
    expect(short?.stdout).toBe(long?.stdout);
  });

  it("shows a model's answer, its sources, and what was taken out", async () => {
    const { environment } = await environmentOf(() => reply(`At 87 degrees [${source}, msg_feed_1].`));
    const { code, stdout } = await lcm(["--data", data, "ask", ...QUESTION], { environment });
    expect(code).toBe(0);
    expect(stdout).toContain(`At 87 degrees [${source}].\n`);
    expect(stdout).toContain("⚠ removed: msg_feed_1 (unknown)");
    expect(stdout).toMatch(
      /openai-compatible\/m, 1 call · 1 source · 1 conversation · \d+ of 16,000 tokens read/,
    );
  });

  it("gives one document as JSON", async () => {
    const args = ["--data", data, "ask", ...QUESTION, "--conversation", "trip", "--token-cap", "900"];
    const answer = await lcmJson<Answer>([...args, "--query", "kettle", "--max-tokens", "500"]);
    expect(() => ask.output.parse(answer)).not.toThrow();
    expect(answer).toMatchObject({ method: "extractive", tokenCap: 900, citations: [{ id: source }] });
  });

  it("says what became of the model, and answers all the same", async () => {
    const { environment } = await environmentOf(refuse(401));
    const { code, stdout } = await lcm(["--data", data, "ask", ...QUESTION], { environment });
    expect(code).toBe(0);
    expect(stdout).toMatch(/⚠ model-failed: openai-compatible\/m rejected the key/);
    expect(stdout).toContain(`> ${FACT}`);
  });

  it("ends at once with Ctrl-C", async () => {
    const { model, environment } = await environmentOf(HANG);
    const child = startLcm(["--data", data, "ask", ...QUESTION], { environment });
    const ended = outcomeOf(child);
    await expect.poll(() => model.requests.length, { timeout: 20_000 }).toBe(1);
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130, stdout: expect.stringContaining("cancelled") });
  });

  it("quotes the five best passages to a person, in local time, and all of them to a program", async () => {
    const store = path.join(folder, "passages");
    const engine = await open({ store, background: "off" });
    const cities = ["Oslo", "Rome", "Bonn", "Lima", "Faro", "Bern", "Nice"];
    const messages = cities.map((city, day) => ({
      ...{ role: "user", content: `The ferry ticket to ${city} costs ${20 + day} euros per ${day}. person.` },
      createdAt: `2026-03-0${day + 1}T20:30:00.000Z`,
    }));
    await engine.context.commitTurn({ conversation: "ferries", key: "t", messages });
    await engine.close();
    const asked = ["--data", store, "ask", "ferry ticket costs euros"];
    const environment = { LCM_TIMEZONE: "Asia/Tokyo" };
    const { stdout } = await lcm(asked, { environment });
    expect(stdout.match(/^> The ferry ticket/gm)).toHaveLength(5);
    expect(stdout.match(/^\[msg_\w+\] \(user \| 2026-03-0\d 05:30 \| conv_/gm)).toHaveLength(5);
    expect(stdout).toMatch(/^2 more passages: lcm .* --json$/m);
    const { answer } = JSON.parse((await lcm([...asked, "--json"], { environment })).stdout);
    expect(answer.match(/^> The ferry ticket/gm)).toHaveLength(7);
  });

  it("gives up after its time", async () => {
    const { environment } = await environmentOf(HANG);
    const args = ["--data", data, "ask", ...QUESTION, "--timeout", "1"];
    expect((await lcm(args, { environment })).stdout).toContain("⚠ timeout:");
  });

  it("ends with 3 when nothing matches, as a search does, and with 7 when it was the model that failed", async () => {
    const { environment } = await environmentOf(refuse(401));
    const [text, json, failed] = await Promise.all([
      lcm(["--data", data, "ask", "zebra", "crossing"]),
      lcm(["--data", data, "ask", "zebra", "--json"]),
      lcm(["--data", data, "ask", "zebra", "--conversation", "trip"], { environment }),
    ]);
    expect(text).toMatchObject({
      code: 3,
      stderr: "",
      stdout: expect.stringContaining("No matching passages"),
    });
    expect(json.code).toBe(3);
    expect(JSON.parse(json.stdout)).toMatchObject({ method: "extractive", citations: [] });
    expect(failed.code).toBe(7);
    const unrelated = await lcm([
      "--data",
      data,
      "ask",
      "Which summit of the ministers in Geneva was postponed?",
    ]);
    expect(unrelated).toMatchObject({ code: 3, stdout: expect.stringContaining("No matching passages") });
  });

  it("refuses what is not there", async () => {
    const named = await lcm(["--data", data, "ask", "x", "--conversation", "nowhere"]);
    expect(named).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("there is no conversation nowhere"),
    });
    const summary = await lcm(["--data", data, "ask", "x", "--summary", "sum_0123456789abcdef"]);
    expect(summary.code).toBe(3);
    expect((await lcm(["--data", data, "ask"])).code).toBe(2);
  });
});
