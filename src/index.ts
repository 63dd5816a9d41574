/** The public surface. */

export { type LoadConfigOptions, type LoadedConfig, loadConfig } from "./config/load.ts";
export { type Config, configSchema } from "./config/schema.ts";
export type { AssembleInput, AssembleResult } from "./context/assemble/assemble.ts";
export type { AssembledItem } from "./context/assemble/entry.ts";
export type { AtInput, DiffInput, DiffResult, ReplayResult } from "./context/assemble/replay.ts";
export type { EndedCompaction } from "./context/compact/auto-compact.ts";
export type { CompactInput, CompactReport } from "./context/compact/compact-conversation.ts";
export type { CompactionPass } from "./context/compact/compaction-pass.ts";
export type { EvaluateInput, Evaluation } from "./context/compact/plan/evaluate.ts";
export { type AssembleAnswer, Context } from "./context/context.ts";
export type { CompactionRecord, ContextConversations } from "./context/context-conversations.ts";
export type { ContextFiles } from "./context/context-files.ts";
export type { Question } from "./context/delegate/answer-question.ts";
export type { DelegatedAnswer, DelegationFailure, FailureCode } from "./context/delegate/delegated-answer.ts";
export type { EraseInput, EraseReport } from "./context/erase/erase-messages.ts";
export type { FileDescription } from "./context/files/describe-file.ts";
export type { ListFilesInput } from "./context/files/list-files.ts";
export type { MigrateFilesInput, MigrateFilesReport } from "./context/files/migrate-files.ts";
export type { FileRange, FileSlice, ReadFileInput } from "./context/files/read-file.ts";
export type { AttachFileInput, AttachFileResult } from "./context/ingest/attach-file.ts";
export type { CommitTurnInput, CommitTurnResult } from "./context/ingest/commit-turn.ts";
export type { ImportOptions, ImportProgress, ImportReport } from "./context/ingest/import-transcript.ts";
export type { HostMessage, TurnMessage } from "./context/ingest/prepare-turn.ts";
export type { ResetInput } from "./context/ingest/reset-conversation.ts";
export type { ListConversationsInput } from "./context/read/list-conversations.ts";
export type { OffPath } from "./context/read/off-path.ts";
export type { ReadInput, ReadResult } from "./context/read/read-messages.ts";
export type { Receipt } from "./context/read/receipt.ts";
export type { DescribeInput, Description } from "./context/retrieve/describe-by-id.ts";
export type { ExpandInput, ExpandResult } from "./context/retrieve/expand-summary.ts";
export type { FileGrepHit, GrepFilesInput, GrepFilesResult } from "./context/retrieve/files/grep-files.ts";
export type { GrepHit, GrepInput, GrepResult } from "./context/retrieve/grep-messages.ts";
export type { MeaningQuery, RankByMeaning } from "./context/retrieve/meaning/host-ranking.ts";
export type { RecentEntry, RecentInput, RecentResult } from "./context/retrieve/recent-messages.ts";
export { Engine, type OpenOptions, open } from "./engine.ts";
export { ERROR_CODES, type ErrorCode, isPalimpsestError, PalimpsestError } from "./errors.ts";
export type { EngineEvent, Observe } from "./events.ts";
export { Background } from "./jobs/background.ts";
export type { CaptureInput, CaptureReport } from "./memory/capture/capture.ts";
export type { ConsolidateInput, ConsolidateReport } from "./memory/forget/consolidate-memories.ts";
export type { ForgetOutcome } from "./memory/forget/forget-memory.ts";
export type {
  FactInput,
  ForgetInput,
  ListInput,
  RecallInput,
  RecallMode,
  StoreInput,
  UpdateInput,
} from "./memory/inputs.ts";
export { Memory, type MemoryStats } from "./memory/memory.ts";
export type { AutoRecallInput, RecalledBlock } from "./memory/recall/auto-recall.ts";
export type { Fact, FactAnswer } from "./memory/recall/query-facts.ts";
export type { MemoryOrigins, SourceWords } from "./memory/recall/read-source.ts";
export type { RecalledMemory, RecallResult, RecallStage } from "./memory/recall/recall.ts";
export type { ReembedOptions, ReembedReport } from "./memory/remember/reembed.ts";
export type { StoreManyInput } from "./memory/remember/store-many.ts";
export type { StoreOutcome } from "./memory/remember/store-memory.ts";
export type { UpdateOutcome } from "./memory/remember/update-memory.ts";
export type {
  Memory as MemoryRecord,
  MemoryCategory,
  MemoryOrigin,
  MemorySource,
  MemoryState,
  MemoryTier,
} from "./memory-types.ts";
export { textOfParts } from "./message/read-parts.ts";
export type { AssembleFormat } from "./message/wire-formats.ts";
export type { AgentRequest, AgentResult, AgentTool, RunAgent } from "./model/agent.ts";
export type { Complete, CompletionRequest, CompletionResult, CompletionUsage } from "./model/complete.ts";
export type { Embedder, EmbedOptions, HostEmbedder } from "./model/embed/embedder.ts";
export type { HostRerank, Rerank } from "./model/rerank/rerank.ts";
export { askQuestion as expandQuery } from "./operations/retrieve/ask-question.ts";
export type { FileKind, GarbageReport, StoredFile } from "./store/file-store.ts";
export { EVERY_SCOPE, type MemoryAccess } from "./store/memory-store.ts";
export type { Store } from "./store/store.ts";
export { type CountTokens, estimateTokens } from "./text/estimate-tokens.ts";
export type {
  Clock,
  Conversation,
  ConversationRef,
  ExclusionReason,
  Message,
  MessageFormat,
  Part,
  RandomBytes,
  Role,
  Scope,
  Summary,
  SummaryQuality,
} from "./types.ts";
