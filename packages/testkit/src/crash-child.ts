/**
 * A loaded node process for tests to kill. Prints `ready`, then `ack <hash> <height>` per acknowledged transition.
 * Arguments: data directory, senders, milliseconds between idle blocks. NET_FAILPOINT sets the failpoint.
 */
import { writeSync } from 'node:fs';
import { ApiError } from '@netd/engine';
import { NetNode } from '@netd/node';
import { giftBytes, registrationBytes } from './envelopes.ts';

const [dataDir = '', senders = '4', idleBlockTime = '50'] = process.argv.slice(2);

// Written synchronously, so that printed lines survive any end of the process.
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
  // An earlier process registered it, or the disk is full.
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
