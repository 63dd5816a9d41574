/** A real browser from the package registry, and the page built for the run. Tests say why they are skipped without it. */
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Null where there is none for this system. */
export async function launchBrowser(): Promise<Browser | null> {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const [{ default: packed }, { chromium }] = await Promise.all([
    import("@sparticuz/chromium"),
    import("playwright-core"),
  ]);
  return chromium.launch({
    executablePath: await packed.executablePath(),
    args: ["--no-sandbox", "--disable-gpu", "--no-zygote", "--disable-dev-shm-usage"],
  });
}

export async function buildPage(): Promise<string> {
  const outDir = mkdtempSync(path.join(os.tmpdir(), "palimpsest-page-"));
  await build({ configFile: path.join(ROOT, "web/vite.config.ts"), logLevel: "error", build: { outDir } });
  return outDir;
}

export async function buildViewer(): Promise<URL> {
  const outDir = mkdtempSync(path.join(os.tmpdir(), "palimpsest-viewer-"));
  await build({
    configFile: path.join(ROOT, "web/vite.viewer.config.ts"),
    logLevel: "error",
    build: { outDir },
  });
  return pathToFileURL(`${outDir}/`);
}

/** What the browser complained about. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "127.0.0.1")
      complaints.push(`requested ${request.url()}`);
  });
  return complaints;
}
