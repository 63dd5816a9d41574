/** A database URL that can be shown. Rather hides too much than too little. */
export function hidePassword(url: string): string {
  return url
    .replace(/^(\w+:\/\/[^:/@?]*):.*@/, "$1:***@")
    .replaceAll(/([?&][^=&]*password=)[^&]*/gi, "$1***");
}
