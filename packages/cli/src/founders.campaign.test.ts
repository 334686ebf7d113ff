/**
 * Four people found a chain from cards, each with keys that never leave a directory of their own. Then a fifth
 * joins, the first leaves, and the operator rotates its key, while payments run.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readKeyFile } from '@netd/node/keys';
import { AgentKey, type Actor } from '@netd/sdk';
import { Command } from './testing/command.ts';
import {
  during,
  insist,
  StartedNodes,
  type NodePlace,
  type StartedNode,
} from './testing/started-nodes.ts';

const NAMES = ['alpha', 'beta', 'gamma', 'delta'] as const;
const FIVE = 'eve';
const MOST_ROUNDS = 400;

test('four founders, a fifth joins, the first leaves', { timeout: 900_000 }, async (t) => {
  const nodes = await StartedNodes.make(t, 1);
  if (!nodes) return;
  const at = (name: string): string => join(nodes.home, name);
  const netd = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await new Command(args, nodes.home).ended;
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return stdout;
  };

  const chainId = (await netd('genesis', 'id', 'net-four')).trim();
  assert.match(chainId, /^net-four-[a-z2-9]{8}$/);
  /** Makes the keys of a validator in its own directory, and its card. */
  const init = async (name: string): Promise<NodePlace> => {
    const place = await nodes.another(name);
    const facts = ['--chain-id', chainId, '--name', name, '--fault-domain', name];
    const address = ['--address', place.p2pAddress, '--out', at(`${name}.json`)];
    await netd('engine', 'init', '-d', place.dataDir, ...facts, ...address);
    return place;
  };
  const places = await Promise.all(NAMES.map(init));
  const office = ['-d', at('office'), '--chain-id', chainId, '--out', at('operator.json')];
  await netd('genesis', 'operator', ...office);
  const cards = NAMES.map((name) => at(`${name}.json`));
  const made = ['--validators', cards.join(','), '--operator', at('operator.json'), '--yes'];
  await netd('genesis', 'new', '-d', at('desk'), '--term', '4', ...made);
  assert.ok(!existsSync(at('desk/keys')));
  const genesis = at('desk/genesis.json');
  for (const card of [...cards, at('operator.json')]) {
    const text = await netd('genesis', 'check', '--card', card, '--genesis', genesis);
    assert.match(text, /drawn again every 4 blocks/);
  }
  const uncompared = await netd('genesis', 'check', '--genesis', genesis);
  assert.match(uncompared, /compared with no card[^]*drawn again every 4 blocks/);
  const fifth = await init(FIVE);
  const facts = ['--name', FIVE, '--fault-domain', FIVE, '--address', fifth.p2pAddress];
  const cardless = await netd(
    'engine',
    'init',
    '-d',
    fifth.dataDir,
    '--chain-id',
    chainId,
    ...facts,
  );
  assert.match(cardless, /not written[^]*acts by the key of its agent/);
  const checking = ['genesis', 'check', '--card', at(`${FIVE}.json`), '--genesis', genesis];
  const unnamed = await new Command(checking, nodes.home).ended;
  assert.equal(unnamed.code, 1);
  assert.match(unnamed.stderr, /is not made from .*eve\.json: validatorId: the genesis has none/);

  const peers = cards.map(
    (card) => (JSON.parse(readFileSync(card, 'utf8')) as { peer: string }).peer,
  );
  const start = (place: NodePlace): Promise<StartedNode> =>
    nodes.start({ ...place, peers }, ['--genesis', genesis]);
  const [one, two, three, four] = (await Promise.all(places.map(start))) as [
    StartedNode,
    StartedNode,
    StartedNode,
    StartedNode,
  ];
  const operatorKey = at('office/keys/operator.json');
  const operator = async (): Promise<Actor> => {
    const file = readKeyFile(operatorKey);
    return { actorId: file.actorId, key: await AgentKey.fromPem(file) };
  };
  let payer = await operator();
  await insist(
    async () => two.client.register({ actorId: 'ada', key: await AgentKey.generate() }),
    'AGENT_EXISTS',
  );
  const pay = async ({ client }: StartedNode, to = 'ada', amount = 1): Promise<number> => {
    const receipt = await insist(() => client.act(payer, 'transfer', { to, amount }));
    assert.ok(receipt);
    return receipt.height;
  };
  const whilePaying = <Result>(work: Promise<Result>): Promise<Result> =>
    during(work, () => pay(three));
  /** Pays until the condition holds. */
  const until = async (what: string, isSo: (height: number) => Promise<boolean>): Promise<void> => {
    for (let round = 0; !(await isSo(await pay(three))); round++) {
      assert.ok(round < MOST_ROUNDS, `${round} payments, and not yet: ${what}`);
    }
  };
  const members = async (): Promise<string[]> => {
    const { validators } = await three.client.read('/v1/consensus/validator-set');
    return validators.map(({ validatorId }) => validatorId);
  };

  const five = await whilePaying(start(fifth));
  await whilePaying(netd('join', FIVE, '--url', two.url));
  await pay(two, FIVE, 2_000_000_000);
  const consensusKey = join(fifth.dataDir, 'keys/validator.json');
  const applying = ['apply', 'validator', 'selfBond=1000NET', 'faultDomain=fifth', '--id', 'app-5'];
  const asFive = ['--consensus-key', consensusKey, '--as', FIVE, '--url', two.url];
  const applied = await whilePaying(netd(...applying, ...asFive));
  assert.ok(applied.includes(`approve app-5 --url ${two.url}\n`), applied);
  await whilePaying(netd('approve', 'app-5', '--key', operatorKey, '--url', two.url));
  const claimed = await whilePaying(netd(...applying, ...asFive));
  assert.match(claimed, /eve is VALIDATOR from height/);
  await until('a vote of the fifth', async (height) => {
    const { certificate } = await three.client.read('/v1/blocks/{height}', { height });
    return certificate.votes.some(({ validatorId }) => validatorId === FIVE);
  });

  const owner = join(places[0]?.dataDir ?? '', 'keys/owner.json');
  const resign = JSON.stringify({ actorId: 'alpha', role: 'VALIDATOR' });
  const leaving = netd('act', 'alpha', 'resignRole', resign, '--key', owner, '--url', two.url);
  await whilePaying(leaving);
  await until('a set without the first', async () => !(await members()).includes('alpha'));
  assert.equal((await nodes.stop(one)).code, 0);
  assert.deepEqual((await members()).toSorted(), ['beta', 'delta', FIVE, 'gamma'].toSorted());

  await netd('keys', 'rotate', '-d', at('office'), '--url', two.url);
  payer = await operator();
  const height = await pay(four);
  const hashes = await Promise.all(
    [two, three, four, five].map(async ({ client }) => {
      while ((await client.network()).height < height) await pay(four);
      return (await client.read('/v1/blocks/{height}', { height })).blockHash;
    }),
  );
  assert.equal(new Set(hashes).size, 1);
});
