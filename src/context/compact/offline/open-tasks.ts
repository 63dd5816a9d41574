/** The agent's own list of tasks, as its planning tool keeps it: only the newest state counts. */
import { clip } from "../../../text/cut-text.ts";
import type { ToolEvent } from "./tool-event.ts";

const LONGEST = 120;
const MOST = 12;

export function openTasks(events: readonly ToolEvent[]): string[] {
  const last = events.findLast((event) => taskList(event) !== undefined);
  const tasks = last === undefined ? [] : (taskList(last) ?? []);
  return tasks.flatMap(openTask).slice(0, MOST);
}

export function isPlanning(event: ToolEvent): boolean {
  return taskList(event) !== undefined;
}

/** `todos` of Claude Code, `plan` of Codex, `items` and `tasks` of others: an array of objects with a status. */
function taskList(event: ToolEvent): readonly unknown[] | undefined {
  for (const [name, value] of event.arguments)
    if (/^(todos|plan|items|tasks)$/i.test(name) && Array.isArray(value) && value.some(hasStatus))
      return value;
  return undefined;
}

function hasStatus(value: unknown): value is { status: string } {
  return typeof value === "object" && value !== null && "status" in value && typeof value.status === "string";
}

function openTask(value: unknown): string[] {
  if (!hasStatus(value) || /^(completed?|done|cancell?ed)$/i.test(value.status)) return [];
  const text = [...["content", "step", "title", "description", "task"]]
    .map((name) => Reflect.get(value, name))
    .find((found) => typeof found === "string");
  if (typeof text !== "string" || text.trim() === "") return [];
  const state = /progress|active|running/i.test(value.status) ? " (in progress)" : "";
  return [`${clip(text.replace(/\s+/g, " ").trim(), LONGEST)}${state}`];
}
