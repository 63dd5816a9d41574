/** Hooks in the format of Claude Code, which other hosts adopted: groups of commands by event. */
import { PalimpsestError } from "../../errors.ts";
import { isObject, type JsonObject, setAt, valueAt } from "./json-values.ts";

export interface CommandHook {
  readonly event: string;
  readonly timeout: number;
  readonly matcher?: string;
}

/** Matches the program and its host argument, in any folder, since the package may have moved. */
const OURS =
  /bin[/\\]+hook\.mjs["']?\s+(?:claude-code|codex|gemini|copilot|opencode)(?:\s+["']?LCM_[A-Z]+=.*)?\s*$/;

function isOurs(hook: unknown): boolean {
  return isObject(hook) && Object.values(hook).some((value) => typeof value === "string" && OURS.test(value));
}

/** Existing hooks of ours are replaced in place, since a host may identify hooks by position. */
export function addHooks(root: JsonObject, hooks: readonly CommandHook[], command: string): void {
  const before = structuredClone(root);
  removeHooks(root);
  for (const { event, timeout, matcher } of hooks) {
    const others = valueAt(root, ["hooks", event]) ?? [];
    if (!Array.isArray(others))
      throw new PalimpsestError("invalid-input", `the hooks of ${event} are not a list`, {
        advice: "Correct the file, and run the command again.",
      });
    const known = valueAt(before, ["hooks", event]);
    const groups = Array.isArray(known) ? known : [];
    const place = groups.findIndex((group) => hooksOf(group).some(isOurs));
    const at = place < 0 ? others.length : groups.slice(0, place).flatMap(withoutOurs).length;
    const hook = { type: "command", command, timeout };
    const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [hook] };
    setAt(root, ["hooks", event], others.toSpliced(at, 0, group));
  }
}

export function removeHooks(root: JsonObject): void {
  const events = root.hooks;
  if (!isObject(events)) return;
  for (const [event, groups] of Object.entries(events)) {
    if (!Array.isArray(groups)) continue;
    if (!groups.some((group) => hooksOf(group).some(isOurs))) continue;
    const others = groups.flatMap(withoutOurs);
    if (others.length === 0) delete events[event];
    else events[event] = others;
  }
  if (Object.keys(events).length === 0) delete root.hooks;
}

/** A group may also contain hooks that a user added. */
function withoutOurs(group: unknown): readonly unknown[] {
  const hooks = hooksOf(group);
  const others = hooks.filter((hook) => !isOurs(hook));
  if (others.length === hooks.length) return [group];
  return others.length === 0 ? [] : [{ ...Object(group), hooks: others }];
}

function hooksOf(group: unknown): readonly unknown[] {
  const hooks = isObject(group) ? group.hooks : [];
  return Array.isArray(hooks) ? hooks : [];
}

export interface HookPlace {
  readonly event: string;
  readonly group: number;
  readonly hook: number;
}

/** The positions of our commands among the hooks of a file. */
export function placesOfOurs(root: JsonObject): readonly HookPlace[] {
  const events = isObject(root.hooks) ? Object.entries(root.hooks) : [];
  return events.flatMap(([event, groups]) => {
    const lists = Array.isArray(groups) ? groups.map(hooksOf) : [];
    return lists.flatMap((hooks, group) =>
      hooks.flatMap((one, hook) => (isOurs(one) ? [{ event, group, hook }] : [])),
    );
  });
}
