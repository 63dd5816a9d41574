/** Prefix for the session name of a conversation whose own name is lost. */
export const RECOVERED = "recovered-";

export function isRecovered({ sessionId }: { readonly sessionId: string }): boolean {
  return sessionId.startsWith(`${RECOVERED}conv_`);
}
