/** What a program with a model of its own needs: the tools of an agent, in the form of its framework. Node only. */
export {
  AgentTools,
  AgentToolsError,
  openTools,
  type AgentTool,
  type AgentToolsOptions,
} from './agent-tools.ts';
export { langchainTools, openaiTools, vercelTools } from './frameworks.ts';
