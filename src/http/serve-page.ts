/** The built page, from memory. It contains no data and requests everything from the API. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Answer } from "./node-http.ts";

const BUILT = fileURLToPath(new URL("../../dist/page/", import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

/** Scripts, styles and requests only from here; framing is forbidden, and text never becomes markup. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

export type Page = (pathname: string, known: string | undefined) => Answer | null;

/** `folder`: the folder of the built page. Null for a path that does not belong to the page. */
export async function openPage(folder: string = BUILT): Promise<Page> {
  const files = await readPage(folder);
  return (pathname, known) => {
    const file =
      files.get(pathname) ?? (path.extname(pathname) === "" ? files.get("/index.html") : undefined);
    if (file === undefined) return files.size === 0 && pathname === "/" ? NOT_BUILT : null;
    const isNamedByContent = pathname.startsWith("/assets/");
    const headers = {
      "content-type": file.type,
      "content-security-policy": PAGE_POLICY,
      "cache-control": isNamedByContent ? "public, max-age=31536000, immutable" : "no-cache",
      etag: file.etag,
    };
    return known === file.etag ? { status: 304, headers } : { status: 200, headers, body: file.bytes };
  };
}

const NOT_BUILT: Answer = {
  status: 503,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: "The page is not built. In a checkout, build it with: npm run build\n",
};

async function readPage(folder: string) {
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = names
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  const read = files.map(async (file) => {
    const bytes = await readFile(file);
    const etag = `"${createHash("sha1").update(bytes).digest("base64url")}"`;
    const type = TYPES[path.extname(file)] ?? "application/octet-stream";
    return [`/${path.relative(folder, file).replaceAll(path.sep, "/")}`, { bytes, etag, type }] as const;
  });
  return new Map<string, Awaited<(typeof read)[number]>[1]>(await Promise.all(read));
}
