import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { FACTS } from "../../examples/conversation/facts.ts";
import { checkFidelity } from "../../src/context/compact/check-fidelity.ts";
import type { SourceMessage } from "../../src/context/compact/source.ts";
import {
  renderNode,
  type SummaryNode,
  summaryLevels,
} from "../../src/context/compact/testing/summary-levels.ts";
import { estimateTokens, open } from "../../src/index.ts";
import { temporaryPlace } from "../temporary-store.ts";

const TRANSCRIPT = fileURLToPath(new URL("../../examples/conversation/observatory.jsonl", import.meta.url));
const replaced = new Set(FACTS.flatMap(({ supersedes = [] }) => supersedes));
const live = FACTS.filter(({ id }) => !replaced.has(id));

async function exampleMessages(): Promise<readonly SourceMessage[]> {
  const place = await temporaryPlace("sqlite");
  const engine = await open({ store: place.store, config: { logLevel: "silent" } });
  await engine.context.conversations.import(TRANSCRIPT);
  const { messages } = await engine.context.read({ conversation: "demo-observatory" });
  await engine.close();
  await place.dispose();
  return messages;
}

/** Ids of the facts that can be read, emphasis and line ends aside. */
function visible(texts: readonly string[]): string[] {
  const plain = (text: string) => text.replace(/\*\*|`/g, "").replace(/\s+/g, " ");
  const all = plain(texts.join("\n"));
  return live.filter(({ text }) => all.includes(plain(text))).map(({ id }) => id);
}

describe("ten days of work, summarised without a model", () => {
  let leaves: SummaryNode[];
  let condensed: SummaryNode[];
  beforeAll(async () => {
    ({ leaves, condensed } = summaryLevels(await exampleMessages()));
  });

  it("keep nearly all planted facts in the leaves, and most in one page, where a truncation loses them", () => {
    const [inLeaves, inTruncation] = [
      leaves.map(({ text }) => text),
      leaves.map(({ baseline }) => baseline),
    ].map(visible);
    expect(inLeaves?.length).toBeGreaterThanOrEqual(28);
    expect(inLeaves?.length).toBeGreaterThanOrEqual(1.5 * (inTruncation?.length ?? live.length));
    const [onPage, onTruncatedPage] = [
      condensed.map(({ text }) => text),
      condensed.map(({ baseline }) => baseline),
    ].map(visible);
    expect(onPage?.length).toBeGreaterThanOrEqual(19);
    expect(onPage?.length).toBeGreaterThanOrEqual(2 * (onTruncatedPage?.length ?? live.length));
  });

  it("never lose a rule that somebody set", () => {
    const rules = FACTS.filter(({ kind }) => kind === "constraint").map(({ id }) => id);
    expect(rules).toHaveLength(3);
    for (const nodes of [leaves, condensed])
      expect(visible(nodes.map(({ text }) => text))).toEqual(expect.arrayContaining(rules));
  });

  it("let the corrected value stand alone on the page", () => {
    const [page] = condensed;
    for (const wrong of [
      "0.0137 mag per degree",
      "57600 baud",
      "Decision: exports are Parquet",
      "Decision: primary key (night, utc).",
    ])
      expect(page?.text).not.toContain(wrong);
    for (const right of [
      "0.0173, not 0.0137",
      "57600 ではなく 38400",
      "exports are CSV",
      "primary key (night, boot, seq)",
    ])
      expect(page?.text).toContain(right);
  });

  it("invent nothing, fit, and are much shorter", () => {
    for (const { source, text, targetTokens, sourceTokens } of [...leaves, ...condensed]) {
      expect(checkFidelity(renderNode(source), text).invented).toEqual([]);
      expect(estimateTokens(text)).toBeLessThanOrEqual(targetTokens);
      expect(estimateTokens(text)).toBeLessThanOrEqual(0.4 * sourceTokens);
    }
  });
});
