/** The HTTP server, for programs that serve it themselves. */
export { RIGHTS, type Right, TokenFile } from "../operations/tokens/token-file.ts";
export { openApi } from "./open-api.ts";
export type { Problem } from "./problem.ts";
export { DEFAULT_PORT, type RunningServer, type ServeOptions, serve } from "./serve.ts";
