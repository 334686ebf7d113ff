/** The server process; options come in the environment. */
import { readSessionFile } from '../session-file.ts';
import { serveSigner, type ServerOptions } from '../server.ts';

export type ChildOptions = Omit<ServerOptions, 'session' | 'note' | 'version'> & { path: string };

const { path, ...options } = JSON.parse(process.env['MCP_CHILD'] ?? '') as ChildOptions;
const session = await readSessionFile(path);
await serveSigner({
  ...options,
  session,
  version: '0',
  note: (line) => console.error(line),
});
