import { expect, it } from "vitest";
import { OneAtATime } from "./one-at-a-time.ts";

it("runs tasks of one name in order, one at a time, also after one has failed", async () => {
  const queue = new OneAtATime();
  const log: string[] = [];
  const task =
    (name: string, fails = false) =>
    async () => {
      log.push(`${name} starts`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const results = await Promise.allSettled([
    queue.run("a", task("a1", true)),
    queue.run("a", task("a2")),
    queue.run("b", task("b1")),
  ]);
  expect(log.filter((line) => line.startsWith("a"))).toEqual([
    "a1 starts",
    "a1 ends",
    "a2 starts",
    "a2 ends",
  ]);
  expect(log.indexOf("b1 starts")).toBeLessThan(log.indexOf("a1 ends"));
  expect(results.map((result) => result.status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
});
