/** Long-term memory on PostgreSQL: the memories of a tenant that one holder may see. */
import type { MemoryAccess, MemoryFault, MemoryRef, MemoryStore, MemoryWrite } from "../../memory-store.ts";
import { countMemories } from "../../reads/count-memories.ts";
import { listChangedMemories, listMemories } from "../../reads/list-memories.ts";
import { readMemoriesAround } from "../../reads/memories-around.ts";
import { readRowFaults } from "../../reads/memory-faults.ts";
import { readMemoryIndex } from "../../reads/memory-index.ts";
import {
  readMemoriesAt,
  readMemoriesFrom,
  readSimilarMemoryIds,
  readVersions,
} from "../../reads/read-memories.ts";
import { type MemoryScopes, memoryScopes } from "../../rules/memory-scopes.ts";
import { findMemoriesText } from "../../tables/memories.ts";
import { readCapturedTo } from "../../tables/memory-captures.ts";
import { readDecisions } from "../../tables/memory-decisions.ts";
import { readMemoryEvents } from "../../tables/memory-events.ts";
import { readMemorySegments } from "../../tables/memory-segments.ts";
import { commitMemories } from "../../writes/commit-memories.ts";
import type { Connections } from "../connections.ts";
import { POSTGRES } from "../dialect.ts";
import type { OneAtATime } from "../one-at-a-time.ts";
import type { Session } from "../session.ts";
import { nearestOf } from "../vectors/measure-candidates.ts";
import { type NearMemories, nearestMemories } from "./nearest.ts";
import { countVectors, readVectors, readWithoutVectors } from "./read-vectors.ts";

export function memoryStore(
  access: MemoryAccess,
  connections: Connections,
  queue: OneAtATime,
  near: NearMemories,
): MemoryStore {
  const scopes = memoryScopes(access);
  const inScopes =
    <Values extends readonly unknown[], Result>(
      read: (session: Session, scopes: MemoryScopes, ...values: Values) => Promise<Result>,
    ) =>
    (...values: Values) =>
      connections.read((session) => read(session, scopes, ...values));
  /** A read with a JSON answer. */
  const json = <Values extends readonly unknown[]>(
    read: (session: Session, scopes: MemoryScopes, ...values: Values) => Promise<string>,
  ) => {
    const text = inScopes(read);
    return async (...values: Values) => JSON.parse(await text(...values));
  };
  const memoriesById: MemoryStore["memoriesById"] = json(findMemoriesText);
  const memoryVectors = inScopes(readVectors);
  const segments = inScopes(readMemorySegments);
  return {
    access,
    commit: async (writes) => {
      if (writes.length === 0) return [];
      const commit = () => connections.write((transaction) => commitMemories(transaction, scopes, writes));
      const scope = firstScope(writes);
      return scope === undefined
        ? commit()
        : queue.run(JSON.stringify(["memories", access.tenant, scope]), commit);
    },
    memory: async (id) => (await memoriesById([id]))[0],
    memoriesById,
    memoriesAt: json(readMemoriesAt),
    memories: json(listMemories),
    changedMemories: inScopes(listChangedMemories),
    memoriesFrom: json(readMemoriesFrom),
    memoriesAround: inScopes(readMemoriesAround),
    memoryVersions: json(readVersions),
    similarMemoryIds: inScopes(readSimilarMemoryIds),
    memoryEvents: inScopes(readMemoryEvents),
    memoryCounts: inScopes(countMemories),
    decisions: inScopes(readDecisions),
    capturedTo: inScopes(readCapturedTo),
    nearestMemories: (query) => nearestMemories(connections, near, scopes, query),
    memoryVectors,
    memoryCosines: async (model, vector, refs) =>
      (await memoryVectors(model, refs)).map((passages) => nearestOf(passages, vector)),
    memoriesWithoutVectors: json(readWithoutVectors),
    vectorCounts: inScopes(countVectors),
    memoryFaults: inScopes(readMemoryFaults),
    memoryIndex: inScopes(readMemoryIndex),
    memorySegments: async (ids) =>
      (await segments(ids)).map((segment) => ({ ...segment, content: new Uint8Array(segment.content) })),
  };
}

/** Commits of one process to one scope queue here, so that they do not occupy every connection while waiting in the database. */
function firstScope(writes: readonly MemoryWrite[]): string | undefined {
  for (const write of writes) {
    if (write.kind === "remember") return write.memory.scope;
    if (write.kind === "vectors") return write.ref.scope;
    if (write.kind === "drop-vectors" || write.kind === "prune-vectors") return write.refs[0]?.scope;
    if (write.kind === "memory-index" && write.segment !== null) return write.segment.scope;
  }
  return undefined;
}

/** Rows in the tables of memories that belong to no memory, and sign bits that differ from their vectors. */
async function readMemoryFaults(session: Session, access: MemoryScopes): Promise<MemoryFault[]> {
  return [...(await readRowFaults(session, access)), ...(await readVectorFaults(session, access))];
}

/** The sign bits of the vector: a bit is set if the component is above zero. Bytes are little-endian. */
const SIGNS = `(SELECT string_agg(CASE WHEN get_byte(p.vector, place + 3) < 128
      AND substring(p.vector FROM place + 1 FOR 4) <> '\\x00000000'::bytea THEN '1' ELSE '0' END, '' ORDER BY place)::varbit
    FROM generate_series(0, octet_length(p.vector) - 4, 4) AS place)`;

const SELECT_FAULTS = `
  SELECT p.scope, p.number, p.model, min(fault.name) AS fault FROM (
    SELECT scope, number, model, passage, v.vector, b.bits, b.is_active
    FROM (SELECT * FROM memory_vectors WHERE tenant = $1) v
    FULL JOIN (SELECT * FROM memory_vector_bits WHERE tenant = $1) b USING (scope, number, model, passage)) p
  LEFT JOIN memories m ON ${POSTGRES.sameMemory("m", "p")}
  LEFT JOIN vector_models o ON o.tenant = $1 AND o.model = p.model
  CROSS JOIN LATERAL (SELECT CASE
    WHEN m.number IS NULL OR m.erased_at IS NOT NULL THEN 'stray'
    WHEN octet_length(p.vector) IS DISTINCT FROM 4 * o.dimensions THEN 'length'
    WHEN p.bits IS NULL OR p.is_active <> (m.invalidated_at IS NULL AND m.archived_at IS NULL) THEN 'signs'
    WHEN p.bits <> ${SIGNS} THEN 'signs' END AS name) fault
  WHERE ${POSTGRES.among("p.scope", "$2")} AND fault.name IS NOT NULL
  GROUP BY p.scope, p.number, p.model ORDER BY p.model, p.scope, p.number`;

type FaultRow = MemoryRef & { model: string; fault: Extract<MemoryFault, { kind: "vectors" }>["fault"] };

async function readVectorFaults(session: Session, access: MemoryScopes): Promise<MemoryFault[]> {
  const rows = await session.rows<FaultRow>(SELECT_FAULTS, access.tenant, access.scopes);
  return rows.map(({ scope, number, model, fault }) => ({
    kind: "vectors",
    model,
    ref: { scope, number },
    fault,
  }));
}
