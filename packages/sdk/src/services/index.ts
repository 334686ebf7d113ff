/** Services from apps of web frameworks, and services for other protocols. Node only. */
export { expressHandler, fetchHandler, type EndpointHandler } from './endpoint.ts';
export {
  buyTool,
  toA2aSkill,
  toMcp,
  type A2aSkill,
  type McpResult,
  type McpSchema,
  type McpTool,
} from './protocols.ts';
