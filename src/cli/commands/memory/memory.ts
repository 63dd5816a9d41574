import type { Command } from "commander";
import type { CommandLine } from "../../command-line.ts";
import { addMemoryCapture } from "./memory-capture.ts";
import { addMemoryConsolidate } from "./memory-consolidate.ts";
import { addMemoryDecisions } from "./memory-decisions.ts";
import { addMemoryExplain } from "./memory-explain.ts";
import { addMemoryExport } from "./memory-export.ts";
import { addMemoryFacts } from "./memory-facts.ts";
import { addMemoryForget } from "./memory-forget.ts";
import { addMemoryImport } from "./memory-import.ts";
import { addMemoryList } from "./memory-list.ts";
import { addMemoryRecall } from "./memory-recall.ts";
import { addMemoryReembed } from "./memory-reembed.ts";
import { addMemoryShow } from "./memory-show.ts";
import { addMemorySource } from "./memory-source.ts";
import { addMemoryStats } from "./memory-stats.ts";
import { addMemoryStore } from "./memory-store.ts";
import { addMemoryUpdate } from "./memory-update.ts";

const HELP = `
Without a command it lists them:
  lcm memory                                       what is remembered, newest first
  lcm memory store "Deploys go out on Tuesdays"    keep something
  lcm memory recall "when do we deploy"            what matters for a question
  lcm memory show mem_0123456789abcdef             one of them, with its history
  lcm memory source mem_0123456789abcdef           the very words it came from
  lcm memory facts --key editor --at 2026-05-01    what held at a time
  lcm memory forget mem_0123456789abcdef           set it aside; --erase removes it for good
  lcm memory import ~/.openclaw/workspace          from MEMORY.md, memory-lancedb-pro, mem0`;

const COMMANDS = [
  addMemoryList,
  addMemoryStore,
  addMemoryRecall,
  addMemoryShow,
  addMemorySource,
  addMemoryUpdate,
  addMemoryForget,
  addMemoryFacts,
  addMemoryExplain,
  addMemoryStats,
  addMemoryCapture,
  addMemoryDecisions,
  addMemoryConsolidate,
  addMemoryReembed,
  addMemoryExport,
  addMemoryImport,
];

export function addMemory(program: Command, cli: CommandLine): void {
  const memory = program
    .command("memory")
    .description("what is worth keeping: store, recall, change and forget memories")
    .addHelpText("after", HELP);
  for (const add of COMMANDS) add(memory, cli);
}
