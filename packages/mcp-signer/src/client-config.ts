/** The lines that a person pastes into the configuration of an MCP client. */

/** A server as clients start it. */
export interface ServerEntry {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface ConfigOptions {
  agentId: string;
  /** The program and its first arguments, up to the command `mcp`. */
  program: readonly [string, ...string[]];
  /** Arguments of the command. */
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** The name of an agent's server in a client. */
export const serverName = (agentId: string): string => `netd-${agentId}`;

/** @returns JSON in the form that clients of stdio servers share */
export function clientConfig({ agentId, program, args, env }: ConfigOptions): string {
  const [command, ...first] = program;
  const server = { command, args: [...first, 'mcp', ...args], env };
  return JSON.stringify({ mcpServers: { [serverName(agentId)]: server } }, null, 2);
}
