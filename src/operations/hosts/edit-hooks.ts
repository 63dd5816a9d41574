/** Hooks in the format of Claude Code, which other hosts adopted: groups of commands by event. */
import { PalimpsestError } from "../../errors.ts";
import { isObject, type JsonObject, removeAt, setAt, valueAt } from "./json-values.ts";
import { isOurHook } from "./ours.ts";

export interface CommandHook {
  readonly event: string;
  readonly timeout: number;
  readonly matcher?: string;
}

/** Existing hooks of ours are replaced in place, since a host may identify hooks by position. */
export function addHooks(
  root: JsonObject,
  hooks: readonly CommandHook[],
  command: string,
  found: unknown,
): void {
  const before = structuredClone(root);
  removeHooks(root, found);
  for (const { event, timeout, matcher } of hooks) {
    const others = valueAt(root, ["hooks", event]) ?? [];
    if (!Array.isArray(others))
      throw new PalimpsestError("invalid-input", `the hooks of ${event} are not a list`, {
        advice: "Correct the file, and run the command again.",
      });
    const known = valueAt(before, ["hooks", event]);
    const groups = Array.isArray(known) ? known : [];
    const place = groups.findIndex((group) => hooksOf(group).some(isOurHook));
    const at = place < 0 ? others.length : groups.slice(0, place).flatMap(withoutOurs).length;
    const hook = { type: "command", command, timeout };
    const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [hook] };
    setAt(root, ["hooks", event], others.toSpliced(at, 0, group));
  }
}

/** Also removes what becomes empty, unless it exists in `found`. */
export function removeHooks(root: JsonObject, found: unknown): void {
  const events = root.hooks;
  if (!isObject(events)) return;
  for (const [event, groups] of Object.entries(events)) {
    if (!Array.isArray(groups)) continue;
    if (!groups.some((group) => hooksOf(group).some(isOurHook))) continue;
    const others = groups.flatMap(withoutOurs);
    const at = ["hooks", event];
    if (others.length === 0 && valueAt(found, at) === undefined) removeAt(root, at, found);
    else events[event] = others;
  }
}

/** A group may also contain hooks that a user added. */
function withoutOurs(group: unknown): readonly unknown[] {
  const hooks = hooksOf(group);
  const others = hooks.filter((hook) => !isOurHook(hook));
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
      hooks.flatMap((one, hook) => (isOurHook(one) ? [{ event, group, hook }] : [])),
    );
  });
}
