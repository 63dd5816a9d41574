/**
 * The folder of the local model: next to this module in the published package. A checkout has no binaries, so there the
 * build script creates the folder from installed packages, once.
 */
interface ModelScript {
  cachedLocalModel(): Promise<URL>;
}

export async function modelFolder(): Promise<URL> {
  if (!import.meta.url.endsWith(".ts")) return new URL("minilm/", import.meta.url);
  const script = new URL("../../../../scripts/local-model/make-local-model.ts", import.meta.url);
  const { cachedLocalModel }: ModelScript = await import(script.href);
  return cachedLocalModel();
}
