/**
 * Runs the commands of the tutorial in their order and compares what each prints at 80 columns with what the page shows.
 * `…` on the page stands for any text. Ids, durations and times are not compared.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { lcm, temporaryFolder } from "./cli/lcm.ts";

interface Step {
  readonly command: string;
  readonly shown: readonly string[];
}

const COPY = "copy.jsonl";
const TRANSCRIPT = "examples/conversation/observatory.jsonl";

function stepsOf(page: string): Step[] {
  const blocks = [...page.matchAll(/```console\n([\s\S]*?)```/g)].map(({ 1: block = "" }) => block);
  const steps = blocks.flatMap((block) => block.split(/^\$ /m).slice(1));
  return steps.map((step) => {
    const [command = "", ...shown] = step.split("\n");
    return { command, shown: shown.filter((line) => line.trim() !== "" && line !== "…") };
  });
}

/** The arguments as a shell would give them, with the first summary of the store for a shortened id. */
function argumentsOf(command: string, summary: string): string[] {
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
  const real: Record<string, string> = { [TRANSCRIPT]: path.resolve(TRANSCRIPT) };
  return words.slice(2).map((word) => (word.startsWith("sum_") ? summary : (real[word] ?? word)));
}

function patternOf(line: string): RegExp {
  const pattern = withoutChance(line)
    .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("…", ".*");
  return new RegExp(`^${pattern}$`);
}

/** A line without what differs from run to run. */
function withoutChance(line: string): string {
  return line
    .replaceAll(/\b(conv|msg|sum|mem)_[0-9a-f]{4}(…|[0-9a-f]{12})/g, "$1_")
    .replaceAll(/\d+\.\d s\b/g, "0.0 s")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "now")
    .replaceAll(/\s+/g, " ")
    .trim();
}

describe("the tutorial", () => {
  it("shows what its commands print", async () => {
    const folder = temporaryFolder();
    const environment = { LCM_DATA_DIR: path.join(folder, "data") };
    const isMissing: string[] = [];
    let summary = "";
    const steps = stepsOf(readFileSync("docs/guide/tutorial.md", "utf8"));
    for (const { command, shown } of steps.filter((step) => step.command.startsWith("npx lcm "))) {
      const args = argumentsOf(command, summary);
      const { code, stdout, stderr } = await lcm(args, { environment, folder, columns: 80 });
      expect(code, `${command}: ${stderr}`).toBe(0);
      summary ||= /\bsum_[0-9a-f]{16}/.exec(stdout)?.[0] ?? "";
      const printed = `${stdout}\n${stderr}`.split("\n").map(withoutChance);
      // In this order; other lines may be between them.
      let from = 0;
      const unseen = shown.filter((line) => {
        const at = printed.findIndex((one, place) => place >= from && patternOf(line).test(one));
        from = at < 0 ? from : at + 1;
        return at < 0;
      });
      isMissing.push(...unseen.map((line) => `${command}: ${line}`));
    }
    expect(isMissing).toEqual([]);
    expect(readFileSync(path.join(folder, COPY)).equals(readFileSync(TRANSCRIPT))).toBe(true);
  });
});
