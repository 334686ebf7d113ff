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

interface TestnetFacts {
  validators: { pid: number | null; url: string | null }[];
}

/**
 * `netd testnet` in a process of its own, on what is in the directory; the node is its last validator.
 * @param port of the first; the others have ten more each
 */
export async function startTestnetProcess(directory: string, port: number): Promise<NodeProcess> {
  const file = join(directory, 'dev.json');
  const args = [NETD, 'testnet', '--port', String(port), '--dir', directory, '--house', 'none'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const whenUp = (fallen: number | null): Promise<{ pid: number; url: string }> =>
    until(async () => {
      if (child.exitCode !== null) throw new Error(`the testnet ended with ${child.exitCode}`);
      try {
        const { validators } = JSON.parse(readFileSync(file, 'utf8')) as TestnetFacts;
        const { pid = null, url = null } = validators.at(-1) ?? {};
        const areUp = validators.every((each) => each.url !== null);
        return areUp && pid !== null && pid !== fallen && url !== null ? { pid, url } : null;
      } catch {
        return null;
      }
    });
  const { url } = await whenUp(null);
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
    // Its supervisor starts it again.
    crash: async () => {
      const facts = JSON.parse(readFileSync(file, 'utf8')) as TestnetFacts;
      const pid = facts.validators.at(-1)?.pid ?? null;
      if (pid !== null) process.kill(pid, 'SIGKILL');
      await whenUp(pid);
    },
  };
}
