/** Every command, in the order of the help page. Loaded by name: a call needs one of them. */
import type { Command } from "commander";
import type { CommandLine } from "../command-line.ts";

type AddCommand = (program: Command, cli: CommandLine) => void;

const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  import: async () => (await import("./import.ts")).addImport,
  conversations: async () => (await import("./conversations.ts")).addConversations,
  read: async () => (await import("./read.ts")).addRead,
  grep: async () => (await import("./grep.ts")).addGrep,
  embed: async () => (await import("./embed.ts")).addEmbed,
  recent: async () => (await import("./recent.ts")).addRecent,
  describe: async () => (await import("./describe.ts")).addDescribe,
  compact: async () => (await import("./compact.ts")).addCompact,
  context: async () => (await import("./context.ts")).addContext,
  diff: async () => (await import("./diff.ts")).addDiff,
  tree: async () => (await import("./tree.ts")).addTree,
  expand: async () => (await import("./expand.ts")).addExpand,
  "expand-query": async () => (await import("./expand-query.ts")).addExpandQuery,
  ask: async () => (await import("./expand-query.ts")).addExpandQuery,
  transcript: async () => (await import("./transcript.ts")).addTranscript,
  reset: async () => (await import("./reset.ts")).addReset,
  status: async () => (await import("./status.ts")).addStatus,
  verify: async () => (await import("./verify.ts")).addVerify,
  export: async () => (await import("./export.ts")).addExport,
  backup: async () => (await import("./backup.ts")).addBackup,
  restore: async () => (await import("./restore.ts")).addRestore,
  erase: async () => (await import("./erase.ts")).addErase,
  audit: async () => (await import("./audit.ts")).addAudit,
  files: async () => (await import("./files/files.ts")).addFiles,
  memory: async () => (await import("./memory/memory.ts")).addMemory,
  config: async () => (await import("./config.ts")).addConfig,
  mcp: async () => (await import("./mcp.ts")).addMcp,
  doctor: async () => (await import("./doctor.ts")).addDoctor,
  completion: async () => (await import("./completion.ts")).addCompletion,
};

/** The commands whose names occur among the arguments; all of them when none does, or when help is wanted. */
export async function loadCommands(argv: readonly string[]): Promise<AddCommand[]> {
  const names = Object.keys(COMMANDS);
  const named = argv.includes("help") ? [] : names.filter((name) => argv.includes(name));
  const wanted = named.length === 0 ? names : named;
  // A command with a second name stands there once.
  return [...new Set(await Promise.all(wanted.flatMap((name) => COMMANDS[name]?.() ?? [])))];
}
