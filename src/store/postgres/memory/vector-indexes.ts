/**
 * Which models have an index of pgvector, and building one where it pays. Nothing depends on it: without the extension,
 * without the right to use it, or while an index is still being built, signs are compared instead.
 */
import { createHash } from "node:crypto";
import { Socket } from "node:net";
import pg from "pg";
import type { Connections } from "../connections.ts";
import { Session } from "../session.ts";

export interface VectorIndex {
  readonly model: string;
  readonly dimensions: number;
  /** Of the extension, quoted. */
  readonly schema: string;
  /** pgvector goes on behind what the filters took away. */
  readonly scansOn: boolean;
}

/** Below this, comparing signs takes milliseconds and an index would only have to be kept. */
const WORTH_AN_INDEX = 20_000;
/** pgvector indexes nothing longer. */
const MOST_DIMENSIONS = 2_000;
const LOOK_AGAIN_MS = 300_000;
/** "PLMV" in ASCII: the advisory lock of whoever builds an index. */
const BUILD_LOCK = 0x504c4d56;

type State = { readonly index: VectorIndex | undefined; readonly until: number };

export class VectorIndexes {
  readonly #connections: Connections;
  readonly #known = new Map<string, Promise<State>>();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** The index of a model, if there is one. What is not there is looked for again every few minutes. */
  async find(model: string, dimensions: number): Promise<VectorIndex | undefined> {
    if (dimensions > MOST_DIMENSIONS) return undefined;
    const name = nameOf(model, dimensions);
    const known = await this.#known.get(name);
    if (known !== undefined && (known.index !== undefined || Date.now() < known.until)) return known.index;
    const looking = this.#look(model, dimensions);
    this.#known.set(
      name,
      looking.then((index) => ({ index, until: Date.now() + LOOK_AGAIN_MS })),
    );
    return looking;
  }

  /** Builds it where it pays, behind whoever asked. That may fail without harm: it is tried again later. */
  async #look(model: string, dimensions: number): Promise<VectorIndex | undefined> {
    const index = await this.#connections.read((session) => findIndex(session, model, dimensions));
    if (index !== undefined) return index;
    this.build(model, dimensions).catch(() => {});
    return undefined;
  }

  /** Builds the index unless another process does, or it does not pay. Answers with whether it is there then. */
  build(model: string, dimensions: number, worth = WORTH_AN_INDEX): Promise<boolean> {
    return this.#connections.alone(async (client) => {
      // Nobody waits for it, and so the process does not either.
      if (client.connection.stream instanceof Socket) client.connection.stream.unref();
      const isBuilt = await buildIndex(new Session(client), model, dimensions, worth);
      if (isBuilt) this.#known.delete(nameOf(model, dimensions));
      return isBuilt;
    });
  }
}

function nameOf(model: string, dimensions: number): string {
  const digest = createHash("sha256").update(model).digest("hex").slice(0, 16);
  return `memory_vectors_${digest}_${dimensions}_idx`;
}

type Extension = { schema: string; version: string };

async function findIndex(
  session: Session,
  model: string,
  dimensions: number,
): Promise<VectorIndex | undefined> {
  const found = await session.one<Extension>(
    `SELECT quote_ident(n.nspname) AS schema, e.extversion AS version
     FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
     JOIN pg_class c ON c.relnamespace = current_schema()::regnamespace AND c.relname = $1
     JOIN pg_index i ON i.indexrelid = c.oid AND i.indisvalid
     WHERE e.extname = 'vector' AND has_schema_privilege(n.oid, 'USAGE')`,
    nameOf(model, dimensions),
  );
  if (found === undefined) return undefined;
  const [major = 0, minor = 0] = found.version.split(".").map(Number);
  return { model, dimensions, schema: found.schema, scansOn: major > 0 || minor >= 8 };
}

async function buildIndex(
  session: Session,
  model: string,
  dimensions: number,
  worth: number,
): Promise<boolean> {
  const name = nameOf(model, dimensions);
  if (!(await isWorthIt(session, model, dimensions, worth))) return false;
  const lock = await session.one<{ held: boolean }>(
    "SELECT pg_try_advisory_lock($1, hashtext(current_schema() || $2)) AS held",
    BUILD_LOCK,
    name,
  );
  if (lock?.held !== true) return false;
  if ((await findIndex(session, model, dimensions)) !== undefined) return true;
  const schema = await requireExtension(session);
  if (schema === undefined) return false;
  // What is left of an attempt that was cut short.
  await session.script(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await session.script(
    `CREATE INDEX CONCURRENTLY ${name} ON memory_vectors
     USING hnsw ((memory_floats(vector)::${schema}.vector(${dimensions})) ${schema}.vector_cosine_ops)
     WHERE model = ${pg.escapeLiteral(model)} AND octet_length(vector) = ${4 * dimensions}`,
  );
  return true;
}

async function isWorthIt(
  session: Session,
  model: string,
  dimensions: number,
  worth: number,
): Promise<boolean> {
  const row = await session.one<{ vectors: number }>(
    `SELECT count(*) AS vectors FROM (SELECT FROM memory_vector_bits
       WHERE model = $1 AND length(bits) = $2 LIMIT $3) counted`,
    model,
    dimensions,
    worth,
  );
  return (row?.vectors ?? 0) >= worth;
}

/** The schema of the extension, which is installed where the server has it and lets this user do so. */
async function requireExtension(session: Session): Promise<string | undefined> {
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
