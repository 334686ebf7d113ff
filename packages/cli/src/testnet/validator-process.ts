/** The process of one validator of a testnet. It ends when its channel to the parent closes. */
import { serveComet, type CometDir, type RunningNode } from '@netd/node';
import { exitCodeOf, isKnownError } from '../command-error.ts';
import { errorLog } from '../error-log.ts';
import type { ValidatorMessage, ValidatorStart } from './validator-messages.ts';

// Ctrl-C reaches all processes of the group, but the parent decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

let running: RunningNode<CometDir> | null = null;

const tell = (message: ValidatorMessage): void => {
  if (process.connected) process.send?.(message);
};

const end = new AbortController();
let starting: Promise<void> = Promise.resolve();

process.once('disconnect', () => {
  end.abort();
  void starting
    .then(() => running?.stop())
    .catch(() => {})
    .finally(() => process.exit());
});

process.once('message', (start: ValidatorStart) => {
  starting = run(start).catch((error: unknown) => {
    if (end.signal.aborted) return;
    console.error(isKnownError(error) ? error.message : error);
    process.exit(exitCodeOf(error));
  });
});

async function run({ dataDir, port, engine, logOptions }: ValidatorStart): Promise<void> {
  const logger = errorLog(logOptions);
  running = await serveComet({
    host: '127.0.0.1',
    port,
    dataDir,
    logger,
    ...engine,
    signal: end.signal,
    onEngineEnd: (sentence) => logger.error(`${sentence}; it is started again`),
    onHalt: (error) => {
      logger.error({ err: error }, 'this validator cannot go on');
      process.exit(exitCodeOf(error));
    },
  });
  const { url, node } = running;
  tell({ kind: 'up', url, height: node.chain.height });
}
