/** What removing words cannot do, said whenever some were removed. */
export const NOT_REACHED = "Exports, and copies or backups kept elsewhere, are not reached.";
