/** Session patterns: `*` matches within a `:` segment, `**` across segments, everything else literally. */
export function matchesSession(session: string, patterns: readonly string[]): boolean {
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
