const KEY =
  /^\s*(?:- +)*(?:"[^"]{1,80}"|'[^']{1,80}'|[\p{L}\p{N}_$/.<][^\s:#][^:#]{0,80}|[\p{L}\p{N}_]):(?:\s|$)/u;
const ENTRY = /^\s*-\s+\S/;

/** Keys and list entries make up most lines. Without a telling name, nearly all, and several of them keys. */
export function looksLikeYaml(head: string, isNamedSo: boolean): boolean {
  const lines = head
    .slice(0, 20_000)
    .split("\n")
    .filter((line) => /^\s*[^\s#]/.test(line) && line.length < 2_000);
  const keys = lines.filter((line) => KEY.test(line)).length;
  const entries = lines.filter((line) => ENTRY.test(line) && !KEY.test(line)).length;
  if (isNamedSo) return keys + entries > 0;
  const isMarked = /^(?:%YAML|---\s*\n)/.test(head);
  const share = (keys + entries) / Math.max(1, lines.length);
  return isMarked
    ? share > 0.5 && keys > 0
    : lines.length >= 5 && keys >= 4 && share > 0.85 && keys > entries;
}
