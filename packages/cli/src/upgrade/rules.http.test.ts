/** `netd upgrade` for the rules of a running chain. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { DEVNET_POLICY, NEWEST_RULES } from '@netd/ledger';
import { sha256Hex } from '@netd/protocol';
import { hashOfDigit } from '@netd/protocol/testing';
import { ensureKeyFile } from '@netd/node/keys';
import { startLiar } from '@netd/sdk/test';
import { makeFastDevnet } from '@netd/testkit/fast-devnet';
import { HttpNode } from '@netd/testkit/http-node';
import { tempDir } from '@netd/testkit/temp-dir';
import { done, runHere } from '../testing/run-here.ts';

const timelock = { heights: 8, milliseconds: 1 };
const policy = { governance: { ...DEVNET_POLICY.governance, timelock } };

interface Running {
  node: HttpNode;
  words: (...more: string[]) => string[];
}

async function start(t: TestContext): Promise<Running> {
  const dataDir = tempDir(t);
  const { chainId } = makeFastDevnet(dataDir, { policy, rules: 1 });
  const node = await HttpNode.start({ dataDir, chainId });
  t.after(() => node.stop());
  return { node, words: (...more) => ['upgrade', ...more, '-d', dataDir, '--url', node.url] };
}

interface Status {
  active: { version: number };
  known: boolean;
  scheduled: {
    version: number;
    artifactHash: string;
    policy: object;
    remainingBlocks: number;
    ready: { power: number; validators: { validatorId: string; ready: boolean }[] } | null;
  } | null;
}

const json = async (words: string[]): Promise<Status> =>
  JSON.parse(await done([...words, '--json'])) as Status;

async function refusal(words: string[]): Promise<[code: number | null, text: string]> {
  const { code, stderr } = await runHere(words);
  return [code, stderr];
}

test('an operator schedules and cancels a version, and is told what is wrong', async (t) => {
  const { node, words } = await start(t);
  assert.match(await done(words('--status')), /active +version 1 \(founding\)\n +scheduled +none/);
  const scheduling = (height: number, ...more: string[]): string[] =>
    words('--schedule', '2', '--at', String(height), ...more);
  for (const [said, sentence] of [
    [words('--status', '--check'), /say one of --check/],
    [words('--schedule', '2'), /with --at HEIGHT/],
    [scheduling(100), /with --artifact, or .* with --release/],
    [scheduling(100, '--artifact', 'no-file'), /neither a SHA-256 in hex nor a file/],
    [scheduling(100, '--artifact', node.dataDir), /neither a SHA-256 in hex nor a file/],
    [words('--schedule', String(NEWEST_RULES + 1), '--at', '100'), /the release that has it/],
    [words('--cancel', '--withdraw'), /add --ready/],
    [words('--cancel', '--policy', 'names.price=work'), /belongs to --schedule/],
    [words('--status', '--at', '100'), /--at belongs to --schedule/],
    [['upgrade', '--cancel', '-d', tempDir(t), '--url', node.url], /operator's key with -d/],
  ] as const) {
    const [code, text] = await refusal([...said]);
    assert.equal(code, 2, text);
    assert.match(text, sentence);
  }
  const artifact = join(node.dataDir, 'netd.tgz');
  writeFileSync(artifact, 'a release');
  const [code, text] = await refusal(scheduling(node.height + 1, '--artifact', artifact));
  assert.deepEqual([code, /it can be from \d+ to \d+ now/.test(text)], [1, true], text);
  assert.match((await refusal(scheduling(100, '--release', 'r-1')))[1], /no release r-1/);
  assert.match((await refusal(words('--cancel')))[1], /no version of the rules is scheduled/);
  for (const [value, sentence] of [
    ['faucet={}', /faucet: there is no member faucet; there are names/],
    ['names.price=gold', /"gold" is not possible/],
    ['{"names":{"workBits":50}}', /--policy: \/names\/workBits must be <= 40/],
  ] as const) {
    const said = scheduling(100, '--artifact', artifact, '--policy', value);
    assert.match((await refusal(said))[1], sentence);
  }
  const keys = tempDir(t);
  await done(['join', 'alice', 'reads', '--url', node.url, '--key-dir', keys]);
  const byAlice = ['--as', 'alice', '--key-dir', keys];
  const [, refused] = await refusal(scheduling(100, '--artifact', artifact, ...byAlice));
  assert.match(refused, /no capability for this action/);

  const {
    code: sent,
    stdout,
    stderr,
  } = await runHere([
    ...scheduling(node.height + 20, '--artifact', artifact),
    '--policy',
    'names.price=work',
  ]);
  assert.equal(sent, 0, stderr);
  assert.match(stderr, /stop at the block that contains it, and blame the node/);
  assert.match(stdout, /did scheduleRules, committed at height \d+/);
  const { scheduled } = await json(words('--status'));
  assert.deepEqual(
    [scheduled?.version, scheduled?.artifactHash, scheduled?.remainingBlocks, scheduled?.ready],
    [2, sha256Hex('a release'), 18, null],
  );
  assert.match(await done(['status', '--url', node.url]), /version 2 .* after 18 more blocks,/);
  assert.deepEqual(scheduled?.policy, { names: { price: 'work', workBits: 20 } });
  assert.match((await refusal(words('--ready')))[1], /so nobody announces/);
  assert.equal((await json(words('--cancel'))).scheduled, null);
});

test('the owner of a validator announces only once, and only with a release that has the version', async (t) => {
  const { node } = await start(t);
  // Pretends that the chain's validators can change, because real announcements need CometBFT.
  let readyIds: string[] = [];
  const liar = await startLiar({
    url: node.url,
    lies: [
      {
        path: '/v1/network',
        say: ({ rules, ...others }) => {
          const { scheduled, ...active } = rules as { scheduled: object };
          return { ...others, rules: { ...active, scheduled: { ...scheduled, readyPower: 1 } } };
        },
      },
      {
        path: '/v1/state/proof',
        say: ({ value, ...others }) => ({ ...others, value: { ...(value as object), readyIds } }),
      },
    ],
  });
  t.after(() => liar.stop());
  const words = (...more: string[]) => ['upgrade', ...more, '-d', node.dataDir, '--url', liar.url];
  const schedule = (version: number): Promise<unknown> =>
    node.act('operator', 'scheduleRules', {
      version,
      height: node.height + 20,
      artifactHash: hashOfDigit('a'),
    });
  await schedule(NEWEST_RULES + 1);
  const [, unknown] = await refusal(words('--ready'));
  assert.match(unknown, /install the release with the artifact hash a{64}/);
  const { code, stdout } = await runHere(words('--status'));
  assert.deepEqual([code, /lacks a version that the chain needs/.test(stdout)], [1, true]);
  await node.act('operator', 'cancelRules', { version: NEWEST_RULES + 1 });

  await schedule(2);
  assert.match((await refusal(words('--ready')))[1], /there is no .*owner\.json: name/);
  assert.match(await done(words('--status')), /0 of \d+ votes.* not: validator-1\n/);
  const owner = join(node.dataDir, 'keys', 'owner.json');
  ensureKeyFile(owner, node.chainId, 'validator-1');
  // The chain does not know the key, so the node refuses it.
  assert.match((await refusal(words('--ready')))[1], /ACTOR|authority|signature/i);
  assert.match((await refusal(words('--ready', '--withdraw')))[1], /nothing to withdraw/);
  readyIds = ['validator-1'];
  const { scheduled } = await json(words('--status'));
  assert.deepEqual(
    scheduled?.ready?.validators.map(({ ready }) => ready),
    [true],
  );
  assert.match((await refusal(words('--ready')))[1], /is announced as ready/);
});
