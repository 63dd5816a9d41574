/** The options that each call takes. Callers without types are told of any other: see `read/require-options.ts`. */
import type { AssembleInput } from "./assemble/assemble.ts";
import type { AtInput, DiffInput } from "./assemble/replay.ts";
import type { CompactInput } from "./compact/compact-conversation.ts";
import type { EvaluateInput } from "./compact/plan/evaluate.ts";
import type { EraseInput } from "./erase/erase-messages.ts";
import type { ListFilesInput } from "./files/list-files.ts";
import type { MigrateFilesInput } from "./files/migrate-files.ts";
import type { ReadFileInput } from "./files/read-file.ts";
import type { AttachFileInput } from "./ingest/attach-file.ts";
import type { CommitTurnInput } from "./ingest/commit-turn.ts";
import type { ImportOptions } from "./ingest/import-transcript.ts";
import type { ResetInput } from "./ingest/reset-conversation.ts";
import type { TranscriptInput } from "./ingest/transcripts/write-transcript.ts";
import type { ListConversationsInput } from "./read/list-conversations.ts";
import type { ReadInput } from "./read/read-messages.ts";
import { requireOptions } from "./read/require-options.ts";
import type { DescribeInput } from "./retrieve/describe-by-id.ts";
import type { ExpandInput } from "./retrieve/expand-summary.ts";
import type { GrepFilesInput } from "./retrieve/files/grep-files.ts";
import type { GrepInput } from "./retrieve/grep-messages.ts";
import type { RecentInput } from "./retrieve/recent-messages.ts";

interface Inputs {
  commitTurn: CommitTurnInput;
  evaluate: EvaluateInput;
  compact: CompactInput;
  assemble: AssembleInput;
  at: AtInput;
  diff: DiffInput;
  expand: ExpandInput;
  importTranscript: ImportOptions;
  read: ReadInput;
  grep: GrepInput;
  recent: RecentInput;
  describe: DescribeInput;
  "files.list": ListFilesInput;
  "files.read": ReadFileInput;
  "files.grep": GrepFilesInput;
  "files.attach": AttachFileInput;
  "files.migrate": MigrateFilesInput;
  "conversations.list": ListConversationsInput;
  erase: EraseInput;
  reset: ResetInput;
  transcript: TranscriptInput;
}

/** The compiler sees to it that no name is missing. */
const NAMES: { readonly [Call in keyof Inputs]: Readonly<Record<keyof Inputs[Call], true>> } = {
  commitTurn: { conversation: true, key: true, messages: true, heartbeat: true, receipt: true },
  evaluate: { conversation: true, budget: true, observedTokens: true },
  compact: {
    conversation: true,
    budget: true,
    untilUnder: true,
    dryRun: true,
    deadlineMs: true,
    signal: true,
    onPass: true,
  },
  assemble: { conversation: true, budget: true, format: true, prompt: true, relevance: true },
  at: { conversation: true, turn: true },
  diff: { conversation: true, from: true, to: true },
  expand: { summary: true, levels: true, from: true, includeMessages: true, maxTokens: true },
  importTranscript: { signal: true, onProgress: true },
  read: { conversation: true, from: true, to: true, roles: true, limit: true },
  grep: {
    pattern: true,
    mode: true,
    ignoreCase: true,
    conversations: true,
    kinds: true,
    roles: true,
    tool: true,
    since: true,
    before: true,
    sort: true,
    limit: true,
    maxTokens: true,
    cursor: true,
    contextLines: true,
    snippetLength: true,
    signal: true,
    onHit: true,
    onOpened: true,
  },
  recent: {
    conversations: true,
    kinds: true,
    roles: true,
    tool: true,
    since: true,
    before: true,
    limit: true,
    cursor: true,
    signal: true,
  },
  describe: {
    id: true,
    tokenCap: true,
    expandFile: true,
    startLine: true,
    endLine: true,
    startByte: true,
    endByte: true,
    maxBytes: true,
  },
  "files.attach": {
    conversation: true,
    open: true,
    name: true,
    mime: true,
    key: true,
    signal: true,
    onProgress: true,
  },
  "files.migrate": { conversation: true, dryRun: true, revert: true, signal: true, onProgress: true },
  "files.list": { conversation: true, kind: true, from: true, limit: true },
  "files.read": { id: true, startLine: true, endLine: true, startByte: true, endByte: true, maxBytes: true },
  "files.grep": {
    pattern: true,
    mode: true,
    ignoreCase: true,
    conversations: true,
    limit: true,
    maxTokens: true,
    cursor: true,
    snippetLength: true,
    signal: true,
  },
  "conversations.list": { archived: true, from: true, limit: true },
  erase: { conversation: true, from: true, to: true, reason: true },
  reset: { conversation: true, mode: true, retainDepth: true },
  transcript: { conversation: true, version: true },
};

export function requireInput(call: keyof Inputs, input: unknown): void {
  requireOptions(call, Object.keys(NAMES[call]), input);
}
