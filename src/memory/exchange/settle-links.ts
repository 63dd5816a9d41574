/** Makes links between versions consistent: equal on both sides, within one scope, with one successor and without cycles. */
import { compareValues } from "../../store/rules/fact-order.ts";
import { type ImportedMemory, withTimes } from "./imported-memory.ts";

export type Version = { -readonly [Field in keyof ImportedMemory]: ImportedMemory[Field] };
/** By id. Corrected in place. */
export type Versions = ReadonlyMap<string, Version>;

/** Returns the corrections, for people to read. */
export function settleLinks(versions: Versions, now: string): string[] {
  return [...dropImpossibleLinks(versions), ...breakCircles(versions, now), ...linkBothSides(versions, now)];
}

function dropImpossibleLinks(versions: Versions): string[] {
  const changes: string[] = [];
  for (const version of versions.values()) {
    const isPossible = (other: string) =>
      other !== version.id && (versions.get(other)?.scope ?? version.scope) === version.scope;
    const links = [...version.supersedes, ...(version.supersededBy === null ? [] : [version.supersededBy])];
    for (const other of links.filter((link) => !isPossible(link)))
      changes.push(
        `the link of ${version.id} to ${other === version.id ? "itself" : `${other}, of another scope,`} was dropped`,
      );
    version.supersedes = version.supersedes.filter(isPossible);
    if (version.supersededBy !== null && !isPossible(version.supersededBy)) version.supersededBy = null;
  }
  return changes;
}

/** The successor of each version, from the links of either side. */
function successorsOf(versions: Versions, now: string): Map<string, string> {
  const successors = new Map<string, string>();
  for (const { id, supersedes } of inFactOrder(versions.values(), now))
    for (const older of supersedes) if (!successors.has(older)) successors.set(older, id);
  for (const { id, supersededBy } of versions.values())
    if (supersededBy !== null && (versions.has(supersededBy) || !successors.has(id)))
      successors.set(id, supersededBy);
  return successors;
}

/** The latest version of a cycle is current. Breaking one cycle may reveal another. */
function breakCircles(versions: Versions, now: string): string[] {
  const changes: string[] = [];
  for (let found = circlesOf(versions, now); found.length > 0; found = circlesOf(versions, now))
    changes.push(...found.map((circle) => openCircle(circle, versions, now)));
  return changes;
}

function circlesOf(versions: Versions, now: string): string[][] {
  const circles: string[][] = [];
  const successors = successorsOf(versions, now);
  const done = new Set<string>();
  for (const start of versions.keys()) {
    const path = new Set<string>();
    let id: string | undefined = start;
    while (id !== undefined && versions.has(id) && !done.has(id) && !path.has(id)) {
      path.add(id);
      id = successors.get(id);
    }
    if (id !== undefined && path.has(id)) circles.push([...path].slice([...path].indexOf(id)));
    for (const passed of path) done.add(passed);
  }
  return circles;
}

function openCircle(circle: readonly string[], versions: Versions, now: string): string {
  const members = inFactOrder(
    circle.flatMap((id) => versions.get(id) ?? []),
    now,
  );
  const latest = members.at(-1);
  if (latest === undefined) return "";
  latest.supersededBy = null;
  latest.invalidatedAt = null;
  for (const member of members) member.supersedes = member.supersedes.filter((id) => id !== latest.id);
  return `${members.length} versions replaced each other in a cycle: ${latest.id}, the latest, stays active`;
}

function linkBothSides(versions: Versions, now: string): string[] {
  const successors = successorsOf(versions, now);
  const changes = [...versions.values()].flatMap((version) => keepOwnLinks(version, successors));
  for (const [id, by] of successors) {
    const older = versions.get(id);
    const newer = versions.get(by);
    if (older !== undefined) replace(older, { by, newer, now });
    if (newer !== undefined && !newer.supersedes.includes(id)) newer.supersedes = [...newer.supersedes, id];
  }
  return changes;
}

/** A replaced version has one successor. */
function keepOwnLinks(version: Version, successors: ReadonlyMap<string, string>): string[] {
  const isOwn = (id: string) => successors.get(id) === version.id;
  const others = version.supersedes.filter((id) => !isOwn(id));
  version.supersedes = [...new Set(version.supersedes.filter(isOwn))];
  return others.map(
    (id) => `${id} was replaced by ${successors.get(id)} before ${version.id} stated the same fact`,
  );
}

interface Replacement {
  readonly by: string;
  readonly newer: Version | undefined;
  readonly now: string;
}

export function replace(older: Version, { by, newer, now }: Replacement): void {
  older.supersededBy = by;
  const since = newer?.validFrom ?? newer?.createdAt ?? older.updatedAt ?? older.createdAt ?? now;
  older.invalidatedAt ??= since > (older.validFrom ?? "") ? since : older.validFrom;
}

/** The last one would be current. */
export function inFactOrder(versions: Iterable<Version>, now: string): readonly Version[] {
  return [...versions]
    .map((version) => ({ version, value: withTimes(version, now) }))
    .toSorted((one, other) => compareValues(one.value, other.value, now))
    .map(({ version }) => version);
}
