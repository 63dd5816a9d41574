/**
 * Hides credentials in text that is repeated automatically: titles, summaries without a model, errors and logs. Text that
 * looks like a credential is removed and the rest is kept, so that sentences stay readable. Text of files is
 * also checked more strictly (`safe-to-show.ts`). Reading a message or a file still returns its exact words.
 */
import { hideAnnounced } from "./hide-announced.ts";
import { hideKeys } from "./hide-keys.ts";

export function hideCredentials(text: string): string {
  return hideKeys(hideAnnounced(text));
}

export function holdsCredential(text: string): boolean {
  return hideCredentials(text) !== text;
}
