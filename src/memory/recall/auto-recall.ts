/**
 * Recalls memories for a prompt automatically. Small talk and
 * commands recall nothing; and weak matches are left out. Equal memories give equal bytes, framed as data,
 * with their sources. A timeout keeps it from delaying a context.
 */
import { messageOf } from "../../errors.ts";
import { stateOf } from "../../memory-types.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import { FRAME_MEMORIES, frameMemories } from "./frame-memories.ts";
import { ofProject } from "./of-project.ts";
import type { RecalledMemory, RecallResult } from "./recall.ts";
import { decideSkip } from "./skip-recall.ts";

export interface AutoRecallInput {
  /** The next prompt of the model. */
  readonly prompt: string;
  /** Maximum tokens of the block. Default and upper limit: `autoRecallMaxTokens`. */
  readonly maxTokens?: number;
  /** The folder of the session. Null or missing: unknown. */
  readonly project?: string | null;
  /** For interactive use: the prompt is not embedded, so only memories that share words with it are found. */
  readonly byWords?: boolean;
}

export interface RecalledBlock {
  readonly text: string;
  readonly tokens: number;
  /** Ids of the memories, in their order. */
  readonly ids: readonly string[];
  /** The end of validity of each memory that has one. */
  readonly until: Readonly<Record<string, string>>;
}

/** The stored form of a block. */
export interface BlockReceipt {
  readonly ids: readonly string[];
  readonly until?: Readonly<Record<string, string>> | undefined;
}

/** Of a long prompt, only the end is used. */
const LONGEST_PROMPT = 2_000;

/** Memories of other projects are left out, so more candidates are requested. */
const MORE_FOR_PROJECT = 3;

type RecallBlockDependencies = Pick<MemoryDependencies, "settings" | "countTokens" | "log" | "projectOf">;
type RecallForBlock = (query: string, limit: number, signal: AbortSignal) => Promise<RecallResult>;

export async function recallBlock(
  { prompt, maxTokens, project = null }: AutoRecallInput,
  { settings, countTokens, log, projectOf }: RecallBlockDependencies,
  recall: RecallForBlock,
): Promise<RecalledBlock | null> {
  const query = prompt.slice(-LONGEST_PROMPT).trim();
  if (query === "" || decideSkip(query).skip) return null;
  const found = await inTime(settings.autoRecallTimeoutMs, log, (signal) =>
    recall(query, settings.autoRecallMaxItems * (project === null ? 1 : MORE_FOR_PROJECT), signal),
  );
  const frame = {
    ...FRAME_MEMORIES,
    maxItems: settings.autoRecallMaxItems,
    maxTokens: Math.min(settings.autoRecallMaxTokens, maxTokens ?? Number.POSITIVE_INFINITY),
  };
  const mattering = (found?.memories ?? []).filter(matters);
  const memories = project === null ? mattering : await ofProject(mattering, project, projectOf);
  const { text, tokens, shown } = frameMemories(memories, frame, countTokens);
  return shown.length === 0 ? null : { text, tokens, ids: shown, until: untilOf(memories, shown) };
}

function untilOf(memories: readonly RecalledMemory[], shown: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    memories.flatMap(({ memory: { id, validUntil } }) =>
      validUntil === null || !shown.includes(id) ? [] : [[id, validUntil]],
    ),
  );
}

/** Rebuilds an earlier block, without memories that were erased since. */
export async function blockAgain(
  { ids, until }: BlockReceipt,
  { store, countTokens }: Pick<MemoryDependencies, "store" | "countTokens">,
): Promise<{ readonly text: string; readonly tokens: number; readonly missing: number }> {
  const items = (await store.memoriesById(ids))
    .filter(({ erasedAt }) => erasedAt === null)
    .map((memory) => ({ memory: { ...memory, validUntil: until?.[memory.id] ?? null } }));
  const whole = { ...FRAME_MEMORIES, maxItems: ids.length, maxTokens: Number.POSITIVE_INFINITY };
  const { text, tokens } = frameMemories(items, whole, countTokens);
  return { text, tokens, missing: ids.length - items.length };
}

/** Many hits only share a word with the prompt. Automatic recall shows only clear matches. */
const LEAST_COSINE = 0.35;
const LEAST_COVERAGE = 0.4;

function matters({ memory, parts }: RecalledMemory): boolean {
  const isNear = (parts.cosine ?? 0) >= LEAST_COSINE || (parts.coverage ?? 0) >= LEAST_COVERAGE;
  return stateOf(memory) === "active" && isNear;
}

/** Undefined on a timeout or error: the context is then assembled without memories. */
async function inTime<Result>(
  milliseconds: number,
  log: MemoryDependencies["log"],
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  const limit = AbortSignal.timeout(milliseconds);
  const late = new Promise<undefined>((resolve) => {
    limit.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const found = run(limit).catch((error: unknown) => {
    log.warn({ problem: messageOf(error) }, "nothing was recalled");
    return undefined;
  });
  return Promise.race([found, late]);
}
