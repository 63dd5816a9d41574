/** Replaces long runs of encoded bytes by a placeholder, since they are not readable. */

const NUMBER = new Intl.NumberFormat("en-US");
/** Shorter runs may be words, paths, hashes or keys, which are worth showing. */
const SHORTEST = 256;
const DATA_URL = /data:([\w.+-]{1,40}\/[\w.+-]{1,60})?[;,][^\s"'<>)]*/gi;
const RUN = /[A-Za-z0-9+/_-]{256,}={0,2}/g;
const IN_RUN = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-")
  IN_RUN[character.charCodeAt(0)] = 1;

export function hideBase64(text: string): string {
  const isLong = hasLongRun(text);
  if (!isLong && !text.includes("data:")) return text;
  const shown = text.replace(DATA_URL, nameDataUrl);
  return isLong ? shown.replace(RUN, (run) => (isEncoded(run) ? named(run) : run)) : shown;
}

/** A long run covers one of these positions, so most of the text is not checked. */
function hasLongRun(text: string): boolean {
  for (let probe = SHORTEST - 1; probe < text.length; probe += SHORTEST) {
    let [start, end] = [probe, probe];
    while (start >= 0 && isInRun(text.charCodeAt(start))) start--;
    while (end < text.length && isInRun(text.charCodeAt(end))) end++;
    if (end - start > SHORTEST) return true;
  }
  return false;
}

function isInRun(unit: number): boolean {
  return IN_RUN[unit] === 1;
}

function nameDataUrl(url: string): string {
  return url.length < SHORTEST ? url : named(url);
}

function named(encoded: string): string {
  return `[${NUMBER.format(encoded.length)} characters of base64]`;
}

/** Random bytes use every class of character; a long path or a ruler of dashes does not. */
function isEncoded(run: string): boolean {
  if (run.length < SHORTEST) return false;
  const sample = run.slice(0, SHORTEST);
  return (
    /[a-z]/.test(sample) && /[A-Z]/.test(sample) && /[0-9]/.test(sample) && slashes(sample) < SHORTEST / 16
  );
}

function slashes(text: string): number {
  return text.split("/").length - 1;
}
