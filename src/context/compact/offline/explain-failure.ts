import { outputLines } from "./output-lines.ts";
import { hasFailed, type ToolEvent } from "./tool-event.ts";

/** `sqlite3.OperationalError: …` ends a traceback; `error: …` and `Parse error: …` begin an explanation. */
const RAISED = /^\s*[\w.]*(?:Error|Exception|Panic|Fault)\b.*:/;
const NAMED = /^\s*(?:\w+ )?(?:error(?:\[\w+\])?|fatal|panic)\b.*:/i;
const MENTIONED =
  /\b(?:error|exception|failed|failure|fatal|refused|denied|not found|no such|cannot|can't|timed out|invalid|unable|undefined)\b|错误|失败|エラー|失敗|오류|실패/i;

/**
 * The line that says why a call failed; empty when it says nothing, undefined when it did not fail. An exit code alone
 * is no failure: `grep` and `diff` end so when they have nothing or something to show.
 */
export function explainFailure(event: ToolEvent): string | undefined {
  if (!hasFailed(event)) return undefined;
  const lines = outputLines(event.output);
  const named = lines.findLast((line) => RAISED.test(line)) ?? lines.find((line) => NAMED.test(line));
  if (named !== undefined || event.status !== "error") return named?.trim();
  return (lines.find((line) => MENTIONED.test(line)) ?? lines.at(-1) ?? "").trim();
}
