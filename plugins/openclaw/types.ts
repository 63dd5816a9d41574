/** What we use of OpenClaw's plugin API, version 2026.9. */

import type {
  HostMessage,
  SessionTarget,
  HostSdk as TranscriptSdk,
  CommitTurn as Turn,
} from "../../src/host/openclaw/types.ts";

export type { HostMessage } from "../../src/host/openclaw/types.ts";

/** The SDK functions that the host provides to plugins. Only the entry can import it. */
export interface HostSdk extends TranscriptSdk {
  buildMemorySystemPromptAddition(params: {
    readonly availableTools: ReadonlySet<string>;
    readonly citationsMode?: unknown;
    readonly agentSessionKey?: string;
  }): string | undefined;
}

export interface HostLlm {
  complete(params: {
    readonly messages: readonly { readonly role: "user"; readonly content: string }[];
    readonly systemPrompt: string;
    readonly maxTokens: number;
    readonly temperature?: number;
    readonly signal?: AbortSignal;
    readonly purpose: string;
  }): Promise<{
    readonly text: string;
    readonly provider: string;
    readonly model: string;
    readonly stopReason?: string;
    readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
  }>;
}

interface Common {
  readonly sessionId: string;
  readonly sessionKey?: string;
  readonly sessionTarget?: SessionTarget;
  readonly runtimeContext?: {
    readonly llm?: HostLlm;
    readonly tokenBudget?: number;
    readonly workspaceDir?: string;
    readonly allowDeferredCompactionExecution?: boolean;
  };
  readonly runtimeSettings?: { readonly limits?: { readonly promptTokenBudget?: number | null } };
}

export interface CommitTurn extends Common, Turn {}

export interface Assemble extends Common {
  readonly messages: readonly HostMessage[];
  readonly tokenBudget?: number;
  readonly availableTools?: ReadonlySet<string>;
  readonly citationsMode?: unknown;
  readonly prompt?: string;
}

export interface Assembled {
  readonly messages: readonly HostMessage[];
  readonly estimatedTokens: number;
  readonly systemPromptAddition?: string;
}

export interface Compact extends Common {
  readonly tokenBudget?: number;
  readonly currentTokenCount?: number;
  readonly compactionTarget?: "budget" | "threshold";
  readonly customInstructions?: string;
  readonly abortSignal?: AbortSignal;
}

export interface Compacted {
  readonly ok: boolean;
  readonly compacted: boolean;
  readonly reason?: string;
  readonly result?: {
    readonly summary?: string;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
  };
}

export interface ContextEngine {
  readonly info: object;
  bootstrap(params: Common): Promise<{ readonly bootstrapped: boolean; readonly importedMessages: number }>;
  ingest(params: object): Promise<{ readonly ingested: boolean }>;
  commitTurn(params: CommitTurn): Promise<{ readonly status: "committed" | "duplicate" }>;
  assemble(params: Assemble): Promise<Assembled>;
  compact(params: Compact): Promise<Compacted>;
  maintain(
    params: Common & { readonly abortSignal?: AbortSignal },
  ): Promise<{ readonly changed: boolean; readonly bytesFreed: number; readonly rewrittenEntries: number }>;
  prepareSubagentSpawn(params: {
    readonly parentSessionKey: string;
    readonly childSessionKey: string;
    readonly parentSessionId?: string;
    readonly childSessionId?: string;
  }): Promise<{ rollback(): Promise<void> }>;
  onSubagentEnded(params: { readonly childSessionKey: string }): Promise<void>;
  dispose(): Promise<void>;
}

/** The host's information about the session of a tool call or command. */
export interface CallContext {
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly sessionId?: string;
}

/** The definition of a tool for models. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
}

export interface HostTool extends ToolDefinition {
  readonly label: string;
  /** Without it the model must search for the tool before it can call it. */
  readonly catalogMode: "direct-only";
  execute(
    id: string,
    input: object,
    signal?: AbortSignal,
  ): Promise<{
    readonly content: readonly { readonly type: "text"; readonly text: string }[];
    readonly details: object;
  }>;
}

export interface MemoryHit {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly score: number;
  readonly snippet: string;
  readonly source: "memory" | "sessions";
  readonly citation: string;
}

export interface SearchOptions {
  readonly maxResults?: number;
  readonly minScore?: number;
  readonly sources?: readonly ("memory" | "sessions")[];
  readonly signal?: AbortSignal;
}

export type MemoryFile =
  | { readonly status: "ok"; readonly text: string; readonly path: string; readonly nextFrom?: number }
  | { readonly status: "not_found"; readonly text: ""; readonly path: string };

export interface MemorySearchManager {
  search(query: string, options?: SearchOptions): Promise<readonly MemoryHit[]>;
  readFile(params: {
    readonly relPath: string;
    readonly from?: number;
    readonly lines?: number;
  }): Promise<MemoryFile>;
  status(): object;
  probeEmbeddingAvailability(): Promise<{ readonly ok: boolean; readonly error?: string }>;
  probeVectorAvailability(): Promise<boolean>;
}

interface HookEvents {
  before_reset: { readonly sessionKey?: string };
  session_end: { readonly sessionId?: string; readonly sessionKey?: string };
  gateway_stop: object;
}

export interface PluginApi {
  /** Where the plugin is installed. */
  readonly rootDir: string;
  readonly pluginConfig?: Readonly<Record<string, unknown>>;
  readonly logger?: { warn(text: string): void };
  registerContextEngine(
    id: string,
    factory: (context: { readonly workspaceDir?: string; readonly agentDir?: string }) => ContextEngine,
  ): void;
  registerTool(factory: (context: CallContext) => HostTool, options: { readonly name: string }): void;
  registerCommand(command: {
    readonly name: string;
    readonly description: string;
    readonly acceptsArgs: boolean;
    handler(context: CallContext & { readonly args?: string }): Promise<{ readonly text: string }>;
  }): void;
  registerMemoryCapability(capability: {
    promptBuilder(params: { readonly availableTools: ReadonlySet<string> }): string[];
    readonly runtime: {
      getMemorySearchManager(params: {
        readonly agentId: string;
      }): Promise<{ readonly manager: MemorySearchManager }>;
      resolveMemoryBackendConfig(): { readonly backend: "builtin" };
    };
  }): void;
  on<Name extends keyof HookEvents>(
    hook: Name,
    handler: (event: HookEvents[Name], context: CallContext) => Promise<void>,
  ): void;
}
