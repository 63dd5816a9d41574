/** The part of OpenCode's plugin interface that is used. */

export interface Part {
  readonly type: string;
  text?: string;
}

export interface ShownMessage {
  readonly info: {
    readonly id: string;
    readonly sessionID: string;
    readonly role: string;
    /** True: OpenCode's summary of earlier messages. On user messages it is an object. */
    readonly summary?: unknown;
  };
  readonly parts: Part[];
}

export interface Hooks {
  event(given: {
    readonly event: { readonly type: string; readonly properties?: { readonly sessionID?: string } };
  }): Promise<void>;
  "chat.message"(
    given: { readonly sessionID: string },
    message: { readonly message: { readonly id: string }; readonly parts: readonly Part[] },
  ): Promise<void>;
  "tool.execute.after"(
    given: { readonly sessionID: string; readonly tool: string; readonly callID: string },
    result: { output: string },
  ): Promise<void>;
  "experimental.session.compacting"(
    given: { readonly sessionID: string },
    asked: { readonly context: string[] },
  ): Promise<void>;
  "experimental.chat.messages.transform"(
    given: object,
    shown: { readonly messages: readonly ShownMessage[] },
  ): Promise<void>;
}
