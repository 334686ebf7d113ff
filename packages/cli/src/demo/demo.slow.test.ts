/** The demo against a real node: a full run, an interruption, a repetition, an endless run, and its refusals. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DEVNET_POLICY } from '@netd/ledger';
import { serve } from '@netd/node';
import { readKeyFile } from '@netd/node/keys';
import { makeFastDevnet } from '@netd/testkit/fast-devnet';
import { verifyUrl } from '@netd/node/verify';
import { TOTAL_SUPPLY, UNET_PER_NET } from '@netd/protocol';
import { inCampaign, plays } from '@netd/protocol/testing';
import { AgentKey, NetClient } from '@netd/sdk';
import { EXIT } from '../exit-codes.ts';
import { Command, startDev, type DevFacts, type Ended } from '../testing/command.ts';

const devArgs = 'dev --port 0 --data-dir chain --house none --block-time 5'.split(' ');

let home: string;
let dev: Command;
let facts: DevFacts;

before(async () => {
  home = mkdtempSync(join(tmpdir(), 'netd-demo-'));
  makeFastDevnet(join(home, 'chain'), {
    disputeWindow: 5_000,
    policy: {
      governance: {
        ...DEVNET_POLICY.governance,
        votingPeriod: { heights: 2, milliseconds: 3_000 },
        timelock: { heights: 2, milliseconds: 2_000 },
      },
    },
  });
  [dev, facts] = await startDev(devArgs, home);
});
after(async () => {
  dev.child.kill('SIGKILL');
  await dev.ended;
  rmSync(home, { recursive: true, force: true });
});

const play = (...args: string[]): Command =>
  new Command(['demo', '--data-dir', 'chain', ...args], home);

/** Waits until the command has printed the text. Fails if the command ends first. */
async function said(command: Command, what: RegExp): Promise<void> {
  while (!what.test(command.stdout)) {
    if (command.child.exitCode !== null) assert.fail(`${command.stdout}\n${command.stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function read<Document>(path: string): Promise<Document> {
  const answer = await fetch(facts.url + path);
  assert.equal(answer.status, 200, path);
  return (await answer.json()) as Document;
}

/** Asserts that the output of a finished run agrees with the chain. */
async function assertPlayed({ code, stdout, stderr }: Ended): Promise<void> {
  assert.equal(code, 0, stdout + stderr);
  assert.ok(!stdout.includes('PRIVATE'));
  const runId = /Run ([0-9a-f]{6})\./.exec(stdout)?.[1] ?? '';
  const { orders } = await read<{
    orders: { orderId: string; status: string; reason: string | null; workerId: string }[];
  }>('/v1/work-orders');
  const ends = orders
    .filter(({ orderId }) => orderId.startsWith(`demo-${runId}-`))
    .map(({ orderId, status, reason }) => [orderId.slice(12), status, reason]);
  assert.deepEqual(ends, [
    ['dispute', 'REJECTED', 'DISPUTE_UPHELD'],
    ['protocol', 'PAID', null],
    ['direct', 'PAID', null],
    ['market', 'PAID', null],
  ]);
  const { messages } = await read<{ messages: { status: string }[] }>(
    `/v1/agent-messages?conversationId=demo-${runId}-talk`,
  );
  assert.deepEqual(
    messages.map(({ status }) => status),
    ['DELIVERED', 'DELIVERED'],
  );
  const { handovers } = await read<{ handovers: { handoverId: string; status: string }[] }>(
    '/v1/memory/handovers',
  );
  const moved = handovers.find(({ handoverId }) => handoverId === `demo-${runId}-move`);
  assert.equal(moved?.status, 'FINALIZED');
  const winner = orders.find(({ orderId }) => orderId === `demo-${runId}-market`)?.workerId;
  const { topHolders } = await read<{ topHolders: unknown[] }>(`/v1/tokens/tok-medal-${runId}`);
  assert.deepEqual(topHolders, [{ actorId: winner, amount: 1 }]);
  await assertReleased(runId);
  const { value } = await read<{ value: { verifiers: unknown[] } }>(
    '/v1/state/proof?key=verifier-roster/active',
  );
  // The verifiers stop with the demo, so no later jury may need them.
  assert.deepEqual(value.verifiers, []);
  // While it plays, no jury of an order that a program judges needs them.
  const { events } = await read<{ events: { data: { conditionKinds: string[] } }[] }>(
    '/v1/events?type=ConditionKindsDeclared&limit=5',
  );
  assert.deepEqual(
    events.map(({ data }) => data.conditionKinds),
    Array.from({ length: 5 }, () => ['demo']),
  );
  const token = await read<{ classesSum: number }>('/v1/token');
  assert.equal(token.classesSum, TOTAL_SUPPLY);
  for (const [, path = ''] of stdout.matchAll(/ {2}http:\/\/127\.0\.0\.1:\d+(\/\S+)$/gm)) {
    await read(path);
  }
}

/** Asserts that the run's contribution was released, and that the documents show how. */
async function assertReleased(runId: string): Promise<void> {
  const contributionId = `demo-${runId}-proofs`;
  const { contribution } = await read<{
    contribution: { status: string; buildHash: string; receipts: number };
  }>(`/v1/protocol/contributions/${contributionId}`);
  assert.deepEqual([contribution.status, contribution.receipts], ['DEPLOYED', 1]);
  const { releases } = await read<{
    releases: { contributionId: string; artifactHash: string; origins: unknown[] }[];
  }>('/v1/protocol/releases');
  const released = releases.filter((release) => release.contributionId === contributionId);
  assert.deepEqual(
    released.map(({ artifactHash, origins }) => [artifactHash, origins.length]),
    [[contribution.buildHash, 2]],
  );
  const { engagements } = await read<{
    engagements: { engagementId: string; status: string; confirmations: number }[];
  }>('/v1/audits');
  const audit = engagements.find(({ engagementId }) => engagementId === `demo-${runId}-audit`);
  assert.deepEqual([audit?.status, audit?.confirmations], ['CLOSED', 1]);
  const { gates } = await read<{ gates: { id: string; pass: boolean; actual: number }[] }>(
    '/v1/mainnet/readiness',
  );
  const gate = (id: string): unknown[] =>
    gates.filter((one) => one.id === id).map(({ pass, actual }) => [pass, actual]);
  assert.deepEqual(gate('validators'), [[false, 1]]);
  assert.deepEqual(gate('follower-nodes'), [[true, 2]]);
  assert.deepEqual(gate('wallet-channels'), [[true, 2]]);
}

test('runs that are killed in the middle, and the run after them', async () => {
  for (const moment of plays([/offers a change/], [/2 {2}Roles/, /offers a change/])) {
    const run = play();
    await said(run, moment);
    run.child.kill('SIGKILL');
    await run.ended;
  }
  await assertPlayed(await play().ended);
  const { byStatus } = await read<{ byStatus: Record<string, number> }>(
    '/v1/protocol/contributions',
  );
  assert.deepEqual([byStatus['CHANGES_REQUIRED'], byStatus['DEPLOYED']], [1, 1]);
  const { referrals } = await read<{ referrals: { status: string }[] }>('/v1/referrals');
  assert.equal(referrals.length, 3);
  assert.ok(referrals.some(({ status }) => status === 'qualified'));
  const keys = join(home, 'chain', 'demo', 'keys');
  // There is a key for each member of the cast, and the validator's consensus key.
  assert.equal(readdirSync(keys).length, 16);
  for (const file of readdirSync(keys))
    assert.equal(statSync(join(keys, file)).mode & 0o777, 0o600);
});

test(
  'a run goes on with the cast of the last one, and in a loop ends when told to',
  inCampaign,
  async () => {
    const { total } = await read<{ total: number }>('/v1/agents');
    assert.equal(total, 15);
    const run = play('--loop');
    await said(run, /14 {2}Work[^]*15 {2}Messages/);
    run.child.kill('SIGINT');
    const ended = await run.ended;
    assert.match(ended.stdout, /Stopped\./);
    await assertPlayed(ended);
    assert.equal((await read<{ total: number }>('/v1/agents')).total, 15);
  },
);

test('a single run that is told to end does so with the code for that', inCampaign, async () => {
  const run = play();
  // This run stops while the chambers vote. The last run finds what it leaves.
  await said(run, /In favour/);
  run.child.kill('SIGINT');
  const { code, stdout, stderr } = await run.ended;
  assert.deepEqual([code, stderr], [130, '']);
  assert.match(stdout, /Stopped\./);
});

test('the chain that the demo made replays', async () => {
  const report = await verifyUrl(facts.url, {});
  assert.deepEqual([report.ok, report.fault], [true, null]);
});

const NOBODY = 'http://127.0.0.1:1';

describe('if it cannot be played, it says why:', () => {
  const refused = async (sentence: RegExp, ...args: string[]): Promise<void> => {
    const { code, stderr } = await new Command(['demo', ...args], home).ended;
    const isSilent = args.includes(NOBODY);
    assert.equal(code, isSilent ? EXIT.unreachable : EXIT.failed);
    assert.match(stderr, sentence);
    assert.match(stderr, /^netd: [^\n]+\n$/);
  };
  const directory = (name: string, content: string): string => {
    mkdirSync(join(home, name));
    writeFileSync(join(home, name, 'dev.json'), content);
    return name;
  };
  test('no node has started on the data directory', () =>
    refused(/there is no nowhere\/dev\.json: start the node/, '--data-dir', 'nowhere'));
  test('only the address of a node is given', () =>
    refused(
      /there is no \.netd\/dev\.json: .*operator's key .* name its data directory with --data-dir/,
      '--url',
      facts.url,
    ));
  test('dev.json is half written', () =>
    refused(/dev\.json cannot be read/, '--data-dir', directory('half', '{"schema":')));
  test('dev.json is something else', () =>
    refused(/not what netd dev writes/, '--data-dir', directory('other', '{}')));
  test('nobody answers', () =>
    refused(/no node answers at/, '--data-dir', 'chain', '--url', NOBODY));
  test('the operator key is gone', () => {
    const lost = JSON.stringify({ ...facts, operatorKeyPath: join(home, 'lost.json') });
    return refused(
      /operator's key.*lost\.json cannot be used/,
      '--data-dir',
      directory('lost', lost),
    );
  });
  test('the genesis document is gone', () => {
    const lost = JSON.stringify({ ...facts, genesisPath: join(home, 'lost.json') });
    return refused(/lost\.json cannot be read/, '--data-dir', directory('bare', lost));
  });
  test('the node serves another chain', async () => {
    const running = await serve({ host: '127.0.0.1', port: 0, dataDir: join(home, 'elsewhere') });
    try {
      await refused(/serves another chain/, '--data-dir', 'chain', '--url', running.url);
    } finally {
      await running.stop();
    }
  });
  test('the cast plays on another chain', () => {
    const name = directory('strangers', JSON.stringify(facts));
    mkdirSync(join(home, name, 'demo'));
    const cast = { schema: 'NET-DEMO-CAST/1', genesisHash: '0'.repeat(64), suffix: 'abcd' };
    writeFileSync(join(home, name, 'demo', 'cast.json'), JSON.stringify(cast));
    return refused(/plays on another chain/, '--data-dir', name);
  });
});

test('a node that ends in the middle is reported, too', async () => {
  const run = play();
  await said(run, /3 {2}Work/);
  dev.child.kill('SIGKILL');
  const { code, stderr } = await run.ended;
  assert.equal(code, EXIT.unreachable);
  assert.match(stderr, /^netd: the node at \S+ has stopped answering; the demo ends here/);
});

test('dev plays it on itself, and stays up; what it leaves on disk is valid', async () => {
  await dev.ended;
  [dev, facts] = await startDev([...devArgs, '--demo'], home);
  await said(dev, /The node goes on/);
  assert.match(dev.stdout, /13 {2}Audit/);
  assert.equal((await fetch(`${facts.url}/health`)).status, 200);
  dev.child.kill('SIGTERM');
  const { code, stderr } = await dev.ended;
  assert.equal(code, 0);
  // The only warning is about the id that the test chooses.
  assert.match(stderr, /^(\{[^\n]*has no random suffix[^\n]*\}\n)?$/);
  const verified = await new Command(['verify', '--data-dir', 'chain'], home).ended;
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  assert.match(verified.stdout, /^Valid: net-devnet-1 up to height/);
});

test('a loop survives its node and an empty faucet, plays alone, and leaves no open order', async () => {
  const place = join(home, 'loop');
  mkdirSync(place);
  const args = 'dev --lab --port 0 --data-dir chain --house none'.split(' ');
  let [lab, { url }] = await startDev(args, place);
  const loop = new Command(['demo', '--data-dir', 'chain', '--loop'], place);
  try {
    await said(loop, /replay it all/);
    const second = await new Command(['demo', '--data-dir', 'chain'], place).ended;
    assert.deepEqual([second.code, second.stdout], [EXIT.failed, '']);
    assert.match(
      second.stderr,
      /^netd: another demo is playing with the cast in chain\/demo; stop it/,
    );

    await said(loop, /14 {2}Work\n[^]*the money is in escrow/);
    lab.child.kill('SIGKILL');
    await lab.ended;
    await said(
      loop,
      /This round failed \(1 of 3 in a row\): the node at \S+ has stopped answering\./,
    );
    // Its port is another one now.
    [lab, { url }] = await startDev(args, place);
    await said(
      loop,
      /The loop goes on at [^]*finishes \d+ orders? that it left|orders? open\. They are/,
    );

    // The faucet pays an account 1,000 NET before its first paid order.
    const keys = join(place, 'chain', 'demo', 'keys');
    const file = readdirSync(keys).find((name) => name.startsWith('rita-')) ?? '';
    const key = await AgentKey.fromPem(readKeyFile(join(keys, file)));
    const client = new NetClient({ url });
    const rita = { actorId: file.replace('.json', ''), key };
    const { account } = await client.read('/v1/agents/{agentId}', { agentId: rita.actorId });
    const amount = account.balance - 60 * UNET_PER_NET;
    await client.act(rita, 'transfer', { to: 'operator', amount });
    await said(loop, /rita runs low, and the others pass on \d+/);
    const rounds = loop.stdout.split('race for the open').length;
    await said(loop, new RegExp(`(race for the open[^]*){${rounds}}`));
    loop.child.kill('SIGINT');
    const { code, stdout, stderr } = await loop.ended;
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /Left in the middle: [^]*Stopped\./);
    for (const status of ['OPEN', 'ACCEPTED']) {
      const { orders } = await client.get<{ orders: unknown[] }>(
        `/v1/work-orders?status=${status}`,
      );
      assert.deepEqual(orders, []);
    }
  } finally {
    loop.child.kill('SIGKILL');
    lab.child.kill('SIGTERM');
  }
  await lab.ended;
});

test('on a laboratory nothing waits: its clock moves to what is due', inCampaign, async () => {
  const place = join(home, 'laboratory');
  mkdirSync(place);
  const args = 'dev --lab --demo --port 0 --data-dir chain --house none'.split(' ');
  const [lab, { url }] = await startDev(args, place);
  try {
    await said(lab, /The node goes on/);
    assert.match(lab.stdout, /13 {2}Audit/);
    const { clock } = (await (await fetch(`${url}/v1/lab`)).json()) as { clock: string };
    // The dispute window takes 30 seconds, the vote 20 and the timelock 15. Some of them overlap.
    const ahead = Date.parse(clock) - Date.now();
    assert.ok(ahead > 1_000, `the clock is ${ahead} ms ahead`);
  } finally {
    lab.child.kill('SIGTERM');
  }
  const { code, stderr } = await lab.ended;
  assert.deepEqual([code, stderr], [0, '']);
});
