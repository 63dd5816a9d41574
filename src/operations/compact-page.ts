/** A compaction for people: one line per pass when it is done, and the overall result. */
import { count, counted, seconds } from "../text/counted.ts";
import { escapeControls } from "../text/escape-controls.ts";
import { adviceForTerminals } from "../text/hints/advice-for-terminals.ts";
import type { Look } from "../text/terminal/look.ts";
import { fields, table } from "../text/terminal/table.ts";
import type { CompactedReport } from "./compact.ts";

type Pass = CompactedReport["passes"][number];

function sourcesOf({ kind, sources }: Pass): string {
  return kind === "leaf" ? counted(sources, "message") : counted(sources, "summary", "summaries");
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

export function dollars(cost: number): string {
  return `$${cost.toFixed(4)}`;
}

export function renderReport(report: CompactedReport, milliseconds: number, look: Look): string {
  const { tokensBefore, tokensAfter, itemsBefore, itemsAfter, passes, stopped } = report;
  const warnings = report.warnings.map(
    (warning) => `${look.style("yellow", "⚠")} ${escapeControls(adviceForTerminals(warning))}`,
  );
  if (passes.length === 0)
    return [`Nothing was compacted. ${report.explanation ?? ""}`.trimEnd(), ...warnings].join("\n");
  const saved = percent(1 - tokensAfter / Math.max(1, tokensBefore));
  const leaves = passes.filter(({ kind }) => kind === "leaf").length;
  const kinds = `${counted(leaves, "leaf", "leaves")}, ${counted(passes.length - leaves, "condensed", "condensed")}`;
  return [
    "",
    `${markOf(report, look)} ${count(tokensBefore)} → ${count(tokensAfter)} tokens in the context (${saved} saved), ${count(itemsBefore)} → ${counted(itemsAfter, "item")}`,
    fields(
      [
        ["passes", `${count(passes.length)} (${kinds}) in ${seconds(milliseconds)}`],
        ["made by", makers(report)],
        ["stopped", stopped],
      ],
      look,
    ),
    ...warnings,
  ].join("\n");
}

function markOf({ stopped, warnings }: CompactedReport, look: Look): string {
  if (stopped === "cancelled") return look.style("yellow", "■");
  return warnings.length > 0 ? look.style("yellow", "⚠") : look.style("green", "✓");
}

function makers({ passes, calls, cost }: CompactedReport): string {
  const numbers = new Map<string, number>();
  for (const { model, quality } of passes) {
    const name = model ?? (quality === "fallback" ? "truncation" : "the offline summariser");
    numbers.set(name, (numbers.get(name) ?? 0) + 1);
  }
  const names = [...numbers].map(([name, number]) => `${name} (${count(number)})`).join(", ");
  if (calls === 0) return names;
  const price = cost === null ? "cost not reported by the provider" : dollars(cost);
  return `${names}; ${counted(calls, "call")}, ${price}`;
}

export function renderPlan(report: CompactedReport, look: Look, command: string): string {
  const { passes, tokensBefore } = report;
  if (passes.length === 0) return `Nothing would be compacted. ${report.explanation ?? ""}`.trimEnd();
  const columns = [
    { title: "pass", align: "right" },
    { title: "kind" },
    { title: "depth", align: "right" },
    { title: "from" },
    { title: "tokens", align: "right" },
  ] as const;
  const rows = passes.map((pass, index) => [
    String(index + 1),
    pass.kind,
    String(pass.depth),
    sourcesOf(pass),
    count(pass.sourceTokens),
  ]);
  const tokens = passes.reduce((sum, pass) => sum + pass.sourceTokens, 0);
  return [
    table(columns, rows, look),
    "",
    look.wrap(
      `${counted(passes.length, "pass", "passes")} over ${count(tokens)} of the ${count(tokensBefore)} tokens in the context; condensing is planned after that.`,
    ),
    `Nothing was changed. Apply with: ${command}`,
  ].join("\n");
}
