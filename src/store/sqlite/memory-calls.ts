/** The calls about memories that the store's threads answer. Every read sees only the scopes of its access. */
import { joinBytes } from "../../text/bytes.ts";
import type { MemorySegment } from "../memory-store.ts";
import type { Reader } from "../port.ts";
import { countMemories } from "../reads/count-memories.ts";
import { listChangedMemories, listMemories } from "../reads/list-memories.ts";
import { readMemoriesAround } from "../reads/memories-around.ts";
import { readMemoryIndex } from "../reads/memory-index.ts";
import {
  readMemoriesAt,
  readMemoriesFrom,
  readSimilarMemoryIds,
  readVersions,
} from "../reads/read-memories.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { statement } from "../statement.ts";
import { findMemoriesText } from "../tables/memories.ts";
import { readCapturedTo } from "../tables/memory-captures.ts";
import { readDecisions } from "../tables/memory-decisions.ts";
import { readMemoryEvents } from "../tables/memory-events.ts";
import { readMemorySegments } from "../tables/memory-segments.ts";
import {
  type MemoriesText,
  type MemoryRow,
  memoriesText,
  selectMemories,
} from "../tables/select-memories.ts";
import type { Database } from "./database.ts";
import { readMemoryFaults } from "./memory-faults.ts";
import { portOf } from "./sqlite-port.ts";
import { memoriesOf, readVectorCounts, readVectors } from "./vectors/memory-vectors.ts";
import { readNearest } from "./vectors/nearest-memories.ts";
import { readCosines } from "./vectors/vector-cosines.ts";
import { findModel } from "./vectors/vectors.ts";

type Read<Values extends readonly unknown[], Result> = (
  database: Database,
  access: MemoryScopes,
  ...values: Values
) => Promise<Result>;

/** A read that is the same on both engines. */
function shared<Values extends readonly unknown[], Result>(
  read: (reader: Reader, access: MemoryScopes, ...values: Values) => Promise<Result>,
): Read<Values, Result> {
  return (database, access, ...values) => read(portOf(database), access, ...values);
}

/** For reads in several steps, between which another process may write. */
function inOneState<Values extends readonly unknown[], Result>(
  read: Read<Values, Result>,
): Read<Values, Result> {
  return async (database, access, ...values) => {
    database.exec("BEGIN");
    try {
      return await read(database, access, ...values);
    } finally {
      database.rollback();
    }
  };
}

/** Many rows are returned as one text: encoding and parsing it takes half the time of copying objects. */
function asText<Values extends readonly unknown[]>(read: Read<Values, unknown>): Read<Values, string> {
  return async (database, access, ...values) => JSON.stringify(await read(database, access, ...values));
}

/** Contents one after the other, ready to be transferred. */
export interface PackedSegments {
  readonly rows: readonly (Omit<MemorySegment, "content"> & { readonly length: number })[];
  readonly contents: Uint8Array<ArrayBuffer>;
}

async function packSegments(
  database: Database,
  access: MemoryScopes,
  ids: readonly number[],
): Promise<PackedSegments> {
  const segments = await readMemorySegments(portOf(database), access, ids);
  return {
    rows: segments.map(({ content, ...row }) => ({ ...row, length: content.length })),
    contents: joinBytes(segments.map(({ content }) => content)),
  };
}

export function unpackSegments({ rows, contents }: PackedSegments): MemorySegment[] {
  let offset = 0;
  return rows.map(({ length, ...row }) => {
    offset += length;
    return { ...row, content: contents.subarray(offset - length, offset) };
  });
}

export const MEMORY_READS = {
  memoriesById: shared(findMemoriesText),
  memoriesAt: shared(readMemoriesAt),
  memories: shared(listMemories),
  changedMemories: shared(listChangedMemories),
  memoriesFrom: shared(readMemoriesFrom),
  memoryVersions: shared(readVersions),
  memoriesAround: asText(shared(readMemoriesAround)),
  similarMemoryIds: shared(readSimilarMemoryIds),
  memoryEvents: shared(readMemoryEvents),
  memoryCounts: shared(countMemories),
  decisions: asText(shared(readDecisions)),
  capturedTo: shared(readCapturedTo),
  nearestMemories: readNearest,
  memoryVectors: readVectors,
  memoryCosines: readCosines,
  memoriesWithoutVectors: readMemoriesWithoutVectors,
  vectorCounts: readVectorCounts,
  memoryFaults: inOneState(readMemoryFaults),
  memoryIndex: shared(readMemoryIndex),
  memorySegments: packSegments,
};

const WITHOUT_VECTORS = statement(
  (d) =>
    `${selectMemories(
      d,
      `(SELECT m.memory_id FROM memories m WHERE ${d.inScopes("m", "$2")} AND m.erased_at IS NULL AND NOT EXISTS
       (SELECT 1 FROM vectors v WHERE v.owner_id = m.memory_id AND v.model_id = $3)
     ORDER BY m.created_at, m.memory_id LIMIT $4) page CROSS JOIN memories m ON m.memory_id = page.memory_id`,
    )} ORDER BY m.created_at, m.memory_id`,
);

async function readMemoriesWithoutVectors(
  database: Database,
  access: MemoryScopes,
  model: string,
  limit: number,
): Promise<MemoriesText> {
  const modelId = findModel(database, memoriesOf(access), model)?.model_id ?? 0;
  const { tenant, scopes } = access;
  const rows = await portOf(database).rows<MemoryRow>(WITHOUT_VECTORS, tenant, scopes, modelId, limit);
  return memoriesText(rows);
}
