/** `netd dev` as a process of its own, to be measured and killed from outside. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const NETD = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));
const START_TIMEOUT_MILLISECONDS = 30_000;

export interface NetdProcess {
  pid: number;
  url: string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export async function startNetd(dataDir: string): Promise<NetdProcess> {
  const facts = join(dataDir, 'dev.json');
  rmSync(facts, { force: true });
  const child = spawn(process.execPath, [NETD, 'dev', '--port', '0', '--data-dir', dataDir], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = await urlIn(facts, child);
  return {
    pid: child.pid ?? 0,
    url,
    kill: async (signal) => {
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}

async function urlIn(facts: string, child: ChildProcess): Promise<string> {
  const until = performance.now() + START_TIMEOUT_MILLISECONDS;
  while (performance.now() < until && child.exitCode === null) {
    await sleep(25);
    try {
      return (JSON.parse(readFileSync(facts, 'utf8')) as { url: string }).url;
    } catch {
      // Not written yet.
    }
  }
  child.kill('SIGKILL');
  throw new Error('netd dev did not start');
}
