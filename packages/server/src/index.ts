/** HTTP and what is spoken over it: reads and writes, event streams, MCP, A2A, downloads. */
export { discovery } from './discovery/server-part.ts';
export type { AllowedNames, CardSigner } from './http/context.ts';
export { serveExplorer, ServeExplorerError, type ServedExplorer } from './http/explorer-server.ts';
export { HttpListener } from './http/http-listener.ts';
export type { HttpLimits } from './http/limits.ts';
export { isLoopback } from './http/loopback.ts';
export { OpenFilesError } from './http/open-files.ts';
export { openApiInfo, transformObject, transformSchema } from './http/openapi.ts';
export { EngineAwayError, type EngineBlocks, type ServedNode } from './http/served-node.ts';
export { buildServer } from './http/server.ts';
export { StartupServer } from './http/startup-server.ts';
export type { RequestTraces } from './telemetry/request-traces.ts';
export { Metrics } from './metrics.ts';
