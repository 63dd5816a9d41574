/** What stands escaped in the JSON of a call's arguments is searched as the words it means. For searches in vain. */
export function escapeHint(pattern: string): string {
  return /\\["\\/nrtu]/.test(pattern)
    ? ' In arguments of tools, escapes such as \\n and \\" are undone before they are searched: look for what they mean.'
    : "";
}
