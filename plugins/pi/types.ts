/** What we use of the pi coding agent's extension API, versions 0.87 to 1.5. pi itself is not a dependency. */

export interface PiMessage {
  readonly role: string;
  readonly timestamp?: number;
  readonly content?: unknown;
}

interface PiModel {
  readonly provider: string;
  readonly id: string;
  readonly contextWindow: number;
  readonly maxTokens: number;
}

export interface PiContext {
  readonly sessionManager: {
    getSessionFile(): string | undefined;
    getSessionId(): string;
  };
  readonly model: PiModel | undefined;
  readonly modelRegistry: {
    complete?(
      model: PiModel,
      context: { readonly systemPrompt?: string; readonly messages: readonly PiMessage[] },
      options: { readonly maxTokens: number; readonly signal?: AbortSignal },
    ): Promise<PiAnswer>;
  };
  readonly signal: AbortSignal | undefined;
  readonly hasUI: boolean;
  readonly ui: { notify(text: string, level: "info" | "warning" | "error"): void };
  getSystemPrompt(): string;
}

export interface PiAnswer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly stopReason?: string;
  readonly errorMessage?: string;
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cost?: { readonly total: number };
  };
}

export interface PiCompactEvent {
  readonly preparation: { readonly firstKeptEntryId: string; readonly tokensBefore: number };
  readonly customInstructions?: string;
  readonly reason?: "manual" | "threshold" | "overflow";
  readonly signal: AbortSignal;
}

interface PiEvents {
  session_start: { readonly reason: string };
  context: { readonly messages: readonly PiMessage[] };
  turn_end: object;
  agent_end: object;
  session_tree: object;
  session_before_compact: PiCompactEvent;
  session_shutdown: { readonly reason: string };
}

export interface PiTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly promptSnippet: string;
  readonly parameters: object;
  execute(
    id: string,
    input: object,
    signal: AbortSignal | undefined,
  ): Promise<{
    readonly content: readonly { readonly type: "text"; readonly text: string }[];
    readonly details: object;
  }>;
}

export interface Pi {
  on<Name extends keyof PiEvents>(
    event: Name,
    handler: (event: PiEvents[Name], context: PiContext) => Promise<unknown>,
  ): unknown;
  registerTool(tool: PiTool): void;
  getAllTools?(): readonly object[];
}
