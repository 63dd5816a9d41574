/** A memory for tables: plain, never used, created on 1 January 2026. */
import { type Memory, UNTOUCHED } from "../../memory-types.ts";

export const START = Date.parse("2026-01-01T00:00:00.000Z");

/** Days after the start, in milliseconds. */
export function dayMs(days: number): number {
  return START + days * 86_400_000;
}

export function dayIso(days: number): string {
  return new Date(dayMs(days)).toISOString();
}

export function aMemory(changes: Partial<Memory> = {}): Memory {
  return {
    id: "mem_0000000000000001",
    scope: "agent:main",
    category: "preferences",
    tier: "working",
    importance: 0.7,
    confidence: 0.7,
    temporalType: "static",
    speaker: null,
    factKey: null,
    tags: [],
    support: [],
    relations: [],
    sources: [],
    origin: "model",
    abstract: "Prefers tea to coffee.",
    overview: "",
    content: "",
    createdAt: dayIso(0),
    updatedAt: dayIso(0),
    validFrom: dayIso(0),
    validUntil: null,
    supersedes: [],
    ...UNTOUCHED,
    ...changes,
  };
}
