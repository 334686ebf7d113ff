/** Tools for agent frameworks. Node only. */
export {
  AgentTools,
  AgentToolsError,
  openTools,
  type AgentTool,
  type AgentToolsOptions,
} from './agent-tools.ts';
export { langchainTools, openaiTools, vercelTools } from './frameworks.ts';
