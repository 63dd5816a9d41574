/** The MCP server, for programs that serve it themselves. */
export { createServer, type ServerOptions } from "./create-server.ts";
export { DEFAULT_PORT, portOf } from "./listen-address.ts";
export { type OpenEngine, openOnce } from "./open-once.ts";
export { type HttpServer, serveHttp } from "./serve-http.ts";
export { type ServeOptions, serveStdio } from "./serve-stdio.ts";
