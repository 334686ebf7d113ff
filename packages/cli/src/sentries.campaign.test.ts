/** A validator that reaches only its two sentries, and that only they may reach. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeId } from '@netd/engine/cometbft';
import { AgentKey } from '@netd/sdk';
import {
  during,
  insist,
  StartedNodes,
  type NodePlace,
  type StartedNode,
} from './testing/started-nodes.ts';

const HIDDEN = 3;
const NAME = 'validator-4';
/** More than the connections that one address of another machine may have, and than CometBFT's places. */
const RAW_SOCKETS = 60;

test('a validator votes through its sentries, and strangers do not reach it', async (t) => {
  const nodes = await StartedNodes.make(t, 4);
  if (!nodes) return;
  const [p1, p2, p3, p4] = nodes.peers as [string, string, string, string];
  const fullNode = ['--full-node', '--genesis', nodes.genesisPath];
  const peerOf = ({ dataDir, p2pAddress }: NodePlace): string =>
    `${nodeId(join(dataDir, 'cometbft'))}@${p2pAddress}`;
  const [one, two] = (await Promise.all(
    [0, 1, 2].map((index) => nodes.start({ ...nodes.placeOf(index), peers: [p1, p2, p3] })),
  )) as [StartedNode, StartedNode, StartedNode];
  const places = await Promise.all(['sentry-1', 'sentry-2'].map((name) => nodes.another(name)));
  const [first] = (await Promise.all(
    places.map((place) => nodes.start({ ...place, peers: [p1, p2, p3, p4] }, fullNode)),
  )) as [StartedNode, StartedNode];
  const sentries = places.map(peerOf);
  const hidden: NodePlace = { ...nodes.placeOf(HIDDEN), peers: sentries };
  const four = await nodes.start(hidden, ['--peers-only']);
  await insist(
    async () => two.client.register({ actorId: 'ada', key: await AgentKey.generate() }),
    'AGENT_EXISTS',
  );
  const operator = await nodes.operator();
  /** Pays through a validator, and returns who has certified the payment. */
  const pay = async (): Promise<string[]> => {
    const receipt = await insist(() =>
      two.client.act(operator, 'transfer', { to: 'ada', amount: 1 }),
    );
    assert.ok(receipt);
    const { height } = receipt;
    const { certificate } = await two.client.read('/v1/blocks/{height}', { height });
    return certificate.votes.map(({ validatorId }) => validatorId);
  };

  // Three of four are needed, so each block has the vote that came through the sentries.
  assert.equal((await nodes.stop(one)).code, 0);
  for (let payment = 0; payment < 3; payment++) assert.ok((await pay()).includes(NAME));

  const port = Number(hidden.p2pAddress.split(':')[1]);
  const sockets = Array.from({ length: RAW_SOCKETS }, () =>
    connect(port, '127.0.0.1').on('error', () => {}),
  );
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  assert.ok((await pay()).includes(NAME));
  for (const socket of sockets) socket.destroy();

  // A stranger that knows the address gets no block from it. With a sentry's address it does.
  const knowing = { ...(await nodes.another('knows')), peers: [p4] };
  const outside = { ...(await nodes.another('outside')), peers: sentries.slice(0, 1) };
  const refused = nodes.begin(knowing, [...fullNode, '--json']);
  await during(nodes.start(outside, fullNode), pay);
  for (let payment = 0; payment < 10; payment++) await pay();
  assert.equal(refused.stdout.includes('"url"'), false, 'it got the blocks of a hidden validator');
  const stopped = await nodes.stop({ command: refused });
  assert.match(stopped.stdout, /Waiting until|Stopped before the others had met/);

  const { command } = first;
  command.child.kill('SIGKILL');
  await command.ended;
  for (let payment = 0; payment < 3; payment++) assert.ok((await pay()).includes(NAME));

  // Without the option, the same stranger reaches it.
  assert.equal((await nodes.stop(four)).code, 0);
  await nodes.start(hidden);
  const reaching = await during(nodes.start(knowing, fullNode), pay);
  assert.ok((await reaching.client.network()).height > 0);
});
