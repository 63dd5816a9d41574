/** The public surface. Types that can be derived from these, such as `Engine["background"]`, are not exported by name. */

export type { Config } from "./config/schema.ts";
export type { AskInput } from "./context/ask/ask.ts";
export type { AskResult } from "./context/ask/ask-result.ts";
export type { AssembleInput } from "./context/assemble/assemble.ts";
export type { AtInput, DiffInput, DiffResult, ReplayResult } from "./context/assemble/replay.ts";
export type { CompactInput, CompactReport } from "./context/compact/compact-conversation.ts";
export type { EvaluateInput, Evaluation } from "./context/compact/plan/evaluate.ts";
export type { AssembleResult, Context } from "./context/context.ts";
export type { EraseInput, EraseReport } from "./context/erase/erase-messages.ts";
export type { ListFilesInput } from "./context/files/list-files.ts";
export type { FileSlice, ReadFileInput } from "./context/files/read-file.ts";
export type { AttachFileInput, AttachFileResult } from "./context/ingest/attach-file.ts";
export type { CommitTurnInput, CommitTurnResult } from "./context/ingest/commit-turn.ts";
export type { ImportReport } from "./context/ingest/import-transcript.ts";
export type { HostMessage } from "./context/ingest/prepare-turn.ts";
export type { ResetInput } from "./context/ingest/reset-conversation.ts";
export type { ListConversationsInput } from "./context/read/list-conversations.ts";
export type { ReadInput, ReadResult } from "./context/read/read-messages.ts";
export type { Receipt } from "./context/read/receipt.ts";
export type { DescribeInput, Description } from "./context/retrieve/describe-by-id.ts";
export type { ExpandInput, ExpandResult } from "./context/retrieve/expand-summary.ts";
export type { GrepFilesInput, GrepFilesResult } from "./context/retrieve/files/grep-files.ts";
export type { GrepHit, GrepInput, GrepResult } from "./context/retrieve/grep-messages.ts";
export type { RankByMeaning } from "./context/retrieve/meaning/host-ranking.ts";
export type { RecentInput, RecentResult } from "./context/retrieve/recent-messages.ts";
export { type Engine, type OpenOptions, open } from "./engine.ts";
export { ERROR_CODES, type ErrorCode, isPalimpsestError, PalimpsestError } from "./errors.ts";
export type { EngineEvent, Observe } from "./events.ts";
export type { CaptureInput, CaptureReport } from "./memory/capture/capture.ts";
export type { ForgetOutcome } from "./memory/forget/forget-memory.ts";
export type {
  FactInput,
  ForgetInput,
  ListInput,
  RecallInput,
  StoreInput,
  UpdateInput,
} from "./memory/inputs.ts";
export type { AgentMemory } from "./memory/memory.ts";
export type { FactAnswer } from "./memory/recall/query-facts.ts";
export type { RecalledMemory, RecallOptions, RecallResult } from "./memory/recall/recall.ts";
export type { StoreManyInput } from "./memory/remember/store-many.ts";
export type { StoreOutcome } from "./memory/remember/store-memory.ts";
export type { UpdateOutcome } from "./memory/remember/update-memory.ts";
export type { Memory, MemoryCategory } from "./memory-types.ts";
export { textOfParts } from "./message/read-parts.ts";
export type { AssembleFormat } from "./message/wire-formats.ts";
export type { AgentRequest, AgentResult, RunAgent } from "./model/agent.ts";
export type { Complete, CompletionRequest, CompletionResult } from "./model/complete.ts";
export type { HostEmbedder } from "./model/embed/embedder.ts";
export type { HostRerank } from "./model/rerank/rerank.ts";
export type { StoredFile } from "./store/file-store.ts";
export { type CountTokens, estimateTokens } from "./text/estimate-tokens.ts";
export type { Conversation, ConversationRef, Message, Part, Role, Scope, Summary } from "./types.ts";
