/** One route for each operation that is served: its address, right, methods and schemas follow from its definition. */
import { z } from "zod";
import type { Engine } from "../engine.ts";
import { fileBytes } from "../operations/files/files-cat.ts";
import { OPERATIONS } from "../operations/index.ts";
import { exportPieces } from "../operations/memory/memory-export.ts";
import { type AnyOperation, COMMAND_WORDS, type CommandWords } from "../operations/registry.ts";
import { exportLines } from "../operations/store/export.ts";
import { transcriptBytes } from "../operations/transcript.ts";
import { ACCESS, type Right, WITHHELD_FIELDS } from "./access.ts";
import { commitTurn } from "./commit-turn.ts";

export const API_ROOT = "/api/v1/";

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly description?: string;
}

export interface Route {
  /** As on the command line: `files list`. */
  readonly words: string;
  /** `/api/v1/files/list` */
  readonly path: string;
  readonly operation: AnyOperation;
  readonly right: Right;
  /** A reading operation also answers GET, with its input in the query. */
  readonly reads: boolean;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  /** A field of the input that continues a list at `next` from the previous page; null when results have no pages. */
  readonly pageField: "cursor" | "from" | null;
  /** Bytes or lines instead of one JSON document. */
  readonly stream: OpenStream | null;
  /** Fields that callers may not give. */
  readonly withheld: readonly string[];
}

/** Streamed responses: bytes of files, and exports. */
interface OpenStream {
  readonly type: "application/octet-stream" | "application/x-ndjson";
  /** Whether there is no JSON alternative. */
  readonly isOnly: boolean;
  open(engine: Engine, input: object): AsyncIterable<string | Uint8Array>;
}

/** Input validated by the operation's own schema, which the types of the registry do not show. */
type Validated<Function extends (engine: Engine, input: never, ...rest: never[]) => unknown> =
  Parameters<Function>[1];

const STREAMS: Readonly<Record<string, OpenStream>> = {
  "files cat": {
    type: "application/octet-stream",
    isOnly: false,
    open: (engine, input) => fileBytes(engine, input as Validated<typeof fileBytes>),
  },
  transcript: {
    type: "application/octet-stream",
    isOnly: false,
    open: (engine, input) => transcriptBytes(engine, input as Validated<typeof transcriptBytes>),
  },
  "memory export": {
    type: "application/x-ndjson",
    isOnly: true,
    open: (engine, input) => exportPieces(engine, input, { memories: 0 }, {}),
  },
  export: {
    type: "application/x-ndjson",
    isOnly: true,
    open: (engine) => exportLines(engine),
  },
};

/** Reads that count uses of memories. */
const COUNTING_READS: ReadonlySet<string> = new Set(["memory recall"]);

/** Operations that change nothing although they need more than `read`. */
const OTHER_READS: ReadonlySet<string> = new Set(["status", "config show", "doctor", "export"]);

function toRoute(words: string, operation: AnyOperation, right: Right): Route {
  const withheld = WITHHELD_FIELDS[words as CommandWords] ?? [];
  const input = without(schemaOf(operation.input, "input"), withheld);
  const output = schemaOf(operation.output, "output");
  return {
    ...{ words, operation, right, input, output, withheld },
    path: `${API_ROOT}${words.replaceAll(" ", "/")}`,
    reads: (right === "read" && !COUNTING_READS.has(words)) || OTHER_READS.has(words),
    pageField: output.properties?.next === undefined ? null : pageFieldOf(input),
    stream: STREAMS[words] ?? null,
  };
}

function pageFieldOf({ properties = {} }: JsonSchema): Route["pageField"] {
  if ("cursor" in properties) return "cursor";
  return "from" in properties ? "from" : null;
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest as JsonSchema;
}

function without(schema: JsonSchema, fields: readonly string[]): JsonSchema {
  const kept = Object.entries(schema.properties ?? {}).filter(([name]) => !fields.includes(name));
  return { ...schema, properties: Object.fromEntries(kept) };
}

function allRoutes(): readonly Route[] {
  const served = COMMAND_WORDS.flatMap((words, index) => {
    const [operation, right] = [OPERATIONS[index], ACCESS[words]];
    return operation === undefined || right === null ? [] : [toRoute(words, operation, right)];
  });
  return [...served, toRoute("turns commit", commitTurn, "write")];
}

export const ROUTES: readonly Route[] = allRoutes();

const BY_PATH = new Map(ROUTES.map((route) => [route.path, route]));

export function routeAt(path: string): Route | undefined {
  return BY_PATH.get(path);
}

const RIGHT_BY_NAME = new Map(ROUTES.map(({ operation, right }) => [operation.name, right]));

/** Undefined for an operation that is not served. */
export function rightOf({ name }: Pick<AnyOperation, "name">): Right | undefined {
  return RIGHT_BY_NAME.get(name);
}
