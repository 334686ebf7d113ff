export interface ServerEntry {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface ConfigOptions {
  agentId: string;
  program: readonly [string, ...string[]];
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

export const serverName = (agentId: string): string => `netd-${agentId}`;

/** @returns JSON that most MCP clients of stdio servers accept */
export function clientConfig({ agentId, program, args, env }: ConfigOptions): string {
  const [command, ...first] = program;
  const server = { command, args: [...first, 'mcp', ...args], env };
  return JSON.stringify({ mcpServers: { [serverName(agentId)]: server } }, null, 2);
}
