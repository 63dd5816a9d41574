/** Encoded bytes say nothing to a reader: a long run of them is named instead of shown. */

const NUMBER = new Intl.NumberFormat("en-US");
/** Shorter runs may be words, paths, hashes or keys, which are worth showing. */
const SHORTEST = 256;
const DATA_URL = /data:([\w.+-]{1,40}\/[\w.+-]{1,60})?[;,][^\s"'<>)]*/gi;
const RUN = /[A-Za-z0-9+/_-]+={0,2}/g;

export function hideBase64(text: string): string {
  if (text.length < SHORTEST) return text;
  return text.replace(DATA_URL, nameDataUrl).replace(RUN, (run) => (isEncoded(run) ? named(run) : run));
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
