import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { TurnOrder } from "./turn-order.ts";

describe("the order of turns", () => {
  it("holds up nothing that needs no time", () => {
    expect(new TurnOrder().prepared("a", () => 1)).toBe(1);
  });

  it("lets a turn wait for those before it in the same conversation, and only there", async () => {
    const order = new TurnOrder();
    const done: string[] = [];
    const run = async (name: string, what: string, ms: number | null) => {
      done.push(await order.prepared(name, () => (ms === null ? what : delay(ms, what))));
    };
    await Promise.all([
      run("a", "slow", 30),
      run("a", "quick", 1),
      run("a", "at once", null),
      run("b", "other", 5),
    ]);
    expect(done).toEqual(["other", "slow", "quick", "at once"]);
    expect(order.prepared("a", () => 2)).toBe(2);
  });

  it("goes on behind a turn that failed", async () => {
    const order = new TurnOrder();
    const failed = order.prepared("a", () => Promise.reject(new Error("no")));
    const next = order.prepared("a", () => 3);
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe(3);
  });
});
