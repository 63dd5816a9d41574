import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../../errors.ts";
import { estimateTokens } from "../../text/estimate-tokens.ts";
import { GrantedTools } from "./granted-tools.ts";
import { Grants } from "./grants.ts";

const ID = "msg_aaaaaaaaaaaaaaaa_1";

function toolsThatSay(answer: () => string, tokenCap = 2_000) {
  const time = { now: 0 };
  const grants = new Grants({ clock: () => time.now, random: randomBytes });
  const grant = grants.issue({ origin: "o", conversations: ["c"], tokenCap, ttlMs: 1_000 });
  if (grant === null) throw new Error("the grant was refused");
  const told: number[] = [];
  let runs = 0;
  const run = async () => {
    runs += 1;
    return answer();
  };
  const tools = new GrantedTools([{ name: "say", description: "says it", input: {}, run }], grant, {
    countTokens: estimateTokens,
    onCall: ({ tokens }) => told.push(tokens),
  });
  return { tools, grant, grants, time, told, runs: () => runs };
}

describe("tools under a grant", () => {
  it("never tell more than the cap, whatever they are asked", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 61, max: 5_000 }),
        fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 12 }),
        async (cap, lengths) => {
          let call = 0;
          const { tools, grant, told } = toolsThatSay(() => "words ".repeat((lengths[call++] ?? 0) / 6), cap);
          for (const _ of lengths) await tools.call("say", {});
          expect(grant.tokensSpent).toBe(told.reduce((sum, tokens) => sum + tokens, 0));
          expect(grant.tokensSpent).toBeLessThanOrEqual(cap);
        },
      ),
    );
  });

  it("say that they were cut, and leave something for the next", async () => {
    const { tools, grant } = toolsThatSay(() => "line\n".repeat(4_000));
    const text = await tools.call("say", {});
    expect(text).toMatch(/\nline\n\[Cut here: 1,000 of 5,000 tokens; ask for a smaller part\.\]$/);
    expect(grant.tokensLeft).toBeGreaterThan(900);
    await tools.call("say", {});
    expect(await tools.call("say", {})).toMatch(/the token limit for reading is reached: answer now\.\]$/);
    expect(tools.isUsedUp).toBe(true);
  });

  it("do not run any more once everything is used up, or the grant has ended", async () => {
    const usedUp = toolsThatSay(() => "x".repeat(9_000), 100);
    await usedUp.tools.call("say", {});
    expect(await usedUp.tools.call("say", {})).toMatch(/^The token limit for reading is reached/);
    expect(usedUp.runs()).toBe(1);
    const expired = toolsThatSay(() => "x");
    expired.time.now = 1_000;
    expect(await expired.tools.call("say", {})).toMatch(/^The grant is expired/);
    const revoked = toolsThatSay(() => "x");
    revoked.grants.revoke(revoked.grant.id);
    expect(await revoked.tools.call("say", {})).toMatch(/^The grant is revoked/);
    expect(expired.runs() + revoked.runs()).toBe(0);
  });

  const SHOWN: readonly [string, string, readonly string[]][] = [
    ["quoted", `${ID} (user | 10 tokens)\n> words`, [ID]],
    ["quoted behind a label", `${ID} (user)\n[call of read]\n> words`, [ID]],
    ["quoted as a neighbour", `Before it: ${ID} (user)\n> words`, [ID]],
    ["only listed", `Made from:\n- ${ID} (user)\n- ${ID}2 (user)\n\n> words of something else`, []],
    ["named by what was said", `(nobody)\n> ${ID} (user)\n  > ${ID} (user)\n> words`, []],
    ["what was asked for", `Nothing matches "${ID}"\n> words`, []],
    ["cut off before its words", `${ID} (user)\n[Cut here]`, []],
  ];

  it.each(SHOWN)("remember what was shown: an id that is %s", async (_, text, seen) => {
    const { tools } = toolsThatSay(() => text);
    await tools.call("say", {});
    expect([...tools.seen]).toEqual(seen);
  });

  it("tell a model of its mistakes", async () => {
    const { tools } = toolsThatSay(() => {
      throw new PalimpsestError("not-found", "there is no such thing", { advice: "Run lcm list" });
    });
    expect(await tools.call("say", {})).toBe("Error: there is no such thing");
    expect(tools.failed.aborted).toBe(false);
  });

  it("end the run when the store fails", async () => {
    const failure = new PalimpsestError("store-unavailable", "gone");
    const { tools } = toolsThatSay(() => {
      throw failure;
    });
    await expect(tools.call("say", {})).rejects.toBe(failure);
    expect(tools.failed.reason).toBe(failure);
  });

  it("are only those that are there", async () => {
    expect(await toolsThatSay(() => "x").tools.call("lcm_expand_query", {})).toBeNull();
  });
});
