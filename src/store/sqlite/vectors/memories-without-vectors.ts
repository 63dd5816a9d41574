import type { MemoryScopes } from "../../rules/memory-scopes.ts";
import { statement } from "../../statement.ts";
import {
  type MemoriesText,
  type MemoryRow,
  memoriesText,
  selectMemories,
} from "../../tables/select-memories.ts";
import type { Database } from "../database.ts";
import { portOf } from "../sqlite-port.ts";
import { memoriesOf } from "./memory-vectors.ts";
import { findModel } from "./vectors.ts";

const WITHOUT_VECTORS = statement(
  (d) =>
    `${selectMemories(
      d,
      `(SELECT m.memory_id FROM memories m WHERE ${d.inScopes("m", "$2")} AND m.erased_at IS NULL AND NOT EXISTS
       (SELECT 1 FROM vectors v WHERE v.owner_id = m.memory_id AND v.model_id = $3)
     ORDER BY m.created_at, m.memory_id LIMIT $4) page CROSS JOIN memories m ON m.memory_id = page.memory_id`,
    )} ORDER BY m.created_at, m.memory_id`,
);

export async function readMemoriesWithoutVectors(
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
