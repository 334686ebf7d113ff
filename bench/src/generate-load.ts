/** Starts the load generator as a child process and waits for its figure. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const GENERATOR = fileURLToPath(new URL('load-generator.ts', import.meta.url));

export interface LoadOrder {
  port: number;
  path: string;
  connections: number;
  requests?: number;
  bodies?: Buffer[];
}

/** Requests per second that were answered with success. */
export async function generateLoad({ bodies = [], ...order }: LoadOrder): Promise<number> {
  const child = spawn(process.execPath, [GENERATOR], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(`${JSON.stringify(order)}\n`);
  for (const body of bodies) child.stdin.write(`${body.toString('utf8')}\n`);
  child.stdin.end();
  let output = '';
  child.stdout.on('data', (part: Buffer) => {
    output += part.toString();
  });
  await once(child, 'close');
  const { rate, failed } = JSON.parse(output) as { rate: number; failed: number };
  if (failed > 0) throw new Error(`${failed} requests failed`);
  return rate;
}
