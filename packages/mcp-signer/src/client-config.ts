export interface ServerEntry {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface ConfigOptions {
  agentId: string;
  /** Program and arguments before the command `mcp`. */
  program: readonly [string, ...string[]];
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

export const serverName = (agentId: string): string => `netd-${agentId}`;

/** @returns JSON, in the form that clients of stdio servers share */
export function clientConfig({ agentId, program, args, env }: ConfigOptions): string {
  const [command, ...first] = program;
  const server = { command, args: [...first, 'mcp', ...args], env };
  return JSON.stringify({ mcpServers: { [serverName(agentId)]: server } }, null, 2);
}
