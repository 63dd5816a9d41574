/**
 * Every operation under its command, in the order of the help page. Each is loaded
 * on demand, since a command needs one of them.
 */
import type { Engine } from "../engine.ts";
import type { Operation } from "./operation.ts";
import type { Setup } from "./setup.ts";

export const REGISTRY = {
  import: async () => (await import("./store/import.ts")).importPath,
  "conversations list": async () => (await import("./conversations/conversations-list.ts")).listConversations,
  "conversations rename": async () =>
    (await import("./conversations/conversations-rename.ts")).renameConversation,
  "conversations archive": async () =>
    (await import("./conversations/conversations-archive.ts")).archiveConversation,
  "conversations family": async () =>
    (await import("./conversations/conversations-family.ts")).conversationFamily,
  "conversations delete": async () =>
    (await import("./conversations/conversations-delete.ts")).deleteConversation,
  grep: async () => (await import("./retrieve/grep.ts")).grep,
  recent: async () => (await import("./retrieve/recent.ts")).recent,
  describe: async () => (await import("./retrieve/describe.ts")).describe,
  expand: async () => (await import("./retrieve/expand.ts")).expand,
  read: async () => (await import("./retrieve/read.ts")).read,
  ask: async () => (await import("./retrieve/ask.ts")).ask,
  embed: async () => (await import("./embed.ts")).embedSaid,
  compact: async () => (await import("./compact.ts")).compact,
  context: async () => (await import("./context.ts")).context,
  diff: async () => (await import("./diff.ts")).diff,
  turns: async () => (await import("./conversations/turns.ts")).turns,
  compactions: async () => (await import("./compactions.ts")).compactions,
  tree: async () => (await import("./tree.ts")).tree,
  transcript: async () => (await import("./transcript.ts")).transcript,
  reset: async () => (await import("./conversations/reset.ts")).reset,
  "memory recall": async () => (await import("./memory/memory-recall.ts")).recallMemories,
  "memory store": async () => (await import("./memory/memory-store.ts")).storeMemory,
  "memory update": async () => (await import("./memory/memory-update.ts")).updateMemory,
  "memory forget": async () => (await import("./memory/memory-forget.ts")).forgetMemory,
  "memory list": async () => (await import("./memory/memory-list.ts")).listMemories,
  "memory show": async () => (await import("./memory/memory-show.ts")).showMemory,
  "memory source": async () => (await import("./memory/memory-source.ts")).sourceOfMemory,
  "memory facts": async () => (await import("./memory/memory-fact-query.ts")).queryFacts,
  "memory stats": async () => (await import("./memory/memory-stats.ts")).memoryStats,
  "memory explain": async () => (await import("./memory/memory-explain.ts")).explainRecall,
  "memory capture": async () => (await import("./memory/memory-capture.ts")).captureMemories,
  "memory decisions": async () => (await import("./memory/memory-decisions.ts")).listDecisions,
  "memory consolidate": async () => (await import("./memory/memory-consolidate.ts")).consolidateMemories,
  "memory reembed": async () => (await import("./memory/memory-reembed.ts")).reembedMemories,
  "memory export": async () => (await import("./memory/memory-export.ts")).exportMemories,
  "memory import": async () => (await import("./memory/memory-import.ts")).importMemories,
  "files list": async () => (await import("./files/files-list.ts")).listFiles,
  "files show": async () => (await import("./files/files-show.ts")).showFile,
  "files cat": async () => (await import("./files/files-cat.ts")).catFile,
  "files add": async () => (await import("./files/files-add.ts")).addFile,
  "files explore": async () => (await import("./files/files-explore.ts")).exploreFile,
  "files migrate": async () => (await import("./files/files-migrate.ts")).migrateFiles,
  "files gc": async () => (await import("./files/files-gc.ts")).collectGarbage,
  status: async () => (await import("./status.ts")).status,
  verify: async () => (await import("./store/verify.ts")).verify,
  export: async () => (await import("./store/export.ts")).exportStore,
  backup: async () => (await import("./store/backup.ts")).backup,
  restore: async () => (await import("./store/restore.ts")).restore,
  erase: async () => (await import("./erase.ts")).erase,
  audit: async () => (await import("./store/audit.ts")).audit,
  "token create": async () => (await import("./tokens/token-create.ts")).createToken,
  "token list": async () => (await import("./tokens/token-list.ts")).listTokens,
  "token revoke": async () => (await import("./tokens/token-revoke.ts")).revokeToken,
  "config show": async () => (await import("./config-show.ts")).showConfig,
  "config set": async () => (await import("./config-set.ts")).setConfig,
  "model test": async () => (await import("./model-test.ts")).testModel,
  "config check": async () => (await import("./config-check.ts")).checkConfig,
  setup: async () => (await import("./setup-host.ts")).setUpHost,
  doctor: async () => (await import("./doctor.ts")).doctor,
} as const;

/** Alternative names of commands. */
export const OTHER_WORDS = {
  "expand-query": "ask",
  "memory search": "memory recall",
  "memory delete": "memory forget",
} as const satisfies Readonly<Record<string, CommandWords>>;

export type CommandWords = keyof typeof REGISTRY;

/** Each operation by its words. */
export type Operations = { readonly [Words in CommandWords]: Awaited<ReturnType<(typeof REGISTRY)[Words]>> };

/** With any input and output, which its schemas check. */
export type AnyOperation = Operation<object, unknown, unknown, Engine | Setup>;

export const COMMAND_WORDS: readonly CommandWords[] = Object.keys(REGISTRY) as CommandWords[];

export function loadOperation(words: CommandWords): Promise<AnyOperation> {
  return REGISTRY[words]();
}

export async function loadOperations(): Promise<Operations> {
  const loaded = await Promise.all(COMMAND_WORDS.map(async (words) => [words, await loadOperation(words)]));
  return Object.fromEntries(loaded) as Operations;
}
