/**
 * Ids of calls and names of tools that a provider accepts. A valid id is kept; any other one is replaced by its digest,
 * so that equal ids stay equal between requests. An id already used in the request gets a number.
 */
import { sha256 } from "../../../text/bytes.ts";

/** Gives each call its id in one request. Ask once for each call, in order. */
export type NameCall = (id: string | null, tool: string | null) => string;

export function callNames(longest: number): NameCall {
  const used = new Set<string>();
  const times = new Map<string, number>();
  return (id, tool) => {
    const base = fittingId(id ?? `call_${toolName(tool, longest)}`, longest);
    const name = unused(base, used, times, longest);
    used.add(name);
    return name;
  };
}

function fittingId(id: string, longest: number): string {
  return id.length <= longest && /^[a-zA-Z0-9_-]+$/.test(id) ? id : `call_${sha256(id).slice(0, 24)}`;
}

function unused(
  base: string,
  used: ReadonlySet<string>,
  times: Map<string, number>,
  longest: number,
): string {
  if (!used.has(base)) return base;
  // Keeps the count, so that a host that uses one id for every call costs no more than others.
  let count = times.get(base) ?? 1;
  let name: string;
  do {
    count += 1;
    const suffix = `_${count}`;
    name = `${base.slice(0, longest - suffix.length)}${suffix}`;
  } while (used.has(name));
  times.set(base, count);
  return name;
}

export function toolName(name: string | null, longest: number): string {
  const fitting = (name ?? "").replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, longest);
  return fitting === "" ? "tool" : fitting;
}
