/** A node as a newcomer starts it, in a process and a data directory of its own. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const NETD = fileURLToPath(new URL('../../packages/cli/bin/netd.mjs', import.meta.url));

export interface NetdProcess {
  url: string;
  dataDir: string;
  /** Ends the process and removes its data. */
  stop(): Promise<void>;
}

export type FollowerProcess = Pick<NetdProcess, 'url' | 'stop'>;

/**
 * Resolves once the node answers.
 * @param staffed with the house of `npm start`, whose agents go on acting; else what is counted is what the checks make
 */
export async function startNetd({ staffed = false } = {}): Promise<NetdProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'netd-conformance-'));
  const dataDir = join(directory, 'chain');
  const options = staffed ? ['--quiet'] : ['--house', 'none', '--quiet', '--block-time', '5'];
  const args = ['dev', '--port', '0', '--data-dir', dataDir, ...options];
  const child = spawn(process.execPath, [NETD, ...args], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  for (;;) {
    const facts = readFacts(join(dataDir, 'dev.json'));
    if (facts) return { url: facts.url, dataDir, stop };
    if (child.exitCode !== null) throw new Error(`the node ended with ${child.exitCode}`);
    await setTimeout(50);
  }
}

/** A follower of a node, in a process of its own; resolves once it answers. */
export async function startFollower(origin: string): Promise<FollowerProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'netd-conformance-follower-'));
  const options = ['--port', '0', '--data-dir', join(directory, 'follower')];
  const child = spawn(process.execPath, [NETD, 'follow', origin, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (said += part));
  for (;;) {
    const url = /Open\s+(http:\S+)/.exec(said)?.[1];
    if (url !== undefined) return { url, stop };
    if (child.exitCode !== null) throw new Error(`the follower ended with ${child.exitCode}`);
    await setTimeout(50);
  }
}

function readFacts(path: string): { url: string } | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as { url: string };
  } catch {
    return null;
  }
}
