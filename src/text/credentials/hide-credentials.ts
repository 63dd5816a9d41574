/**
 * The gate for text that is repeated without being asked for: titles, summaries without a model, errors and logs. What
 * looks like a credential is left out and the rest stays, so that a sentence keeps its sense. What is shown of files is
 * asked more (`safe-to-show.ts`), and passes this as well. Reading a message or a file still gives its exact words.
 */
import { hideAnnounced } from "./hide-announced.ts";
import { hideKeys } from "./hide-keys.ts";

export function hideCredentials(text: string): string {
  return hideKeys(hideAnnounced(text));
}

export function holdsCredential(text: string): boolean {
  return hideCredentials(text) !== text;
}
