/**
 * Makes the versions of imported memories consistent, as the store requires: links between versions agree on both
 * sides, stay in one scope and have no cycles, and a fact key has at most one current memory in a
 * scope, the latest. Words never change, and links to other memories are left to the importer.
 *
 * Replaced versions come before their successors, so that they can be written in this order.
 */
import { stateOf } from "../../memory-types.ts";
import { factOf } from "../../store/rules/fact-order.ts";
import type { ImportedMemory } from "./imported-memory.ts";
import { inFactOrder, replace, settleLinks, type Version, type Versions } from "./settle-links.ts";

interface SettledVersions {
  readonly memories: readonly ImportedMemory[];
  /** Corrections, for people to read. */
  readonly changes: readonly string[];
}

/** `now`: the time of a replacement whose time is unknown. */
export function settleVersions(given: readonly ImportedMemory[], now: string): SettledVersions {
  const versions: Versions = new Map(given.map((memory) => [memory.id, { ...memory }]));
  const changes = [...settleLinks(versions, now), ...settleFactKeys(versions, now)];
  return { memories: inOrder(versions, now), changes };
}

function settleFactKeys(versions: Versions, now: string): string[] {
  const keyed = [...versions.values()].filter(
    (version) => version.factKey !== null && stateOf(version) === "active",
  );
  const groups = Map.groupBy(keyed, factOf);
  return [...groups.values()].flatMap((group) => {
    const ordered = inFactOrder(group, now);
    return ordered.slice(0, -1).map((older, index) => {
      const newer = ordered[index + 1] ?? older;
      replace(older, { by: newer.id, newer, now });
      newer.supersedes = [...newer.supersedes, older.id];
      return `${older.id} has the same subject as ${newer.id}, which is later and stays active`;
    });
  });
}

/** Oldest first, but after what it replaced. Not recursive, since chains may be long. */
function inOrder(versions: Versions, now: string): ImportedMemory[] {
  const ordered = new Set<Version>();
  for (const first of inFactOrder(versions.values(), now)) {
    const waiting = [first];
    for (let version = waiting.at(-1); version !== undefined; version = waiting.at(-1)) {
      const before = version.supersedes
        .flatMap((id) => versions.get(id) ?? [])
        .filter((older) => !ordered.has(older));
      if (before.length === 0) ordered.add(waiting.pop() ?? version);
      else for (const older of before) waiting.push(older);
    }
  }
  return [...ordered];
}
