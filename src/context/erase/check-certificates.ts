/**
 * Checks the results of erasures: each certificate is unchanged and follows an existing one, everything that it names
 * is still erased, and no erased entry can be read elsewhere. Reports, never repairs.
 */
import { everyRow } from "../../store/every-row.ts";
import { type Certified, isGenuine, readCertificate } from "../../store/rules/certificate.ts";
import { digestIdentity, identitiesOf } from "../../store/rules/entry-identity.ts";
import type { ScopedStore, StoredMessage } from "../../store/store.ts";

interface ErasureProblem {
  readonly conversation: string | null;
  readonly seq: number | null;
  readonly message: string;
  /** Cleaning the store's files fixes it. */
  readonly isUncleaned: boolean;
}

interface CheckedErasures {
  readonly certificates: number;
  readonly problems: readonly ErasureProblem[];
}

/** The claims of certificates about messages. */
interface Claims {
  readonly digests: Map<string, Map<number, string>>;
  /** By salt: the conversation in which the entry with a digest was erased. */
  readonly entries: Map<string, Map<string, string>>;
}

export async function checkCertificates(store: ScopedStore): Promise<CheckedErasures> {
  const problems: ErasureProblem[] = [];
  const claims: Claims = { digests: new Map(), entries: new Map() };
  const known = new Set<string | null>([null]);
  let certificates = 0;
  for await (const record of everyRow((from) => store.auditLog({ from }))) {
    const read = readCertificate(record);
    if (read === null) continue;
    certificates++;
    const { conversation, at } = record;
    const report = (message: string) =>
      problems.push({ conversation, seq: null, message, isUncleaned: false });
    if (!isGenuine(store.scope, record)) report(`the certificate of ${at} was changed`);
    if (!known.has(read.previous)) report(`the certificate before that of ${at} is missing`);
    known.add(read.certificate);
    if (conversation !== null) claim(claims, conversation, read);
  }
  for await (const { id } of everyRow((from) => store.conversations({ archived: true, from })))
    problems.push(...(await checkMessages(store, id, claims)));
  const since = await store.uncleanedSince();
  if (since !== null) problems.push(uncleaned(since));
  return { certificates, problems };
}

function uncleaned(since: string): ErasureProblem {
  const message = `the store's files may still contain text that was erased at ${since} or earlier`;
  return { conversation: null, seq: null, message, isUncleaned: true };
}

function claim({ digests, entries }: Claims, conversation: string, { erased = [], keys }: Certified): void {
  const ofConversation = digests.get(conversation) ?? new Map<number, string>();
  digests.set(conversation, ofConversation);
  for (const [seq, digest] of erased) ofConversation.set(seq, digest);
  if (keys === undefined) return;
  const ofSalt = entries.get(keys.salt) ?? new Map<string, string>();
  entries.set(keys.salt, ofSalt);
  for (const [digest] of keys.digests) ofSalt.set(digest, conversation);
}

async function checkMessages(
  store: ScopedStore,
  conversation: string,
  claims: Claims,
): Promise<ErasureProblem[]> {
  const problems: ErasureProblem[] = [];
  const digests = claims.digests.get(conversation) ?? new Map<number, string>();
  const read = (from: number) => store.messages(conversation, { from, withoutContent: true });
  for await (const message of everyRow(read, 1)) {
    const { seq, erasedAt } = message;
    const digest = digests.get(seq);
    const report = (text: string) => problems.push({ conversation, seq, message: text, isUncleaned: false });
    if (digest !== undefined && (erasedAt === null || digest !== message.digest))
      report(
        "a certificate says that this message was erased, but its content does not match the certificate",
      );
    const elsewhere = erasedAt === null ? erasedElsewhere(message, conversation, claims) : undefined;
    if (elsewhere !== undefined) report(`this entry was erased in ${elsewhere}, but can still be read here`);
  }
  return problems;
}

/** The conversation in which the same entry was erased. */
function erasedElsewhere(
  message: StoredMessage,
  conversation: string,
  { entries }: Claims,
): string | undefined {
  const identities = identitiesOf(message, conversation);
  for (const [salt, erased] of entries)
    for (const identity of identities) {
      const found = erased.get(digestIdentity(salt, identity));
      // Another version of an entry may remain in the conversation in which one version was erased.
      if (found !== undefined && found !== conversation) return found;
    }
  return undefined;
}
