/** How the session of a conversation is called whose own name is lost. */
export const RECOVERED = "recovered-";

export function isRecovered({ sessionId }: { readonly sessionId: string }): boolean {
  return sessionId.startsWith(`${RECOVERED}conv_`);
}
