/**
 * A long result of a tool is stored first and then shown to the model as a reference with its beginning and end. The
 * original is stored by Palimpsest, since the host writes only the stub to its transcript.
 */
import { readFile, realpath } from "node:fs/promises";
import path from "node:path";
import type { Engine } from "../engine.ts";
import { cutMiddle } from "../text/cut-text.ts";
import { referenceOf } from "../text/file-reference.ts";
import { decodeExactly } from "../text/utf8.ts";
import type { HookSession, ToolResult } from "./hook-event.ts";

/** Bytes above which a result is shown as a stub. */
const LONG_RESULT = 50_000;
/** Displayed characters of a result. */
const SHOWN = 2_000;
/** Results of this package's own tools are already limited and refer to the rest. */
const OWN_TOOL = /(?:__|palimpsest[-_])(?:lcm|memory)_\w+$/;

/** The replaced result for the model; undefined if it is unchanged. `ready` opens the engine, if it is needed. */
export async function stubResult(
  ready: () => Promise<Engine>,
  { sessionId, transcript }: HookSession,
  { name, callId, response }: ToolResult,
): Promise<unknown> {
  if (callId === "" || OWN_TOOL.test(name)) return undefined;
  const place = longestText(response);
  const saved = await savedByHost(response, transcript);
  const text = saved ?? place?.text;
  if (place === null || text === undefined) return undefined;
  if (saved === null && Buffer.byteLength(text) <= LONG_RESULT) return undefined;
  const reference = await store(await ready(), sessionId, callId, text);
  if (reference === null) return undefined;
  const stub = `${reference}\nIt begins and ends:\n${cutMiddle(text, SHOWN)}`;
  return withText(response, place.path, stub);
}

/** Null when nothing was stored; the result is then unchanged. */
async function store(
  engine: Engine,
  sessionId: string,
  callId: string,
  text: string,
): Promise<string | null> {
  const key = `tool:${callId}`;
  const content = [{ type: "tool_result", tool_use_id: callId, content: text }];
  const result = await engine.context.commitTurn({
    conversation: { sessionId },
    key,
    strictness: "keep",
    messages: [{ message: { role: "user", content }, key, origin: "ours" }],
  });
  const id = result.status === "skipped" ? undefined : result.messages[0]?.id;
  if (id === undefined) return null;
  const described = await engine.context.describe({ id });
  const [file] = described.type === "message" ? described.files : [];
  return file === undefined ? null : referenceOf(file);
}

interface TextPlace {
  readonly path: readonly string[];
  readonly text: string;
}

/** Results of hosts nest three levels; the limit protects the stack from malicious ones. */
const DEEPEST = 8;

function longestText(value: unknown, at: readonly string[] = []): TextPlace | null {
  if (typeof value === "string") return { path: at, text: value };
  if (typeof value !== "object" || value === null || at.length > DEEPEST) return null;
  let longest: TextPlace | null = null;
  for (const [name, inner] of Object.entries(value)) {
    const found = longestText(inner, [...at, name]);
    if (found !== null && (longest === null || found.text.length > longest.text.length)) longest = found;
  }
  return longest;
}

/** Claude Code cuts long output itself and names the file with all of it, in the session's own folder. */
async function savedByHost(response: unknown, transcript: string | null): Promise<string | null> {
  const { persistedOutputPath: file } = Object(response);
  if (typeof file !== "string" || transcript === null) return null;
  const folder = await realpath(path.dirname(transcript)).catch(() => null);
  const real = await realpath(file).catch(() => null);
  if (folder === null || real === null || !real.startsWith(`${folder}${path.sep}`)) return null;
  return decodeExactly(await readFile(real)) ?? null;
}

/** A copy with another text at this path, and without the host's note about its own file. */
function withText(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text;
  const inner = withText(Object(value)[name], rest, text);
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === name ? inner : item));
  const { persistedOutputPath: _, persistedOutputSize: __, ...others } = Object(value);
  return { ...others, [name]: inner };
}
