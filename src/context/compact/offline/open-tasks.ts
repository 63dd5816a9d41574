/** The agent's own task list from its planning tool: open tasks in its newest state, and tasks that were done. */
import { clip } from "../../../text/cut-text.ts";
import { commandOf, hasFailed, type ToolEvent } from "./tool-event.ts";

const LONGEST = 120;
const MOST = 12;
const DONE = /^(completed?|done)$/i;
/** Fields in which tools keep the text of a task. */
const NAMES = ["content", "step", "title", "description", "task"];

export function openTasks(events: readonly ToolEvent[]): string[] {
  const last = events.findLast((event) => taskList(event) !== undefined);
  const tasks = last === undefined ? [] : (taskList(last) ?? []);
  return tasks.flatMap(openTask).slice(0, MOST);
}

/** Commits and tasks that any state of the list marks as done, in that order. */
export function doneTasks(events: readonly ToolEvent[]): string[] {
  const done = events.flatMap((event) => {
    const tasks = (taskList(event) ?? []).filter((task) => hasStatus(task) && DONE.test(task.status));
    return [...tasks.map(wordingOf), commitIn(event)];
  });
  return [...new Set(done)].filter((task) => task !== "");
}

/** First line of the commit message, given as an option or in a here-document. */
const COMMIT =
  /\bgit commit\b[^\n]*?\s-[a-z]*m\s*(?:"\$\(cat <<-?\s*['"]?\w+['"]?\n\s*([^\n]+)|"((?:[^"\\\n]|\\.)+)|'([^'\n]+))/;

/** The subject of a commit; empty if the call did not commit. */
export function commitIn(event: ToolEvent): string {
  const match = hasFailed(event) ? null : COMMIT.exec(commandOf(event) ?? "");
  return tidy(match?.[1] ?? match?.[2] ?? match?.[3] ?? "");
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
  if (!hasStatus(value) || DONE.test(value.status) || /^cancell?ed$/i.test(value.status)) return [];
  const text = wordingOf(value);
  const state = /progress|active|running/i.test(value.status) ? " (in progress)" : "";
  return text === "" ? [] : [text + state];
}

function wordingOf(task: unknown): string {
  const text =
    typeof task !== "object" || task === null
      ? undefined
      : NAMES.map((name) => Reflect.get(task, name)).find((found) => typeof found === "string");
  return typeof text === "string" ? tidy(text) : "";
}

/** Semicolons separate the items of the line. */
function tidy(text: string): string {
  return clip(text.replace(/\s+/g, " ").replaceAll(";", ",").trim(), LONGEST);
}
