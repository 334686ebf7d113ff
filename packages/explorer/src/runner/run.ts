/** Makes an agent in the page, and lets a worker act for it under a session. */
import { Agent, type SessionFile } from '@netd/sdk';
import { nodeUrl } from '../chain/client.ts';
import { remember, remembered } from '../chain/stored.ts';
import { findStores } from '../chain/stores.ts';
import { workerScript } from '../chain/worker-script.ts';
import type { KeyFile } from '../wallet/key-files.ts';
import { ensureCrypto } from '../wallet/soft-crypto/install.ts';
import { browserHome } from './browser-home.ts';
import { SESSION_ACTIONS, SESSION_HEIGHTS } from './house-job.ts';
// The build turns it into an address.
// oxlint-disable-next-line import/default
import runnerUrl from './runner-worker.ts?worker&url';
import type { FromRunner, ToRunner } from './runner-worker.ts';

const KEY = 'run';

/** The agent that this browser has made on a chain. */
export interface Run {
  genesisHash: string;
  agentId: string;
  /** Name of the stored session; null until it is granted. */
  session: string | null;
  orderId: string | null;
  /** Unet; null until the job is paid. */
  paid: number | null;
  /** Milliseconds since 1970. */
  startedAt: number;
}

const homeOf = ({ genesisHash, agentId }: Run): string =>
  `netd-agent/${genesisHash.slice(0, 16)}/${agentId}`;

export function keptRun(genesisHash: string): Run | null {
  const run = remembered(KEY) as Run | null;
  return run?.genesisHash === genesisHash && typeof run.agentId === 'string' ? run : null;
}

export const keepRun = (run: Run | null): boolean => remember(KEY, run);

/** Returns the agent's key files, as other programs read them. */
export async function keyFiles(run: Run): Promise<KeyFile[]> {
  const home = await browserHome(homeOf(run));
  const names = [run.agentId, `${run.agentId}.encryption`];
  const texts = await Promise.all(names.map((name) => home.readSecret(name)));
  return names.flatMap((name, at) => {
    const text = texts[at];
    return typeof text === 'string' ? [{ name, text }] : [];
  });
}

class RunRefusedError extends Error {
  override name = 'RunRefusedError';
}

/**
 * Registers the agent with a key of its own, and grants a session that can spend nothing. Continues after a
 * reload.
 * @returns the run with its session
 * @throws RunRefusedError with a sentence for the reader; AgentError AGENT_ID_TAKEN
 */
export async function join(run: Run): Promise<Run> {
  if ((await ensureCrypto()) !== 'browser' || !('locks' in navigator)) {
    throw new RunRefusedError(
      'This browser makes no keys for pages over plain http from another machine. Open the page over https, or run the program below.',
    );
  }
  if (!keepRun(run)) {
    throw new RunRefusedError(
      'This browser stores nothing for this page, so it would lose the key. Allow storage, or run the program below.',
    );
  }
  const agent = await Agent.open(run.agentId, {
    url: nodeUrl,
    home: await browserHome(homeOf(run)),
    description: 'An agent in a browser tab',
    beacon: false,
    memory: false,
    log: false,
  });
  try {
    const { name } = await agent.grantSession({
      actions: SESSION_ACTIONS,
      budget: 0,
      expiresIn: SESSION_HEIGHTS,
      label: 'A worker of the page',
      readsSealed: false,
    });
    return { ...run, session: name };
  } finally {
    await agent.stop();
  }
}

/** Seconds. A new devnet announces its stores some seconds after it serves this page. */
const MOST_WAIT = 30;

/** Waits until a store is announced, because the worker may contact only stores that exist when its script is sent. */
async function storesAnnounced(): Promise<void> {
  for (let waited = 0; waited < MOST_WAIT; waited++) {
    const { usable, closed } = await findStores();
    if (usable.length + closed.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** @returns a function that ends the worker */
export async function startRunner(
  run: Run,
  listener: (message: FromRunner) => void,
): Promise<() => void> {
  const home = await browserHome(homeOf(run));
  const text = run.session === null ? null : await home.readSecret(run.session);
  if (text === null)
    throw new RunRefusedError(
      'This browser has lost the session of this agent. Start another agent.',
    );
  await storesAnnounced();
  const worker = new Worker(workerScript(runnerUrl), { type: 'module', name: 'agent' });
  worker.addEventListener('message', ({ data }: MessageEvent<FromRunner>) => listener(data));
  worker.addEventListener('error', (event) =>
    listener({
      kind: 'failed',
      text: event.message || 'The worker of the agent ended unexpectedly. Try again.',
    }),
  );
  const start: ToRunner = {
    url: nodeUrl,
    session: JSON.parse(text) as SessionFile,
    home: `${homeOf(run)}/${run.session}`,
    orderId: run.orderId,
  };
  // A worker has no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  worker.postMessage(start);
  return () => worker.terminate();
}
