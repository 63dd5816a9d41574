/** Everything a caller can do. Faces are generated from this list or translate to it. */
import { audit } from "./audit.ts";
import { backup } from "./backup.ts";
import { compact } from "./compact.ts";
import { checkConfig } from "./config-check.ts";
import { showConfig } from "./config-show.ts";
import { context } from "./context.ts";
import { archiveConversation } from "./conversations-archive.ts";
import { deleteConversation } from "./conversations-delete.ts";
import { listConversations } from "./conversations-list.ts";
import { renameConversation } from "./conversations-rename.ts";
import { describe } from "./describe.ts";
import { diff } from "./diff.ts";
import { doctor } from "./doctor.ts";
import { embedSaid } from "./embed.ts";
import { erase } from "./erase.ts";
import { expand } from "./expand.ts";
import { expandQuery } from "./expand-query.ts";
import { exportStore } from "./export.ts";
import { addFile } from "./files-add.ts";
import { catFile } from "./files-cat.ts";
import { exploreFile } from "./files-explore.ts";
import { collectGarbage } from "./files-gc.ts";
import { listFiles } from "./files-list.ts";
import { migrateFiles } from "./files-migrate.ts";
import { showFile } from "./files-show.ts";
import { grep } from "./grep.ts";
import { importPath } from "./import.ts";
import { captureMemories } from "./memory-capture.ts";
import { consolidateMemories } from "./memory-consolidate.ts";
import { listDecisions } from "./memory-decisions.ts";
import { explainRecall } from "./memory-explain.ts";
import { exportMemories } from "./memory-export.ts";
import { queryFacts } from "./memory-fact-query.ts";
import { forgetMemory } from "./memory-forget.ts";
import { importMemories } from "./memory-import.ts";
import { listMemories } from "./memory-list.ts";
import { recallMemories } from "./memory-recall.ts";
import { reembedMemories } from "./memory-reembed.ts";
import { showMemory } from "./memory-show.ts";
import { sourceOfMemory } from "./memory-source.ts";
import { memoryStats } from "./memory-stats.ts";
import { storeMemory } from "./memory-store.ts";
import { updateMemory } from "./memory-update.ts";
import { read } from "./read.ts";
import { recent } from "./recent.ts";
import { reset } from "./reset.ts";
import { restore } from "./restore.ts";
import { status } from "./status.ts";
import { transcript } from "./transcript.ts";
import { tree } from "./tree.ts";
import { verify } from "./verify.ts";

/** Run on an open engine. */
export const OPERATIONS = [
  importPath,
  listConversations,
  renameConversation,
  archiveConversation,
  deleteConversation,
  read,
  grep,
  embedSaid,
  recent,
  describe,
  compact,
  context,
  diff,
  tree,
  expand,
  expandQuery,
  transcript,
  reset,
  status,
  verify,
  exportStore,
  backup,
  erase,
  audit,
  listFiles,
  showFile,
  catFile,
  addFile,
  migrateFiles,
  collectGarbage,
  storeMemory,
  recallMemories,
  listMemories,
  showMemory,
  sourceOfMemory,
  updateMemory,
  forgetMemory,
  memoryStats,
  queryFacts,
  explainRecall,
  captureMemories,
  listDecisions,
  consolidateMemories,
  reembedMemories,
  exportMemories,
  importMemories,
] as const;

/** Run on the place where an engine could be opened: they answer also when it cannot. */
export const SETUP_OPERATIONS = [showConfig, checkConfig, doctor, restore, exploreFile] as const;

export { MODEL_TOOLS, type ModelTool } from "./model-tools.ts";
export type { Operation, Steps, Use } from "./operation.ts";
export { runOperation } from "./run-operation.ts";
export { type Setup, setUp } from "./setup.ts";
export {
  addFile,
  archiveConversation,
  audit,
  backup,
  captureMemories,
  catFile,
  checkConfig,
  collectGarbage,
  compact,
  consolidateMemories,
  context,
  deleteConversation,
  describe,
  diff,
  doctor,
  embedSaid,
  erase,
  expand,
  expandQuery,
  explainRecall,
  exploreFile,
  exportMemories,
  exportStore,
  forgetMemory,
  grep,
  importMemories,
  importPath,
  listConversations,
  listDecisions,
  listFiles,
  listMemories,
  memoryStats,
  migrateFiles,
  queryFacts,
  read,
  recallMemories,
  recent,
  reembedMemories,
  renameConversation,
  reset,
  restore,
  showConfig,
  showFile,
  showMemory,
  sourceOfMemory,
  status,
  storeMemory,
  transcript,
  tree,
  updateMemory,
  verify,
};
