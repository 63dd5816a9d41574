/** Parses a `postgres://` URL once: how to connect, in which schema, and its location without the password. */
import pg from "pg";
import { messageOf, PalimpsestError } from "../../errors.ts";

export interface PostgresTarget {
  readonly config: pg.ClientConfig;
  readonly schema: string;
  /** The URL without the password, for messages and reports. */
  readonly location: string;
}

const DEFAULT_SCHEMA = "palimpsest";
const IDENTIFIER = /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/;
/** A connection that does not answer within this time counts as unreachable. */
const CONNECT_TIMEOUT_MS = 30_000;
/** How long a write waits for another process's write to the same conversation. */
const LOCK_TIMEOUT_MS = 60_000;
/** A process that stops during a write (a laptop lid, a debugger) must not block the others permanently. */
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;

export function readPostgresUrl(url: string): PostgresTarget {
  if (!/^postgres(ql)?:\/\//.test(url)) throw invalid("the database URL must start with postgres://");
  const [address = "", query = ""] = splitAt(url, "?");
  const parameters = new URLSearchParams(query);
  const schema = takeSchema(parameters);
  const options = take(parameters, "options");
  const connectionString = parameters.size === 0 ? address : `${address}?${parameters}`;
  return {
    config: { connectionString, ...connectionSettings(schema, options) },
    schema,
    location: describe(connectionString, schema),
  };
}

/** Sent when connecting, so that no statement ever runs under other settings. */
function connectionSettings(schema: string, options: string | null): pg.ClientConfig {
  const settings = {
    search_path: schema,
    synchronous_commit: "on",
    timezone: "UTC",
    datestyle: "ISO",
    bytea_output: "hex",
    jit: "off",
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
  };
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  return {
    options: [...(options === null ? [] : [options]), ...ours].join(" "),
    fallback_application_name: "palimpsest",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
  };
}

function takeSchema(parameters: URLSearchParams): string {
  const schema = take(parameters, "schema") ?? DEFAULT_SCHEMA;
  if (IDENTIFIER.test(schema)) return schema;
  throw invalid("the schema in the database URL is not a plain lower-case name");
}

function take(parameters: URLSearchParams, name: string): string | null {
  const value = parameters.get(name);
  parameters.delete(name);
  return value;
}

/** The driver parses the URL, so that the shown location is the one in use. */
function describe(connectionString: string, schema: string): string {
  const { user = "", host, port, database = "" } = parse(connectionString);
  const where = host.startsWith("/") ? encodeURIComponent(host) : host;
  const suffix = schema === DEFAULT_SCHEMA ? "" : `?schema=${schema}`;
  return `postgres://${encodeURIComponent(user)}@${where}:${port}/${encodeURIComponent(database)}${suffix}`;
}

function parse(connectionString: string): pg.Client {
  try {
    return new pg.Client({ connectionString });
  } catch (error) {
    // No cause: the parser's own error repeats the whole URL. Its message is kept only if it names a file.
    const detail = error instanceof Error && "path" in error ? `: ${messageOf(error)}` : "";
    throw invalid(`invalid database URL${detail}`);
  }
}

function splitAt(text: string, separator: string): [string, string] {
  const position = text.indexOf(separator);
  return position < 0 ? [text, ""] : [text.slice(0, position), text.slice(position + 1)];
}

function invalid(message: string): PalimpsestError {
  return new PalimpsestError("config-invalid", message, {
    advice:
      "Write it as postgres://user:password@host:5432/database?schema=palimpsest (special characters %-encoded).",
  });
}
