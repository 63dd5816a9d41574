/** What a first look at the pasted night file prints: shape, boots, and every stamp that does not rise by ten. */
import { resultOf } from "./minima-reports.ts";
import { table } from "./table.ts";

interface Line {
  readonly number: number;
  readonly boot: string;
  readonly seq: number;
  readonly utc: string;
  readonly volts: string;
}

function lines(): Line[] {
  return resultOf("2026-03-07")
    .csv.trimEnd()
    .split("\n")
    .slice(1)
    .map((text, i) => {
      const [boot = "", seq = "", utc = "", , , volts = ""] = text.split(",");
      return { number: i + 2, boot, seq: Number(seq), utc, volts };
    });
}

export function csvPeek(): string {
  const rows = lines();
  const boots = [...Map.groupBy(rows, (row) => row.boot)].map(([boot, group]) => [
    boot,
    String(group.length),
    String(group[0]?.seq ?? ""),
    String(group.at(-1)?.seq ?? ""),
    group[0]?.utc ?? "",
    group.at(-1)?.utc ?? "",
    group.at(-1)?.volts ?? "",
  ]);
  return [
    `rows ${rows.length}   distinct seq ${new Set(rows.map((row) => row.seq)).size}   distinct utc ${new Set(rows.map((row) => row.utc)).size}   fix: all 3`,
    "",
    table(["boot", "rows", "first_seq", "last_seq", "first_utc", "last_utc", "last_volts"], boots),
    "",
    "steps that are not +10 s:",
    table(["line", "boot", "from", "to", "step_s"], irregularSteps(rows)),
  ].join("\n");
}

function irregularSteps(rows: readonly Line[]): string[][] {
  return rows.flatMap((row, i) => {
    const before = rows[i - 1];
    if (!before) return [];
    const step = (Date.parse(row.utc) - Date.parse(before.utc)) / 1000;
    if (step === 10) return [];
    const boot = before.boot === row.boot ? row.boot : `${before.boot}->${row.boot}`;
    return [
      [
        String(row.number),
        boot,
        before.utc.slice(11),
        row.utc.slice(11),
        step < 0 ? String(step) : `+${step}`,
      ],
    ];
  });
}

/** The lines around the first step back, as the box wrote them. */
export function linesAroundStep(): string {
  const text = resultOf("2026-03-07").csv.split("\n");
  const step = irregularSteps(lines()).find((row) => Number(row[4]) < 0);
  const at = Number(step?.[0]);
  return text
    .slice(at - 5, at + 3)
    .map((line, i) => `${at - 4 + i}\t${line}`)
    .join("\n");
}
