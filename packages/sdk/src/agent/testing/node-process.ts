/** A node in a process of its own, so that it can be killed. */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@netd/protocol/testing';

const NETD = fileURLToPath(new URL('../../../../cli/bin/netd.mjs', import.meta.url));

interface NodeProcess {
  url: string;
  stop(): Promise<void>;
  /** kill -9 */
  crash(): Promise<void>;
}

export async function startNodeProcess(dataDir: string, port: number): Promise<NodeProcess> {
  const facts = join(dataDir, 'dev.json');
  rmSync(facts, { force: true });
  const options = ['--house', 'none', '--quiet', '--block-time', '1'];
  const args = [NETD, 'dev', '--port', String(port), '--data-dir', dataDir, ...options];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  const { url } = await until(async () => {
    if (child.exitCode !== null) throw new Error(`the node ended with ${child.exitCode}`);
    try {
      return JSON.parse(readFileSync(facts, 'utf8')) as { url: string };
    } catch {
      return null;
    }
  });
  return { url, stop: () => end('SIGTERM'), crash: () => end('SIGKILL') };
}
