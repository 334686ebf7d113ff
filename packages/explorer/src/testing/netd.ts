/** `netd dev` in a process of its own, with its house. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NETD = join(import.meta.dirname, '../../../cli/src/main.ts');

interface DevFacts {
  blobs: { url: string; pid: number }[];
}

export interface Devnet {
  url: string;
  /** What it has printed so far. */
  said: () => string;
  /** Runs another command with the node's data directory. */
  netd: (...args: string[]) => ChildProcess;
  facts: () => DevFacts;
  stop: (signal?: 'SIGINT' | 'SIGKILL') => Promise<void>;
}

export async function startDevnet(...options: string[]): Promise<Devnet> {
  const home = mkdtempSync(join(tmpdir(), 'netd-explorer-dev-'));
  const netd = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [NETD, ...args, '--data-dir', join(home, 'chain')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], HOME: home },
    });
  const node = netd('dev', '--port', '0', ...options);
  let said = '';
  node.stdout?.setEncoding('utf8');
  const url = await new Promise<string>((found, fail) => {
    node.stdout?.on('data', (text: string) => {
      said += text;
      const at = /Open\s+(http:\S+)[^]*Ctrl-C/.exec(said)?.[1];
      if (at !== undefined) found(at);
    });
    node.stdout?.on('end', () => fail(new Error(`The node did not start:\n${said}`)));
  });
  return {
    url,
    said: () => said,
    netd,
    facts: () => JSON.parse(readFileSync(join(home, 'chain/dev.json'), 'utf8')) as DevFacts,
    stop: async (signal = 'SIGINT') => {
      node.kill(signal);
      await once(node, 'exit');
      rmSync(home, { recursive: true, force: true });
    },
  };
}
