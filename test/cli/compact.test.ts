import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { compact } from "../../src/operations/compact.ts";
import type { tree } from "../../src/operations/tree.ts";
import { EMPTY, refuse, reply, type Script, startScriptedModel } from "../scripted-model.ts";
import { lcm, lcmJson, outcomeOf, startLcm, temporaryFolder } from "./lcm.ts";
import { DECISION, longConversation, SMALL_CHUNKS } from "./long-conversations.ts";
import { contentOf, importInto, withEngine } from "./stores.ts";
import { neutral, said } from "./transcripts.ts";

type Report = Awaited<ReturnType<typeof compact.run>>;
type Tree = Awaited<ReturnType<typeof tree.run>>;

const folder = temporaryFolder();
const offline = { environment: SMALL_CHUNKS };

/** A store of its own with one conversation called long. */
async function storeWith(name: string, turns: number): Promise<string> {
  const file = path.join(folder, `${name}.jsonl`);
  const data = path.join(folder, name);
  writeFileSync(file, neutral("long", longConversation(turns)));
  await importInto(data, file);
  return data;
}

async function withModel<Result>(
  script: Script,
  use: (
    environment: Record<string, string>,
    model: Awaited<ReturnType<typeof startScriptedModel>>,
  ) => Promise<Result>,
): Promise<Result> {
  const model = await startScriptedModel(script);
  const settings = {
    LCM_SUMMARY_MODEL: "openrouter/vendor/model",
    LCM_MODEL_BASE_URL: model.url,
    OPENROUTER_API_KEY: "key-of-the-test",
  };
  try {
    return await use({ ...SMALL_CHUNKS, ...settings }, model);
  } finally {
    await model.close();
  }
}

const summariesIn = async (data: string) =>
  (await lcmJson<Tree>(["--data", data, "tree", "long"])).summaries.map(({ id }) => id);

describe("lcm compact", () => {
  it("plans without changing anything, compacts offline, and says why there is no more to do", async () => {
    const data = await storeWith("offline", 40);
    const before = await contentOf(data);
    const plan = await lcm(["--data", data, "compact", "long", "--dry-run"], offline);
    expect(plan.stdout).toMatch(/^pass +kind +depth +from +tokens\n +1 +leaf +0 +\d+ messages +1,\d{3}$/m);
    expect(plan.stdout).toMatch(/^Nothing was changed\. Apply with: lcm --data \S+ compact long$/m);
    expect(await contentOf(data)).toBe(before);

    const done = await lcm(["--data", data, "compact", "long"], offline);
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toMatch(
      /^pass +kind +depth +sources +tokens +context +fidelity +time +cost +made by$/m,
    );
    expect(done.stdout).toMatch(/^ {3}1 {2}leaf .* 10 +1,\d{3} → [\d,]+ .*\d+% +\d+\.\d s +extractive$/m);
    expect(done.stdout).toMatch(/^ *\d+ {2}condensed +1 +\d +[\d,]+ → /m);
    expect(done.stdout).toMatch(/^✓ [\d,]+ → [\d,]+ tokens in the context \(\d\d% saved\), 80 → \d+ items$/m);
    expect(done.stdout).toMatch(/^made by +the offline summariser \(\d+\)$/m);
    expect(done.stdout).toMatch(/^stopped +nothing left to compact$/m);
    expect(done.stdout).not.toContain("\u001b");

    const again = await lcm(["--data", data, "compact", "long"], offline);
    expect(again.stdout).toMatch(
      /^Nothing was compacted\. .*Condensing needs 3 adjacent summaries.*\(leafMinFanout\).*; the context has only \d+ of depth 0( and \d+ of depth 1)?\./,
    );
    const [enough, verified] = await Promise.all([
      lcm(["--data", data, "compact", "long", "--until-under", "1000000"], offline),
      lcm(["--data", data, "verify"]),
    ]);
    expect(enough.stdout).toMatch(
      /^Nothing was compacted\. The context \([\d,]+ tokens, including 12 of overhead per item\) is already within the target of 1,000,000\./,
    );
    expect(verified.code).toBe(0);
  });

  it("says that everything is in the fresh tail, with the settings that make it so", async () => {
    const data = path.join(folder, "short");
    const file = path.join(folder, "short.jsonl");
    writeFileSync(file, neutral("short", [said("user", "hello", "s1")]));
    await importInto(data, file);
    const [done, plan] = await Promise.all([
      lcm(["--data", data, "compact", "short"]),
      lcm(["--data", data, "compact", "short", "--dry-run", "--budget", "1000"]),
    ]);
    expect(done.stdout).toBe(
      "Nothing was compacted. Everything is in the fresh tail (1 message), which is never summarised: freshTailCount 64 messages, freshTailMaxTokens 51,200.\n",
    );
    expect(plan.stdout).toContain("freshTailMaxTokens 400.");
  });

  it("stops at a target, and gives a report that fits the operation's schema", async () => {
    const data = await storeWith("target", 30);
    const report = await lcmJson<Report>(
      ["--data", data, "compact", "long", "--until-under", "8000"],
      offline,
    );
    expect(() => compact.output.parse(report)).not.toThrow();
    expect(report).toMatchObject({ stopped: "target reached", models: [], calls: 0, cost: null });
    expect(report.tokensAfter).toBeLessThanOrEqual(8000);
    expect(report.passes.at(-1)?.contextTokensAfter).toBe(report.tokensAfter);
    expect(await summariesIn(data)).toEqual(report.passes.map(({ summary }) => summary));
  });

  it("names the model that wrote, its calls and what they cost", async () => {
    const data = await storeWith("model", 20);
    await withModel(reply(DECISION, { cost: 0.0125 }), async (environment, { requests }) => {
      const { stdout } = await lcm(["--data", data, "compact", "long"], { environment });
      expect(stdout).toMatch(/^ {3}1 {2}leaf .* \$0\.0125 {2}normal openrouter\/vendor\/model$/m);
      expect(stdout).toMatch(/^ {3}2 {2}leaf .* \$0\.0250 {2}normal /m);
      expect(stdout).toContain(`; ${requests.length} calls, $${(0.0125 * requests.length).toFixed(4)}`);
    });
  });

  it("needs a complete model, and reading needs none", async () => {
    const data = await storeWith("incomplete", 20);
    const environment = { ...SMALL_CHUNKS, LCM_SUMMARY_MODEL: "openai-compatible/x" };
    const ask = (...words: string[]) => lcm(["--data", data, ...words], { environment });
    const [read, tree, check, compacted] = [
      await ask("read", "long"),
      await ask("tree", "long"),
      await ask("config", "check"),
      await ask("compact", "long"),
    ];
    expect([read.code, tree.code]).toEqual([0, 0]);
    for (const { code, stderr } of [check, compacted]) {
      expect(code).not.toBe(0);
      expect(stderr).toContain("modelBaseUrl");
    }
    expect(await summariesIn(data)).toEqual([]);
  });

  it("says what stays when the provider refuses the key in the middle", async () => {
    const data = await storeWith("refused", 20);
    await withModel([reply(DECISION), refuse(401)], async (environment) => {
      const { code, stderr } = await lcm(["--data", data, "compact", "long"], { environment });
      expect(code).toBe(7);
      expect(stderr).toMatch(
        /^1 summary made before the error is kept\. Resume with: lcm --data \S+ compact long$/m,
      );
    });
    expect(await summariesIn(data)).toHaveLength(1);
  });

  it("says how often and why the model's answers were not used, instead of looking like success", async () => {
    const data = await storeWith("empty-answers", 20);
    await withModel(EMPTY, async (environment) => {
      const { code, stdout } = await lcm(["--data", data, "compact", "long"], { environment });
      expect(code).toBe(0);
      expect(stdout).toMatch(/^⚠ [\d,]+ → [\d,]+ tokens in the context/m);
      const said = /^⚠ The model's answers were not used for (\d+) of (\d+) summaries: empty \((\d+)\)\. /m;
      const [, unused, made, empty] = (said.exec(stdout) ?? []).map(Number);
      expect(made).toBeGreaterThan(1);
      expect([unused, empty]).toEqual([made, 2 * (made ?? 0)]);
      expect(stdout).toContain("docs/guide/models.md");
      expect(stdout).not.toContain("✓");
    });
  });

  it("says that instructions have no effect without a model", async () => {
    const data = await storeWith("instructed", 20);
    const { code, stdout } = await lcm(
      ["--data", data, "compact", "long", "--instructions", "keep names"],
      offline,
    );
    expect(code).toBe(0);
    expect(stdout).toContain(
      "⚠ The instructions had no effect: only a model follows them, and none is configured.",
    );
  });

  it("logs a failed call between the lines for people only on request", async () => {
    const data = await storeWith("logged", 20);
    await withModel(refuse(404), async (environment) => {
      const compacted = await lcm(["--data", data, "compact", "long"], { environment });
      expect(compacted.stdout).toContain("the model was unavailable");
      expect(compacted.stderr).toBe("");
    });
    const again = await storeWith("logged-again", 20);
    await withModel(refuse(404), async (environment) => {
      const asked = await lcm(["--data", again, "--log-level", "warn", "compact", "long"], { environment });
      expect(asked.stderr).toContain('"msg":"model call failed"');
    });
  });

  it("says that a model could not be used and was not asked again", async () => {
    const data = await storeWith("unreachable", 20);
    await withModel(refuse(404), async (environment) => {
      const report = await lcmJson<Report>(["--data", data, "compact", "long"], { environment });
      const rest = report.passes.length - 1;
      expect(report.warnings).toEqual([
        expect.stringContaining(`: the model was unavailable (1), not asked again (${rest}). `),
      ]);
    });
  });

  it("says nothing of a model whose second answer was used", async () => {
    const data = await storeWith("second-answer", 6);
    await withModel([EMPTY, reply(DECISION)], async (environment) => {
      const report = await lcmJson<Report>(["--data", data, "compact", "long"], { environment });
      expect(report.passes[0]?.attempts).toEqual(["normal: empty", "aggressive: ok"]);
      expect(report.warnings).toEqual([]);
    });
  });

  it("says that the calls are used up, by which setting, and how to go on", async () => {
    const data = await storeWith("out-of-calls", 40);
    await withModel(reply(DECISION), async (environment) => {
      const limited = { environment: { ...environment, LCM_SUMMARY_MAX_CALLS_PER_WINDOW: "2" } };
      const { code, stdout } = await lcm(["--data", data, "compact", "long"], limited);
      expect(code).toBe(7);
      expect(stdout).toMatch(/^⚠ [\d,]+ → [\d,]+ tokens in the context/m);
      expect(stdout).toMatch(/^stopped +out of model calls$/m);
      expect(stdout).toMatch(
        /^⚠ Compaction is not finished: summaryMaxCallsPerWindow allows 2 calls within summaryCallWindowMs \(600 seconds\)/m,
      );
      expect(stdout).toMatch(/Run the same command again later, or unset summaryModel/);
    });
    await withModel(reply(DECISION), async (environment) => {
      const limited = { environment: { ...environment, LCM_SUMMARY_MAX_CALLS_PER_WINDOW: "1" } };
      const { code, stdout } = await lcm(["--data", data, "compact", "long", "--json"], limited);
      const report: Report = JSON.parse(stdout);
      expect(() => compact.output.parse(report)).not.toThrow();
      expect([code, report.stopped, report.targetReached]).toEqual([7, "out of model calls", null]);
    });
  });

  it("says that a target was not reached, and what is left", async () => {
    const data = await storeWith("missed", 20);
    const words = ["--data", data, "compact", "long", "--until-under", "100"];
    const first = await lcm(words, offline);
    const left =
      /^⚠ The target of 100 tokens was not reached: the context has [\d,]+ tokens, including .*What remains: .*fresh tail.*\(4 items, [\d,]+ tokens\)\.$/m;
    expect(first.code).toBe(8);
    expect(first.stdout).toMatch(left);
    expect(first.stdout).toMatch(/summaries that cannot be shortened \(\d+ items?, [\d,]+ tokens\)/);
    expect(first.stdout).not.toContain("✓");
    const again = await lcm(words, offline);
    expect(again.stdout).toMatch(/^Nothing was compacted\. /);
    expect(again.stdout).toMatch(left);
    const inJson = await lcm([...words, "--json"], offline);
    expect([inJson.code, JSON.parse(inJson.stdout).targetReached]).toEqual([8, false]);
    const reached = ["--data", data, "compact", "long", "--until-under", "1000000"];
    expect((await lcmJson<Report>(reached, offline)).targetReached).toBe(true);
  });

  it("finishes the running pass on Ctrl-C, keeps what was published, and goes on from there", async () => {
    const data = await storeWith("interrupted", 40);
    let interrupt = () => {};
    const script: Script = [
      reply(DECISION),
      () => {
        interrupt();
        return reply(DECISION);
      },
      reply(DECISION),
    ];
    await withModel(script, async (environment, { requests }) => {
      const child = startLcm(["--data", data, "compact", "long"], { environment });
      interrupt = () => child.kill("SIGINT");
      const { code, stdout, stderr } = await outcomeOf(child);
      expect({ code, stdout }).toEqual({ code: 130, stdout: expect.stringMatching(/^stopped +cancelled$/m) });
      expect(stderr).toContain("Finishing the current pass; press Ctrl-C again to stop immediately.");
      expect(stderr).toContain(
        `Summaries made so far are kept. Resume with: lcm --data ${data} compact long`,
      );
      expect(requests.filter(({ disconnected }) => disconnected)).toEqual([]);
      expect(await summariesIn(data)).toHaveLength(requests.length);
      expect(requests.length).toBeLessThanOrEqual(3);
    });
    const rest = await lcmJson<Report>(["--data", data, "compact", "long"], offline);
    expect(rest.stopped).toBe("nothing left to compact");
    expect((await lcm(["--data", data, "verify"])).code).toBe(0);
  });

  it("tells with --json that it was cancelled", async () => {
    const data = await storeWith("cancelled", 40);
    let interrupt = () => {};
    const script: Script = () => {
      interrupt();
      return reply(DECISION);
    };
    await withModel(script, async (environment) => {
      const child = startLcm(["--data", data, "compact", "long", "--json"], { environment });
      interrupt = () => child.kill("SIGINT");
      const { code, stdout } = await outcomeOf(child);
      const report: Report = JSON.parse(stdout);
      expect({ code, stopped: report.stopped }).toEqual({ code: 130, stopped: "cancelled" });
      expect(report.passes.length).toBeGreaterThan(0);
    });
  });

  it("gives way to another process that compacts the same conversation", async () => {
    const data = await storeWith("busy", 20);
    await withEngine(data, async (engine) => {
      const { id } = await engine.context.conversations.get("long");
      await engine.store.scoped({ tenant: "default", agent: "default" }).exclusively(id, async () => {
        const { code, stdout, stderr } = await lcm(["--data", data, "compact", "long"], offline);
        expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
        expect(stderr).toContain("another process is compacting this conversation\nTry again in 30 seconds:");
      });
    });
  });

  it("refuses what makes no sense", async () => {
    const data = await storeWith("refusals", 2);
    const [nobody, zero, none, word] = await Promise.all([
      lcm(["--data", data, "compact", "nobody"]),
      lcm(["--data", data, "compact", "long", "--budget", "0"]),
      lcm(["--data", data, "compact", "long", "--until-under", "0"]),
      lcm(["--data", data, "compact", "long", "--until-under", "few", "--json"]),
    ]);
    expect(nobody).toMatchObject({ code: 3, stderr: expect.stringContaining("lcm conversations") });
    expect(zero).toMatchObject({ code: 2, stderr: expect.stringContaining("--budget") });
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("--until-under") });
    expect({ code: word.code, ...JSON.parse(word.stdout) }).toMatchObject({
      code: 2,
      error: { code: "invalid-input" },
    });
  });
});
