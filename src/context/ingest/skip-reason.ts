/** Sessions that the settings exclude from storing. */
import type { toAddress } from "../read/address.ts";
import type { IngestSettings } from "./ingest-dependencies.ts";

export type SkipReason = "disabled" | "heartbeat" | "ignored-session" | "stateless-session";

/** Why a session's messages are not stored; undefined if they are. */
export function skipReason(
  settings: IngestSettings,
  address: ReturnType<typeof toAddress>,
): Exclude<SkipReason, "heartbeat"> | undefined {
  if (!settings.enabled) return "disabled";
  if ("id" in address) return undefined;
  const session = address.sessionKey ?? address.sessionId;
  if (matchesSession(session, settings.ignoreSessionPatterns)) return "ignored-session";
  if (settings.skipStatelessSessions && matchesSession(session, settings.statelessSessionPatterns))
    return "stateless-session";
  return undefined;
}

/** Session patterns: `*` matches within a `:` segment, `**` across segments, everything else literally. */
function matchesSession(session: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => toExpression(pattern).test(session));
}

function toExpression(pattern: string): RegExp {
  const source = pattern
    .split(/(\*\*|\*)/)
    .map((piece) => (piece === "**" ? ".*" : piece === "*" ? "[^:]*" : literally(piece)))
    .join("");
  return new RegExp(`^${source}$`, "s");
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
