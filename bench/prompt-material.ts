/** The text to summarise in a summary prompt: it is between two marked lines, at the end. */
export function materialIn(prompt: string): string {
  const open = prompt.lastIndexOf("\n<<MATERIAL ");
  const close = prompt.lastIndexOf("\n<</MATERIAL ");
  if (open === -1 || close < open) throw new Error("the prompt has no material");
  return prompt.slice(prompt.indexOf("\n", open + 1) + 1, close);
}
