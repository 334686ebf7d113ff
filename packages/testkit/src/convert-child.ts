/**
 * A process that converts the database of a golden chain. Arguments: data directory and what to do: `prepare`, `start`
 * (and stop), `cross` to version 2 of the rules, `back`, `restore` (and the backup). NET_FAILPOINT sets the failpoint. Prints what was reached.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { failpointFromPlan, Store, verifyDatabase } from '@netd/engine';
import { timestampToMs } from '@netd/protocol';
import { hashOfDigit } from '@netd/protocol/testing';
import { NetNode, prepareDatabase, restore, undoConversion } from '@netd/node';
import { intentBytes } from './envelopes.ts';
import { goingOnFrom } from './populated-node.ts';

const [dataDir = '', what = '', from = ''] = process.argv.slice(2);

// Written synchronously, so that printed lines survive any end of the process.
const say = (line: string): void => void writeSync(1, `${line}\n`);

async function start(): Promise<void> {
  const node = await NetNode.start({
    dataDir,
    clock: goingOnFrom(lastTime()),
    blockTime: 1,
    idleBlockTime: 100_000_000,
    failpoint: process.env['NET_FAILPOINT'],
    onConversion: ({ phase }) => say(phase),
  });
  say(`head ${node.chain.height}`);
  if (what === 'cross') await cross(node);
  await node.stop();
  if (what === 'cross') await verify();
}

async function verify(): Promise<void> {
  const { fault } = await verifyDatabase(join(dataDir, 'chain'), {});
  say(fault === null ? 'verified' : `fault ${fault.reason}`);
}

/** Without the format of this version. */
function lastTime(): number {
  const path = join(dataDir, 'chain');
  const store = Store.open(path, { readOnly: true, anyFormat: true, anyLists: true });
  const snapshot = store.snapshot();
  const { timestamp } = snapshot.block.header;
  snapshot.close();
  void store.close();
  return timestampToMs(timestamp);
}

async function cross(node: NetNode): Promise<void> {
  const height = node.chain.height + 4;
  let count = 0;
  const act = (action: string, payload: object): Promise<unknown> => {
    const members = { nonce: `cross-${count++}`, expiresAtHeight: node.chain.height + 100 };
    const { chainId } = node.dataDir.genesis;
    const bytes = intentBytes('operator', action, { ...payload }, { chainId, ...members });
    return node.admission.submit('intent', bytes, 'x');
  };
  await act('scheduleRules', { version: 2, height, artifactHash: hashOfDigit('a') });
  // Until the minimum time has passed.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  while (node.chain.height <= height) await act('fundRewardPool', { amount: 1 });
  const { version } = node.store.get('rules/active') as { version: number };
  say(`rules ${version}`);
}

try {
  if (what === 'prepare') {
    const reach = failpointFromPlan(process.env['NET_FAILPOINT']);
    const onConversion = ({ phase }: { phase: string }): void => say(phase);
    const prepared = await prepareDatabase(dataDir, { reach, onConversion });
    say(`prepared ${prepared?.height}`);
  } else if (what === 'back') {
    const { height } = await undoConversion(dataDir);
    say(`back ${height}`);
  } else if (what === 'restore') {
    const { height, executed } = await restore({ dataDir, from });
    say(`restored ${height}, executed ${executed}`);
    await verify();
  } else await start();
} catch (error) {
  const { name, message } = error as Error;
  say(`${name}: ${message}`);
  process.exitCode = 1;
}
