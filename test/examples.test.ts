import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryFolder } from "./temporary-store.ts";

async function outputOf(example: string): Promise<string> {
  const file = fileURLToPath(new URL(`../examples/${example}`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: temporaryFolder() });
  return stdout;
}

it("the chat with the AI SDK outgrows its window, and every request fits", async () => {
  const stdout = await outputOf("ai-sdk-chat.ts");
  const [, said] = /day 40: said (\d+) tokens/.exec(stdout) ?? [];
  const [, largest] = /the largest request had (\d+) of 8000 tokens/.exec(stdout) ?? [];
  expect(Number(said)).toBeGreaterThan(8_000);
  expect(Number(largest)).toBeGreaterThan(0);
  expect(Number(largest)).toBeLessThanOrEqual(8_000);
});

it("the server side of useChat keeps answers that were regenerated and questions that were edited", async () => {
  expect(await outputOf("ai-sdk-use-chat.ts")).toBe(
    [
      "When is high water?",
      "Answer 1: I heard “When is high water?”.",
      "(branch) And tomorrow?",
      "(branch) Answer 2: I heard “And tomorrow?”.",
      "(branch) Answer 3: I heard “And tomorrow?”.",
      "And on Sunday?",
      "Answer 4: I heard “And on Sunday?”.",
      "",
    ].join("\n"),
  );
});

it("the agent with the AI SDK finds what is no longer in view", async () => {
  const stdout = await outputOf("ai-sdk-agent.ts");
  expect(stdout).toContain("the reading was no longer in view");
  expect(stdout).toContain("answered: Gauge 3 reads 1050 hectopascal on day 1.");
});
