/** Memories and messages for the host's memory slot: results with a path, and the text of each path. */
import type { Engine, HostBridge } from "../../src/host/index.ts";
import { callTool } from "./call-tool.ts";
import type { MemoryFile, MemoryHit, MemorySearchManager, SearchOptions } from "./types.ts";

const FOLDER = "palimpsest/";
const ENDING = ".md";
const MOST_RESULTS = 6;

/** `readable` is the engine for conversations, which may be limited; memories are those of the agent. */
export function searchManager(
  bridge: HostBridge,
  readable: () => Promise<Engine> = () => bridge.engine(),
): MemorySearchManager {
  return {
    search: async (query, options = {}) => {
      const { maxResults = MOST_RESULTS, minScore = 0, sources = ["memory", "sessions"] } = options;
      const memories = sources.includes("memory")
        ? await inMemories(await bridge.engine(), query, options)
        : [];
      const messages = sources.includes("sessions") ? await inMessages(await readable(), query, options) : [];
      return [...memories, ...messages].filter(({ score }) => score >= minScore).slice(0, maxResults);
    },
    readFile: async ({ relPath, from = 1, lines }) => {
      const text = await textOf(bridge, readable, relPath);
      return text === null
        ? { status: "not_found", text: "", path: relPath }
        : part({ path: relPath, text, from, lines });
    },
    status: () => ({ backend: "builtin", provider: "palimpsest", sources: ["memory", "sessions"] }),
    probeEmbeddingAvailability: async () => ({ ok: true }),
    probeVectorAvailability: async () => (await bridge.engine()).searchesByMeaning,
  };
}

async function inMemories({ memory }: Engine, query: string, options: SearchOptions): Promise<MemoryHit[]> {
  const { maxResults: limit = MOST_RESULTS, signal } = options;
  const { memories } = await memory.recall({ query, limit, source: "tool" }, { signal });
  return memories.map(({ memory: { id, abstract }, score }) => hit(id, abstract, score, "memory"));
}

async function inMessages({ context }: Engine, query: string, options: SearchOptions): Promise<MemoryHit[]> {
  const { maxResults: limit = MOST_RESULTS, signal } = options;
  const { hits } = await context.grep({ pattern: query, mode: "full_text", limit, signal });
  const best = Math.max(1, ...hits.map(({ score }) => score ?? 0));
  return hits.map(({ id, snippet, score }) => hit(id, snippet.text, (score ?? 0) / best, "sessions"));
}

function hit(id: string, snippet: string, score: number, source: MemoryHit["source"]): MemoryHit {
  const endLine = snippet.split("\n").length;
  return { path: `${FOLDER}${id}${ENDING}`, startLine: 1, endLine, score, snippet, source, citation: id };
}

async function textOf(
  bridge: HostBridge,
  readable: () => Promise<Engine>,
  path: string,
): Promise<string | null> {
  if (!path.startsWith(FOLDER) || !path.endsWith(ENDING)) return null;
  const id = path.slice(FOLDER.length, -ENDING.length);
  try {
    if (id.startsWith("mem_")) {
      const { abstract, overview, content } = await (await bridge.engine()).memory.get(id);
      return [abstract, overview, content].filter((part) => part !== "").join("\n\n");
    }
    return await callTool("lcm_read", await readable(), { id });
  } catch {
    return null;
  }
}

function part({
  path,
  text,
  from,
  lines,
}: {
  path: string;
  text: string;
  from: number;
  lines?: number | undefined;
}): MemoryFile {
  const all = text.split("\n");
  const end = lines === undefined ? all.length : from - 1 + lines;
  const shown = all.slice(from - 1, end).join("\n");
  return { status: "ok", text: shown, path, ...(end < all.length ? { nextFrom: end + 1 } : {}) };
}
