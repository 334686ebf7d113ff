import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerEntry } from '@netd/mcp-signer';

interface Places {
  home: string;
  cwd: string;
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
}

interface McpClient {
  title: string;
  file: (places: Places) => string;
  trace: (places: Places) => string;
  edit: (text: string, name: string, entry: ServerEntry) => string;
}

function applications({ home, platform, env }: Places): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  return env['XDG_CONFIG_HOME'] || join(home, '.config');
}

const codexHome = ({ home, env }: Places): string => env['CODEX_HOME'] || join(home, '.codex');

const CLIENTS = {
  'claude-desktop': {
    title: 'Claude Desktop',
    file: (places) => join(applications(places), 'Claude', 'claude_desktop_config.json'),
    trace: (places) => join(applications(places), 'Claude'),
    edit: jsonEdit('mcpServers'),
  },
  // Use the folder's file, because Claude Code rewrites its other file while it runs.
  'claude-code': {
    title: 'Claude Code, in this folder',
    file: ({ cwd }) => join(cwd, '.mcp.json'),
    trace: ({ home }) => join(home, '.claude'),
    edit: jsonEdit('mcpServers'),
  },
  cursor: {
    title: 'Cursor',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    trace: ({ home }) => join(home, '.cursor'),
    edit: jsonEdit('mcpServers'),
  },
  vscode: {
    title: 'VS Code',
    file: (places) => join(applications(places), 'Code', 'User', 'mcp.json'),
    trace: (places) => join(applications(places), 'Code'),
    edit: jsonEdit('servers', { type: 'stdio' }),
  },
  codex: {
    title: 'Codex',
    file: (places) => join(codexHome(places), 'config.toml'),
    trace: codexHome,
    edit: tomlEdit,
  },
} as const satisfies Record<string, McpClient>;

export type ClientName = keyof typeof CLIENTS;
export const CLIENT_NAMES = Object.keys(CLIENTS) as ClientName[];

export interface ConfigChange {
  client: ClientName;
  title: string;
  path: string;
  before: string | null;
  after: string;
}

export function clientsHere(places: Places): ClientName[] {
  return CLIENT_NAMES.filter((name) => existsSync(CLIENTS[name].trace(places)));
}

/**
 * Returns the change that adds the server.
 * @throws Error with a sentence if the file cannot be extended safely
 */
export function changeFor(
  client: ClientName,
  places: Places,
  name: string,
  entry: ServerEntry,
): ConfigChange {
  const { title, file, edit }: McpClient = CLIENTS[client];
  const path = file(places);
  const before = existsSync(path) ? readFileSync(path, 'utf8') : null;
  return { client, title, path, before, after: edit(before ?? '', name, entry) };
}

function jsonEdit(member: string, more: object = {}): McpClient['edit'] {
  return (text, name, entry) => {
    let whole: unknown;
    try {
      whole = text.trim() === '' ? {} : JSON.parse(text);
    } catch {
      throw new Error('it is not plain JSON (comments?), and writing it anew would lose that');
    }
    if (!isObject(whole)) throw new Error('it holds no JSON object');
    const servers = whole[member] ?? {};
    if (!isObject(servers)) throw new Error(`its member ${member} is no object`);
    if (Object.hasOwn(servers, name)) throw new Error(`it has a server ${name} already`);
    const added = { ...servers, [name]: { ...more, ...entry } };
    const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? 2;
    return `${JSON.stringify({ ...whole, [member]: added }, null, indent)}\n`;
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Appends a table, because TOML allows tables in any order. */
function tomlEdit(text: string, name: string, { command, args, env }: ServerEntry): string {
  // JSON strings are valid TOML strings, except for DEL, which no path contains.
  const value = (one: string): string => JSON.stringify(one);
  const head = `mcp_servers.${name}`;
  const taken = new RegExp(String.raw`^\s*\[\s*mcp_servers\s*\.\s*["']?${name}["']?\s*[\].]`, 'm');
  if (taken.test(text)) throw new Error(`it has a server ${name} already`);
  if (/^\s*mcp_servers\b\s*[=.]/m.test(text)) {
    throw new Error('it has its servers in a form that nothing can be added to behind it');
  }
  const lines = [
    `[${head}]`,
    `command = ${value(command)}`,
    `args = [${args.map(value).join(', ')}]`,
    '',
    `[${head}.env]`,
    ...Object.entries(env).map(([key, one]) => `${key} = ${value(one)}`),
  ];
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return `${text}${gap}${lines.join('\n')}\n`;
}
