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
  catFile,
  checkConfig,
  collectGarbage,
  compact,
  context,
  deleteConversation,
  describe,
  diff,
  doctor,
  erase,
  expand,
  expandQuery,
  exploreFile,
  exportStore,
  grep,
  importPath,
  listConversations,
  listFiles,
  migrateFiles,
  read,
  recent,
  renameConversation,
  reset,
  restore,
  showConfig,
  showFile,
  status,
  transcript,
  tree,
  verify,
};
