/** Does one job of the house in a worker, under a session that can spend nothing. */
import { Agent, type SessionFile } from '@netd/sdk';
import { browserHome } from './browser-home.ts';
import { HOUSE, JOB_TYPE, SKILL } from './house-job.ts';

export interface ToRunner {
  url: string;
  session: SessionFile;
  /** Name of the database with the agent's state. */
  home: string;
  /** The order that this agent took before the page was reloaded. */
  orderId: string | null;
}

export type FromRunner =
  | { kind: 'accepted'; orderId: string }
  | { kind: 'paid'; orderId: string; unet: number }
  | { kind: 'says'; text: string }
  /** Nothing follows. `isOver` is true if the job has ended. */
  | { kind: 'failed'; text: string; isOver?: boolean };

/** Milliseconds. The house gives ten minutes for delivery, and payment needs one more. */
const MOST_TIME = 900_000;

/** Codes of jobs that this agent leaves to others: it has one skill, and does one job. */
const OF_OTHERS = new Set(['ORDER_UNSUITABLE', 'NOT_ACCEPTED']);

function post(message: FromRunner): void {
  // Messages to the page that started a worker have no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  self.postMessage(message);
}

async function work({ url, session, home, orderId }: ToRunner): Promise<void> {
  const options = { url, home: await browserHome(home), capabilities: [SKILL] };
  const agent = await Agent.openSession(session, {
    ...options,
    log: (text) => post({ kind: 'says', text }),
  });
  const end = new AbortController();
  let own = orderId;
  let isPaid = false;
  // An event without a listener is logged as text. The page shows these steps from the chain.
  for (const step of ['step', 'delivered'] as const) agent.on(step, () => undefined);
  agent.on('skipped', ({ code, reason }) => {
    if (!OF_OTHERS.has(code)) post({ kind: 'says', text: `It skipped a job: ${reason}` });
  });
  agent.on('accepted', (accepted) => {
    own = accepted.orderId;
    post({ kind: 'accepted', orderId: own });
  });
  agent.on('paid', (paid) => {
    isPaid = true;
    post({ kind: 'paid', orderId: paid.orderId, unet: paid.amount });
    end.abort();
  });
  agent.on('rejected', ({ reason }) => {
    post({ kind: 'failed', text: `The job ended without payment: ${reason}`, isOver: true });
    end.abort();
  });
  const canDo = ({ order }: { order: { requesterId: string; jobType: string } }): boolean =>
    own === null && order.requesterId === HOUSE && order.jobType === JOB_TYPE;
  // The same steps as in examples/earn.mjs, which the page hands out.
  agent.onWork({ accept: canDo }, async () => {
    const { chainId, genesisHash, height } = await agent.client.network();
    const { total: workOrders } = await agent.client.read('/v1/work-orders', { limit: 1 });
    const { beacons } = await agent.client.read('/v1/discovery');
    const capabilities = [...new Set(beacons.flatMap((one) => one.capabilities))].slice(0, 200);
    const summary = `${chainId} has ${beacons.length} agents that can be found, and work for more.`;
    return { chainId, genesisHash, height, workOrders, capabilities, summary };
  });
  await agent.run({ signal: AbortSignal.any([end.signal, AbortSignal.timeout(MOST_TIME)]) });
  if (!isPaid && !end.signal.aborted) {
    post({ kind: 'failed', text: 'The job was not paid within 15 minutes. See the order page.' });
  }
}

addEventListener(
  'message',
  ({ data }: MessageEvent<ToRunner>) => {
    work(data).catch((error: unknown) => {
      post({ kind: 'failed', text: (error as Error).message });
    });
  },
  { once: true },
);
