/**
 * A node under load in a process of its own, to be killed: prints `ready`, then every acknowledged transition as a
 * line `ack <hash> <height>`. Arguments: data directory, number of senders, milliseconds between idle blocks. The
 * failpoint comes from NET_FAILPOINT.
 */
import { writeSync } from 'node:fs';
import { ApiError } from '@netd/engine';
import { NetNode } from '@netd/node';
import { giftBytes, registrationBytes } from './envelopes.ts';

const [dataDir = '', senders = '4', idleBlockTime = '50'] = process.argv.slice(2);

// Synchronously: a line that was printed is out, however the process ends.
const say = (line: string): void => void writeSync(1, `${line}\n`);

const node = await NetNode.start({
  dataDir,
  blockTime: 2,
  idleBlockTime: Number(idleBlockTime),
  failpoint: process.env['NET_FAILPOINT'],
  onBlockFailure: (_error, height) => say(`failure ${height}`),
});
say('ready');

await node.admission.submit('registration', registrationBytes('alice'), 'x').then(
  ({ receipt }) => say(`ack ${receipt.transitionHash} ${receipt.height}`),
  // Registered in an earlier life, or refused by a full disk.
  () => {},
);

async function send(name: string): Promise<never> {
  for (let i = 0; ; i++) {
    const nonce = `${process.pid}-${name}-${i}`;
    const body = giftBytes(node.dataDir.operator, 'alice', nonce, node.chain.height + 500);
    try {
      const { receipt } = await node.admission.submit('intent', body, 'x');
      say(`ack ${receipt.transitionHash} ${receipt.height}`);
      if (name === 's0' && i % 3 === 0) await node.checkpoints.latest();
    } catch (error) {
      say(error instanceof ApiError ? `refused ${error.code}` : `error ${String(error)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

await Promise.all(Array.from({ length: Number(senders) }, (_, i) => send(`s${i}`)));
