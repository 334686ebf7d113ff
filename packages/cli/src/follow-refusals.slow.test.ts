/** Errors of `netd follow` if it cannot start. Each names the fault and the remedy. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { plays } from '@netd/protocol/testing';
import { NetClient } from '@netd/sdk';
import { Command, startDev } from './testing/command.ts';

const OTHER = 'ab'.repeat(32);
const NOBODY = 'http://127.0.0.1:1';

function homeOf(t: TestContext): string {
  const home = mkdtempSync(join(tmpdir(), 'netd-follow-refusals-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** Starts a server that is not a node. */
async function page(t: TestContext, status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('netd follow says what is wrong and what to do, and leaves nothing behind', async (t) => {
  const [home, elsewhere] = [homeOf(t), homeOf(t)];
  const start = ['dev', '--port', '0', '--data-dir', 'chain', '--house', 'none'];
  const [dev, { url }] = await startDev(start, home);
  t.after(() => dev.child.kill('SIGKILL'));
  const [another, { url: otherUrl }] = await startDev(start, elsewhere);
  t.after(() => another.child.kill('SIGKILL'));
  const [html, json, empty] = [
    await page(t, 200, '<html>hello</html>'),
    await page(t, 200, '{"ok":true}'),
    await page(t, 404, 'nothing here'),
  ];
  const { genesisHash } = await new NetClient({ url }).network();

  const follow = (dataDir: string, ...more: string[]): string[] => [
    'follow',
    '--port',
    '0',
    '--data-dir',
    dataDir,
    ...more,
  ];
  const follower = new Command(follow('follower', url), home);
  t.after(() => follower.child.kill('SIGKILL'));
  while (!follower.stdout.includes('Ctrl-C')) {
    assert.equal(follower.child.exitCode, null, follower.stderr);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const inUse = await new Command(follow('follower', url), home).ended;
  assert.match(
    inUse.stderr,
    /^netd: another netd \(process \d+ on \S+\) is running on \S+follower; stop/,
  );
  follower.child.kill('SIGTERM');
  await follower.ended;
  const facts = readFileSync(join(home, 'follower', 'follow.json'), 'utf8');

  const refusals: [what: string, args: string[], code: number, sentence: RegExp][] = [
    [
      'nobody is named',
      follow('new'),
      2,
      /^name at least one node to follow, for example: netd follow http:\S+$/,
    ],
    ['an address without a scheme', follow('new', 'localhost:8420'), 2, /The scheme is missing/],
    [
      'nobody is there',
      follow('new', NOBODY),
      3,
      /^no node answers at http:\S+:1: see that one runs there, and that the address is right$/,
    ],
    [
      'all are away',
      follow('new', NOBODY, 'http://127.0.0.1:2'),
      3,
      /^no node answers at http:\S+:1 or http:\S+:2: see that one runs/,
    ],
    [
      'a web page',
      follow('new', html),
      1,
      /^no origin answers with a genesis \(http:\S+ \/v1\/genesis answers what is no JSON document\): name the address that a node shows behind "Open" when it starts$/,
    ],
    [
      'another service',
      follow('new', json),
      1,
      /its \/v1\/genesis is no genesis document \(\/schema is required\)\): name the address/,
    ],
    [
      'nothing at the path',
      follow('new', empty),
      1,
      /\/v1\/genesis answers 404\): name the address/,
    ],
    ['a path of a node', follow('new', `${url}/v1`), 1, /answers 404\): name the address/],
    [
      'two chains',
      follow('new', url, otherUrl),
      1,
      /^the origins serve different chains \(genesis hashes \w+, \w+\): name only nodes of the one you mean, or say with --genesis-hash which one you trust$/,
    ],
    [
      'another genesis than the trusted one',
      follow('new', url, '--genesis-hash', OTHER),
      1,
      /^no origin serves the chain you trust \(http:\S+ serves a chain with the genesis hash \w+\): check what you trust, or name other nodes$/,
    ],
    [
      'another block than the trusted one',
      follow('new', url, '--checkpoint', `0:${OTHER}`),
      1,
      /^no origin serves the chain you trust \(http:\S+ serves a chain whose block 0 is \w+\): check/,
    ],
    [
      'other validators than the trusted ones',
      follow('new', url, '--validators', OTHER),
      1,
      /serves a chain with the validator set \w+\): check what you trust/,
    ],
    [
      'its own address',
      ['follow', '--port', '8431', '--data-dir', 'new', 'http://localhost:8431'],
      1,
      /^http:\S+:8431 is the address of this follower itself: name another node to follow, or choose another --port$/,
    ],
    [
      'the directory of a writer at work',
      follow('chain', url),
      1,
      /^another netd .* is running on \S+chain; stop it first, or choose another --data-dir$/,
    ],
    [
      'a follower of another chain',
      follow('follower', otherUrl),
      1,
      /^\S+follower follows the chain with genesis hash \w+, and http:\S+ serves another one, \w+: choose another --data-dir, or leave that node out$/,
    ],
    [
      'a follower of a chain that is not trusted',
      follow('follower', url, '--genesis-hash', OTHER),
      1,
      /^\S+follower follows a chain with the genesis hash \w+, not the one you trust: check what you trust, or choose another --data-dir for another follower$/,
    ],
    [
      'a follower with another block than the trusted one',
      follow('follower', url, '--checkpoint', `0:${OTHER}`),
      1,
      /^block 0 of this follower is \w+, and the one you trust is (ab){32}: check what you trust, or choose/,
    ],
    [
      'a region without a key',
      follow('new', url, '--region', 'eu'),
      2,
      /^heartbeats carry the location of a follower: name a --key that signs them$/,
    ],
  ];
  // A build tries only some of them, because the same code writes all sentences.
  const few = refusals.filter((_refusal, index) => index % 3 === 0);
  for (const [what, args, code, sentence] of plays(few, refusals)) {
    const { stderr, ...ended } = await new Command(args, home).ended;
    const [first = ''] = stderr.split('\n');
    assert.match(first.replace(/^(netd|error): /, ''), sentence, what);
    assert.equal(ended.code, code, what);
    assert.equal(ended.stdout, '', what);
  }

  const busy = new URL(otherUrl).port;
  const taken = await new Command(['follow', '--port', busy, '--data-dir', 'follower', url], home)
    .ended;
  assert.equal(taken.code, 1);
  assert.match(taken.stderr, /^netd: .*(taken|in use).*--port/);
  dev.child.kill('SIGTERM');
  await dev.ended;
  const writers = await new Command(follow('chain', url), home).ended;
  assert.match(writers.stderr, /holds a chain that this machine certifies itself: choose another/);
  assert.deepEqual(
    readdirSync(home).toSorted(),
    ['chain', 'follower'],
    'nothing else is left behind',
  );
  // The refused options were not saved. The follower starts with its old ones, even if no peer is reachable.
  assert.equal(readFileSync(join(home, 'follower', 'follow.json'), 'utf8'), facts);
  const alone = new Command(follow('follower', '--genesis-hash', genesisHash), home);
  t.after(() => alone.child.kill('SIGKILL'));
  while (!alone.stdout.includes('Ctrl-C')) {
    assert.equal(alone.child.exitCode, null, alone.stderr);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const [, followerUrl = ''] = /Open +(http:\S+)/.exec(alone.stdout) ?? [];
  const status = await new Command(['status', '--url', followerUrl], home).ended;
  assert.match(status.stdout, /a follower +none of those that it follows answers/);
  alone.child.kill('SIGTERM');
  assert.equal((await alone.ended).code, 0);
  const reset = await new Command(['reset', '--data-dir', 'follower', '--yes'], home).ended;
  assert.match(
    reset.stdout,
    /^Deleted chain, .*follow\.json in \S+follower\. A netd follow there that names/,
  );
  assert.ok(!existsSync(join(home, 'follower', 'follow.json')));
});
