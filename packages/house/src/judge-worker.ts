import { parentPort } from 'node:worker_threads';
import type { ChainReplay } from '@netd/formats';
import { findingsOf, type Range } from './findings.ts';
import type { FromJudge, ToJudge } from './judging.ts';

const port = parentPort;
if (!port) throw new Error('judge-worker.ts is a thread');

const replays = new Map<number, (replayed: ChainReplay | null) => void>();
const tell = (message: FromJudge): void => port.postMessage(message, []);

/**
 * Asks the main thread to replay, because only it can query the node. If the main thread gives up, the
 * promise never settles.
 */
const replay = (id: number, range: Range): Promise<ChainReplay | null> =>
  new Promise((resolve) => {
    replays.set(id, resolve);
    tell({ id, replay: range });
  });

port.on('message', (message: ToJudge) => {
  const { id } = message;
  if ('replayed' in message) {
    replays.get(id)?.(message.replayed);
    replays.delete(id);
    return;
  }
  if ('givenUp' in message) {
    replays.delete(id);
    return;
  }
  findingsOf(message.delivered, (range) => replay(id, range), message.milliseconds).then(
    (findings) => tell({ id, findings }),
    (error: unknown) => tell({ id, failed: String(error) }),
  );
});
