/** Everything a caller can do. Faces are generated from this list or translate to it. */

import { compact } from "./compact.ts";
import { checkConfig } from "./config-check.ts";
import { showConfig } from "./config-show.ts";
import { context } from "./context.ts";
import { archiveConversation } from "./conversations-archive.ts";
import { deleteConversation } from "./conversations-delete.ts";
import { listConversations } from "./conversations-list.ts";
import { renameConversation } from "./conversations-rename.ts";
import { diff } from "./diff.ts";
import { doctor } from "./doctor.ts";
import { embedSaid } from "./embed.ts";
import { erase } from "./erase.ts";
import { addFile } from "./files/files-add.ts";
import { catFile } from "./files/files-cat.ts";
import { exploreFile } from "./files/files-explore.ts";
import { collectGarbage } from "./files/files-gc.ts";
import { listFiles } from "./files/files-list.ts";
import { migrateFiles } from "./files/files-migrate.ts";
import { showFile } from "./files/files-show.ts";
import { captureMemories } from "./memory/memory-capture.ts";
import { consolidateMemories } from "./memory/memory-consolidate.ts";
import { listDecisions } from "./memory/memory-decisions.ts";
import { explainRecall } from "./memory/memory-explain.ts";
import { exportMemories } from "./memory/memory-export.ts";
import { queryFacts } from "./memory/memory-fact-query.ts";
import { forgetMemory } from "./memory/memory-forget.ts";
import { importMemories } from "./memory/memory-import.ts";
import { listMemories } from "./memory/memory-list.ts";
import { recallMemories } from "./memory/memory-recall.ts";
import { reembedMemories } from "./memory/memory-reembed.ts";
import { showMemory } from "./memory/memory-show.ts";
import { sourceOfMemory } from "./memory/memory-source.ts";
import { memoryStats } from "./memory/memory-stats.ts";
import { storeMemory } from "./memory/memory-store.ts";
import { updateMemory } from "./memory/memory-update.ts";
import { reset } from "./reset.ts";
import { describe } from "./retrieve/describe.ts";
import { expand } from "./retrieve/expand.ts";
import { expandQuery } from "./retrieve/expand-query.ts";
import { grep } from "./retrieve/grep.ts";
import { read } from "./retrieve/read.ts";
import { recent } from "./retrieve/recent.ts";
import { status } from "./status.ts";
import { audit } from "./store/audit.ts";
import { backup } from "./store/backup.ts";
import { exportStore } from "./store/export.ts";
import { importPath } from "./store/import.ts";
import { restore } from "./store/restore.ts";
import { verify } from "./store/verify.ts";
import { transcript } from "./transcript.ts";
import { tree } from "./tree.ts";

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
