const SIGNS = [
  /^#{1,6} \S|^\p{L}[^\n]{0,120}\n(?:={3,}|-{3,})[ \t]*$/gmu,
  /^```/gm,
  /^\s*[-*] \S/gm,
  /\[[^\]\n]{1,100}\]\([^)\n]{1,200}\)/g,
  /\*\*[^*\n]{1,100}\*\*/g,
  /^\|.*\|$/gm,
];

/** Headings, fences, lists, links: two sorts of marks, and one of them a heading or a fence. */
export function looksLikeMarkdown(head: string): boolean {
  const found = SIGNS.map((sign) => head.match(sign)?.length ?? 0);
  const [headings = 0, fences = 0] = found;
  return headings + fences >= 2 && found.filter((times) => times > 0).length >= 2;
}
