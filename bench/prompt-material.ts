/** What a prompt for a summary asks to have summarised: it stands between two marked lines, behind everything else. */
export function materialIn(prompt: string): string {
  const open = prompt.lastIndexOf("\n<<MATERIAL ");
  const close = prompt.lastIndexOf("\n<</MATERIAL ");
  if (open === -1 || close < open) throw new Error("the prompt has no material");
  return prompt.slice(prompt.indexOf("\n", open + 1) + 1, close);
}
