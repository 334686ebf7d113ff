import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { ServerEntry } from '@netd/mcp-signer';
import { CommandError } from './command-error.ts';

/** Milliseconds before a server counts as hanging, even on a busy machine. */
const PATIENCE = 180_000;

interface Answer {
  id?: number;
  result?: { isError?: boolean; structuredContent?: unknown; content?: { text: string }[] };
  error?: { message: string };
}

export async function tryServer(
  { command, args, env }: ServerEntry,
  tool: string,
): Promise<unknown> {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
  // Ignore errors of writing to an ended process. Its end is reported below.
  child.stdin.on('error', () => {});
  const send = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const timer = setTimeout(() => child.kill(), PATIENCE);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', (error) => {
      said += error.message;
      resolve();
    });
  });
  try {
    const clientInfo = { name: 'netd mcp setup', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    send({ id: 1, method: 'initialize', params });
    for await (const line of createInterface({ input: child.stdout })) {
      const { id, result, error } = JSON.parse(line) as Answer;
      if (error || result?.isError === true) {
        said = error?.message ?? result?.content?.at(-1)?.text ?? '';
        break;
      }
      if (id === 1) {
        send({ method: 'notifications/initialized' });
        send({ id: 2, method: 'tools/call', params: { name: tool, arguments: {} } });
      }
      if (id === 2) return result?.structuredContent;
    }
    throw new CommandError(
      `the server did not answer as it should: ${said.trim()}`,
      'TRIAL_FAILED',
    );
  } finally {
    child.stdin.end();
    await ended;
    clearTimeout(timer);
  }
}
