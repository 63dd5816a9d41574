/** Finds or builds an HNSW index of pgvector over the vectors of one model. */
import { createHash } from "node:crypto";
import pg from "pg";
import type { Session } from "../session.ts";

/** Vectors that can be compared with each other. */
export interface VectorSet {
  readonly owners: "memory" | "message";
  readonly model: string;
  readonly dimensions: number;
}

export interface VectorIndex extends VectorSet {
  /** Schema of the extension, quoted. */
  readonly schema: string;
  /** pgvector continues the scan after filters removed candidates. */
  readonly scansOn: boolean;
}

type Statements = Pick<Session, "rows" | "one" | "script">;

/** "PLMV" in ASCII: the advisory lock for building an index. */
const BUILD_LOCK = 0x504c4d56;

export function indexName({ owners, model, dimensions }: VectorSet): string {
  const digest = createHash("sha256").update(model).digest("hex").slice(0, 16);
  return `${owners}_vectors_${digest}_${dimensions}_idx`;
}

type Extension = { schema: string; version: string };

export async function findIndex(session: Statements, set: VectorSet): Promise<VectorIndex | undefined> {
  const found = await session.one<Extension>(
    `SELECT quote_ident(n.nspname) AS schema, e.extversion AS version
     FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
     JOIN pg_class c ON c.relnamespace = current_schema()::regnamespace AND c.relname = $1
     JOIN pg_index i ON i.indexrelid = c.oid AND i.indisvalid
     WHERE e.extname = 'vector' AND has_schema_privilege(n.oid, 'USAGE')`,
    indexName(set),
  );
  if (found === undefined) return undefined;
  const [major = 0, minor = 0] = found.version.split(".").map(Number);
  return { ...set, schema: found.schema, scansOn: major > 0 || minor >= 8 };
}

/** Builds the index unless another process does, or the server has no pgvector. Returns whether it exists then. */
export async function buildIndex(session: Statements, set: VectorSet): Promise<boolean> {
  const { owners, model, dimensions } = set;
  const name = indexName(set);
  const lock = await session.one<{ held: boolean }>(
    "SELECT pg_try_advisory_lock($1, hashtext(current_schema() || $2)) AS held",
    BUILD_LOCK,
    name,
  );
  if (lock?.held !== true) return false;
  if ((await findIndex(session, set)) !== undefined) return true;
  const schema = await requireExtension(session);
  if (schema === undefined) return false;
  // The rest of an interrupted build.
  await session.script(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await session.script(
    `CREATE INDEX CONCURRENTLY ${name} ON ${owners}_vectors
     USING hnsw ((vector_floats(vector)::${schema}.vector(${dimensions})) ${schema}.vector_cosine_ops)
     WHERE model = ${pg.escapeLiteral(model)} AND octet_length(vector) = ${4 * dimensions}`,
  );
  return true;
}

/** Whether there are this many vectors. */
export async function hasVectors(
  session: Statements,
  { owners, model, dimensions }: VectorSet,
  count: number,
): Promise<boolean> {
  const row = await session.one<{ vectors: number }>(
    `SELECT count(*)::integer AS vectors FROM (SELECT 1 FROM ${owners}_vector_bits
       WHERE model = $1 AND length(bits) = $2 LIMIT $3) counted`,
    model,
    dimensions,
    count,
  );
  return row?.vectors === count;
}

/** The schema of the extension, which is installed if the server has it and this user may do so. */
async function requireExtension(session: Statements): Promise<string | undefined> {
  const [available] = await session.rows("SELECT FROM pg_available_extensions WHERE name = 'vector'");
  if (available === undefined) return undefined;
  const find = () =>
    session.one<{ schema: string }>(
      `SELECT quote_ident(n.nspname) AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
       WHERE e.extname = 'vector'`,
    );
  const installed = await find();
  if (installed !== undefined) return installed.schema;
  await session.script("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public");
  return (await find())?.schema;
}
