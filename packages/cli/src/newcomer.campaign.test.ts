/**
 * A fifth machine joins a chain of four by its operator's commands. It starts from its peers' state, however
 * often it is killed, then bonds and votes. A sixth executes every block and reaches the same state (decision
 * 145).
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyDatabase } from '@netd/node/verify';
import { AgentKey, VerifiedReader, type NetClient, type Receipt } from '@netd/sdk';
import { Command } from './testing/command.ts';
import { insist, reached, StartedNodes, type StartedNode } from './testing/started-nodes.ts';

const FIVE = 'eve';
const NET = 1_000_000;
/** Enough for several state chunks of 256 KB. */
const AGENTS = 500;
const AT_ONCE = 50;
/** More blocks than a state snapshot includes. */
const PAYMENTS = 20;
const MOST_ROUNDS = 60;
const DEATHS = [
  'restore.chunks@0',
  'restore.chunks@262144',
  'restore.pairs',
  'restore.tree@1',
  'restore.done',
  'restore.taken',
];

test('a fifth begins with a state, and becomes a validator', async (t) => {
  const nodes = await StartedNodes.make(t, 4);
  if (!nodes) return;
  const validators = await Promise.all(
    [0, 1, 2, 3].map((index) => nodes.start(nodes.placeOf(index))),
  );
  const [one, two] = validators as [StartedNode, StartedNode];
  const operator = await nodes.operator();
  const pay = async ({ client }: StartedNode, to: string, amount: number): Promise<Receipt> => {
    const receipt = await insist(() => client.act(operator, 'transfer', { to, amount }));
    assert.ok(receipt);
    return receipt;
  };
  await registerMany(validators.map(({ client }) => client));
  for (let payment = 0; payment < PAYMENTS; payment++) await pay(one, 'agent-0', 1);

  /** Runs a command of the fifth's operator and expects exit code 0. */
  const netd = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await new Command(args, nodes.home).ended;
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const five = await nodes.another('fifth');
  const { chainId } = nodes.testnet;
  const facts = ['--chain-id', chainId, '--name', FIVE, '--fault-domain', 'fifth'];
  await netd('engine', 'init', '-d', five.dataDir, ...facts, '--address', five.p2pAddress);
  const joining = ['--genesis', nodes.genesisPath, '--state-sync', `${one.url},${two.url}`];

  const dies = async (failpoint: string): Promise<void> => {
    const command = nodes.begin(five, joining, { env: { NET_FAILPOINT: failpoint } });
    const { code, stdout, stderr } = await command.ended;
    assert.equal(command.child.signalCode, 'SIGKILL', `${failpoint}: ${code} ${stdout} ${stderr}`);
    assert.equal(stdout, '', 'it never answered');
    assert.equal(existsSync(join(five.dataDir, 'restore')), true);
  };
  // If the node has no state yet, its restore starts over. If it already has one, it continues from there.
  for (const failpoint of DEATHS) await dies(failpoint);
  const before = performance.now();
  await dies('restore.placed');
  const tookState = performance.now() - before;
  const fifth = await nodes.start(five, joining);
  assert.equal(existsSync(join(five.dataDir, 'restore')), false);
  const old = await fetch(`${fifth.url}/v1/blocks/1`);
  assert.equal(((await old.json()) as { code: string }).code, 'HISTORY_NOT_HELD');

  const begun = performance.now();
  const six = await nodes.another('sixth');
  const sixth = await nodes.start(six, ['--full-node', '--genesis', nodes.genesisPath]);
  const { height } = await pay(one, 'agent-0', 1);
  await reached(sixth, height);
  const tookBlocks = performance.now() - begun;
  await reached(fifth, height);
  const all = [...validators, fifth, sixth];
  const rootsAt = async (at: number) =>
    new Set(
      await Promise.all(
        all.map(async (node) => {
          await reached(node, at);
          const { header } = await node.client.read('/v1/blocks/{height}', { height: at });
          return header.stateRoot;
        }),
      ),
    );
  assert.equal((await rootsAt(height)).size, 1);
  t.diagnostic(
    `${height} blocks: by state in ${Math.round(tookState)} ms, by blocks in ${Math.round(tookBlocks)} ms`,
  );

  // The consensus key is in the data directory. The key that owns the bond is in the home directory.
  await netd('join', FIVE, '--url', fifth.url);
  await pay(one, FIVE, 2_000 * NET);
  const consensusKey = join(five.dataDir, 'keys', 'validator.json');
  const applying = ['apply', 'validator', 'selfBond=1000NET', 'faultDomain=fifth', '--id', 'app-5'];
  const asFive = ['--consensus-key', consensusKey, '--as', FIVE, '--url', fifth.url];
  const apply = (): Promise<string> => netd(...applying, ...asFive);
  await apply();
  const operatorKey = join(nodes.placeOf(0).dataDir, 'keys', 'operator.json');
  await netd('approve', 'app-5', '--key', operatorKey, '--url', two.url);
  assert.match(await apply(), /eve is VALIDATOR from height/);

  const blockAt = async (at: number) => one.client.read('/v1/blocks/{height}', { height: at });
  let voted: number | null = null;
  for (let round = 0; voted === null; round++) {
    assert.ok(round < MOST_ROUNDS, `${round} blocks, and no vote of ${FIVE}`);
    const { height: paid } = await pay(one, 'agent-0', 1);
    const { certificate } = await blockAt(paid);
    if (certificate.votes.some(({ validatorId }) => validatorId === FIVE)) voted = paid;
  }
  const { validators: set } = await one.client.read('/v1/consensus/validator-set');
  assert.equal(set.length, 5);
  t.diagnostic(`a vote of the fifth is in the certificate of block ${voted}`);
  // With one of the first four down, a quorum needs the fifth's vote.
  const fourth = validators[3] as StartedNode;
  all.splice(all.indexOf(fourth), 1);
  await nodes.stop(fourth);
  const { height: last } = await pay(fifth, 'agent-0', 1);
  assert.equal((await rootsAt(last)).size, 1);
  const { certificate } = await blockAt(last);
  assert.ok(certificate.votes.some(({ validatorId }) => validatorId === FIVE));
  const { genesisHash } = await one.client.network();
  for (const { client } of all) {
    const { verdict } = await new VerifiedReader(client, { genesisHash }).readState(
      `validator-candidate/${FIVE}`,
    );
    assert.equal(verdict, 'trusted');
  }
  for (const node of all) assert.equal((await nodes.stop(node)).code, 0);
  const report = await verifyDatabase(join(six.dataDir, 'chain'), { genesisHash });
  assert.equal(report.fault, null);
  assert.ok(report.height >= last);
});

async function registerMany(clients: readonly NetClient[]): Promise<void> {
  const description = 'd'.repeat(280);
  for (let from = 0; from < AGENTS; from += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) => {
        const client = clients[index % clients.length] as NetClient;
        const key = await AgentKey.generate();
        const actorId = `agent-${from + index}`;
        await insist(() => client.register({ actorId, key }, { description }), 'AGENT_EXISTS');
      }),
    );
  }
}
