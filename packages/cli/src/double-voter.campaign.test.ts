/**
 * A validator's key signs in two places, as after its data directory was copied. Runs four nodes and the
 * copy, with a CometBFT each. Only timing decides when the two votes differ, so this is no test for CI
 * (decision 145).
 */
import assert from 'node:assert/strict';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { validatorKeyFile } from '@netd/engine/cometbft';
import { readKeyFile } from '@netd/node/keys';
import { verifyDatabase } from '@netd/node/verify';
import { AgentKey, NetError, VerifiedReader } from '@netd/sdk';
import { freePort } from '@netd/testkit/free-port';
import { signerProgram, startSigner } from './testing/remote-signer.ts';
import { reached, StartedNodes, type StartedNode } from './testing/started-nodes.ts';

/** Hash of the empty list, in CometBFT blocks without evidence. */
const NO_EVIDENCE = 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855';
const VOTER = 'validator-4';
/** Bond of each validator in unet. */
const BOND = 1_000_000_000;
const MOST_ROUNDS = 200;

test('a key that votes in two places is slashed once', { timeout: 1_200_000 }, async (t) => {
  const nodes = await StartedNodes.make(t, 4);
  if (!nodes) return;
  const program = await signerProgram(t, nodes.home);
  if (program === null) return;
  const started = await Promise.all([0, 1, 2, 3].map((index) => nodes.start(nodes.placeOf(index))));
  const [one, two, three, four] = started as [StartedNode, StartedNode, StartedNode, StartedNode];
  await one.client.register({ actorId: 'ada', key: await AgentKey.generate() });
  assert.equal((await nodes.stop(four)).code, 0);

  // The copy has the record of the last signatures, and its own node key.
  const original = nodes.placeOf(3);
  const copy = { ...(await nodes.another('copy')), peers: nodes.peers.slice(0, 3) };
  cpSync(original.dataDir, copy.dataDir, { recursive: true });
  rmSync(join(copy.dataDir, 'cometbft', 'config', 'node_key.json'));
  const { code, stdout, stderr } = await nodes.begin(copy).ended;
  assert.notEqual(code, 0);
  assert.match(stdout + stderr, /is a copy[^]*One key must never sign in two places/);
  const back = await nodes.start(original);
  // The operator's wrong statement does not help, because the chain shows that the key signs elsewhere.
  await one.client.register({ actorId: 'bob', key: await AgentKey.generate() });
  // A copy that starts before the original votes again signs the same votes, and no chain shows that.
  await hasVoted(one, new Date());
  const wrong = await nodes.begin(copy, ['--only-here']).ended;
  assert.notEqual(wrong.code, 0);
  assert.match(wrong.stdout + wrong.stderr, /it signs in another place, or has signed there/);

  // A remote signer with the same key has its own record, which no node can read.
  const key = join(nodes.home, 'signer-key.json');
  const { privateKey } = readKeyFile(join(original.dataDir, 'keys', 'validator.json'));
  writeFileSync(key, JSON.stringify(validatorKeyFile(privateKey)));
  const record = join(copy.dataDir, 'cometbft/data/priv_validator_state.json');
  const port = await freePort();
  const place = { ...(await nodes.another('twin')), peers: copy.peers };
  const starting = nodes.start(place, [
    '--genesis',
    nodes.genesisPath,
    '--remote-signer',
    `127.0.0.1:${port}`,
  ]);
  const { chainId } = nodes.testnet;
  const signer = await startSigner(program, { port, chainId, key, record }, starting);
  t.after(() => signer.kill('SIGKILL'));
  const twin = await starting;

  const operator = await nodes.operator();
  const all = [one, two, three, back, twin];
  const pay = ({ client }: StartedNode): Promise<unknown> =>
    client.act(operator, 'transfer', { to: 'ada', amount: 1 }).catch((error: unknown) => {
      // On a busy machine, a block may take longer than a request waits.
      if (!(error instanceof NetError) || error.code !== 'NO_QUORUM') throw error;
    });
  let rounds = 0;
  /** Sends payments through all nodes until the condition holds. */
  const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
    for (; !(await isSo()); rounds++) {
      assert.ok(rounds < MOST_ROUNDS, `${rounds} rounds, and not yet: ${what}`);
      await Promise.all(all.map(pay));
    }
  };
  await until('a slash', async () => (await slashesOf(one)).length > 0);
  const slashedAfter = rounds;
  const isVoter = async (): Promise<boolean> => {
    const { validators } = await one.client.read('/v1/consensus/validator-set');
    return validators.some(({ validatorId }) => validatorId === VOTER);
  };
  assert.equal(await isVoter(), true, 'it keeps its place until the term is over');
  await until('the voter is out', async () => !(await isVoter()));
  // Evidence from the last heights of the double voter may be committed after the set has changed.
  const after = (await one.client.network()).height + 5;
  await until('five more blocks', async () => (await one.client.network()).height >= after);

  const evidence = await heightsWithEvidence(one);
  // Timing decides in how many of the last heights the two votes differ.
  assert.ok(evidence.length > 0, 'no block of the engine has evidence');
  const slashes = await slashesOf(one);
  assert.equal(slashes.length, 1);
  const { validator, doubleSigning } = await one.client.read('/v1/validators/{validatorId}', {
    validatorId: VOTER,
  });
  assert.equal(doubleSigning?.slashedBond, BOND / 10);
  assert.equal(validator.faults, 1);
  assert.equal(validator.selfBond, BOND - BOND / 10);
  t.diagnostic(
    `slashed after ${slashedAfter} rounds, height ${slashes[0]?.height}; out after ${rounds}, height ${after - 5}; evidence in blocks ${evidence.join()} of the engine`,
  );

  // The same holds for a node that executes these blocks again, and for clients that know only the genesis.
  const late = await nodes.start(await nodes.another('late'), [
    '--full-node',
    '--genesis',
    nodes.genesisPath,
  ]);
  all.push(late);
  await Promise.all(all.map(pay));
  const { height, genesisHash } = await one.client.network();
  for (const node of all) {
    await reached(node, height);
    const reader = new VerifiedReader(node.client, { genesisHash });
    const { value, verdict } = await reader.readState(`double-signing/${VOTER}`);
    assert.equal(verdict, 'trusted');
    assert.equal((value as { slashedBond: number }).slashedBond, BOND / 10);
  }
  const blocks = await Promise.all(
    all.map(({ client }) => client.read('/v1/blocks/{height}', { height })),
  );
  assert.equal(new Set(blocks.map(({ blockHash }) => blockHash)).size, 1);
  for (const node of all) assert.equal((await nodes.stop(node)).code, 0);
  for (const { dataDir } of nodes.testnet.validators) {
    const report = await verifyDatabase(join(dataDir, 'chain'), { genesisHash });
    assert.equal(report.fault, null);
    assert.ok(report.height >= height);
  }
});

/** Waits until the voter has voted after a time. */
async function hasVoted({ client }: StartedNode, since: Date): Promise<void> {
  const end = performance.now() + 120_000;
  for (;;) {
    const { validators } = await client.read('/health');
    const voter = validators?.validators.find(({ validatorId }) => validatorId === VOTER);
    if (voter?.lastVote && new Date(voter.lastVote) > since) return;
    assert.ok(performance.now() < end, `${VOTER} does not vote again`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const slashesOf = async ({ client }: StartedNode): Promise<{ height: number }[]> =>
  (await client.read('/v1/events', { type: 'ValidatorDoubleSigned' })).events;

/** Heights of CometBFT blocks with evidence. */
async function heightsWithEvidence({ url }: StartedNode): Promise<number[]> {
  const heights: number[] = [];
  for (let height = 1; ; height++) {
    const response = await fetch(`${url}/v1/consensus/engine-blocks/${height}`);
    if (response.status === 404) return heights;
    const { signedHeader } = (await response.json()) as {
      signedHeader: { header: { evidence_hash: string } };
    };
    if (signedHeader.header.evidence_hash !== NO_EVIDENCE) heights.push(height);
  }
}
