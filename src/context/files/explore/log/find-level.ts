export const LEVELS = ["fatal", "error", "warning", "info", "debug"] as const;
export type Level = (typeof LEVELS)[number];

const NAMES: Readonly<Record<string, Level>> = {
  ...{ fatal: "fatal", panic: "fatal", critical: "fatal", crit: "fatal", emerg: "fatal", alert: "fatal" },
  ...{ error: "error", err: "error", severe: "error" },
  ...{ warn: "warning", warning: "warning" },
  ...{ info: "info", notice: "info", information: "info" },
  ...{ debug: "debug", trace: "debug", verbose: "debug", fine: "debug" },
};
const UPPER =
  /\b(FATAL|PANIC|CRITICAL|CRIT|EMERG|ALERT|ERROR|ERR|SEVERE|WARN|WARNING|INFO|NOTICE|DEBUG|TRACE|VERBOSE|FINE)\b/;
const MARKED = /(?:\[|\blevel["']?[=:]\s?["']?|\blvl=|<)(\w+)[\]>"'\s,]?/i;
const LOOKED_AT = 160;

/** The level of a line: a word in capitals, or any word at the position of a level. */
export function findLevel(line: string): Level | null {
  const start = line.slice(0, LOOKED_AT);
  const name = UPPER.exec(start)?.[1] ?? MARKED.exec(start)?.[1];
  return NAMES[name?.toLowerCase() ?? ""] ?? null;
}
