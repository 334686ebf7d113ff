/** A node as a newcomer starts it, in a process and a data directory of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
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

interface Facts {
  url: string;
  /** Of a testnet; null while one does not answer. */
  validators: { url: string | null }[];
}

export type FollowerProcess = Pick<NetdProcess, 'url' | 'stop'>;

/**
 * Starts four validators with `netd testnet`. `url` is the last one's, `dataDir` is shared and has the operator's key.
 * @throws Error with its stderr if it exits, for example if CometBFT is missing
 */
export async function startTestnet(): Promise<NetdProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'netd-conformance-'));
  const dataDir = join(directory, 'net');
  const options = ['--validators', '4', '--port', '0', '--dir', dataDir, '--house', 'none'];
  const child = spawn(process.execPath, [NETD, 'testnet', ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
  const stop = stopOf(child, directory);
  for (;;) {
    const facts = readFacts(join(dataDir, 'dev.json'));
    const urls = facts?.validators?.flatMap((each) => each.url ?? []) ?? [];
    const url = urls.at(-1);
    if (url !== undefined && urls.length === facts?.validators?.length)
      return { url, dataDir, stop };
    if (child.exitCode !== null) {
      await stop();
      throw new Error(said);
    }
    await setTimeout(50);
  }
}

/**
 * Resolves once the node answers.
 * @param staffed true for the house of `npm start`, whose agents keep acting; if false, only the checks change counts
 */
export async function startNetd({ staffed = false } = {}): Promise<NetdProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'netd-conformance-'));
  const dataDir = join(directory, 'chain');
  const options = staffed ? ['--quiet'] : ['--house', 'none', '--quiet', '--block-time', '5'];
  const args = ['dev', '--port', '0', '--data-dir', dataDir, ...options];
  const child = spawn(process.execPath, [NETD, ...args], { stdio: 'ignore' });
  const stop = stopOf(child, directory);
  for (;;) {
    const facts = readFacts(join(dataDir, 'dev.json'));
    if (facts?.url !== undefined) return { url: facts.url, dataDir, stop };
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
  const stop = stopOf(child, directory);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (said += part));
  for (;;) {
    const url = /Open\s+(http:\S+)/.exec(said)?.[1];
    if (url !== undefined) return { url, stop };
    if (child.exitCode !== null) throw new Error(`the follower ended with ${child.exitCode}`);
    await setTimeout(50);
  }
}

/** Ends a process and removes its data; what it said has been read by then. */
function stopOf(child: ChildProcess, directory: string): () => Promise<void> {
  const ended = new Promise((resolve) => child.once('close', resolve));
  return async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
}

function readFacts(path: string): Partial<Facts> | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<Facts>;
  } catch {
    return null;
  }
}
