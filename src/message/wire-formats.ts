/** The names of the formats of an assembled context. */

/** The request formats of the providers. */
export const WIRE_FORMATS = ["anthropic", "openai-chat", "openai-responses"] as const;
export type WireFormat = (typeof WIRE_FORMATS)[number];

/** `original`: each message as it was committed; a summary is a user message with its text. */
export const ASSEMBLE_FORMATS = ["original", ...WIRE_FORMATS] as const;
export type AssembleFormat = (typeof ASSEMBLE_FORMATS)[number];
