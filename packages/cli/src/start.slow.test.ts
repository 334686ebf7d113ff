/** `netd start` for operators of several machines: keys, cards, a shared genesis, a start by hand, and refusals. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { inCampaign } from '@netd/protocol/testing';
import { cometbftPath, defaultEngineDir, requireCometbft } from '@netd/engine/cometbft-binary';
import { AgentKey, NetClient } from '@netd/sdk';
import { freePort } from '@netd/testkit/free-port';
import { EXIT } from './exit-codes.ts';
import { Command, type Ended } from './testing/command.ts';

const NAMES = ['alpha', 'beta'];
const binary = cometbftPath(defaultEngineDir());
const missing = await requireCometbft(binary).then(
  () => false as const,
  (error: unknown) => (error as Error).message,
);

let home: string;
let peers: string;
const ports = new Map<string, number>();

const netd = (...args: string[]): Command =>
  new Command(args, home, undefined, { NET_ENGINE_DIR: defaultEngineDir() });

const startArgs = (name: string): string[] =>
  `start --data-dir ${name} --port 0 --peers ${peers} --p2p 127.0.0.1:${ports.get(name)} --block-time 20`.split(
    ' ',
  );

/** Starts a node and waits until it has written its address. */
async function up(name: string, ...more: string[]): Promise<[Command, NetClient]> {
  const command = netd(...startArgs(name), ...more);
  const facts = join(home, name, 'dev.json');
  while (!existsSync(facts)) {
    if (command.child.exitCode !== null) assert.fail(command.stderr);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { url } = JSON.parse(readFileSync(facts, 'utf8')) as { url: string };
  return [command, new NetClient({ url })];
}

const readJson = (name: string): unknown => JSON.parse(readFileSync(join(home, name), 'utf8'));

async function refused(command: Command, what: RegExp): Promise<Ended> {
  const ended = await command.ended;
  assert.match(ended.stderr + ended.stdout, what);
  assert.notEqual(ended.code, 0);
  return ended;
}

describe('netd start', { skip: missing, timeout: 300_000 }, () => {
  const running: Command[] = [];

  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'netd-start-'));
    const cards: string[] = [];
    ports.set('gamma', await freePort());
    for (const name of NAMES) {
      const port = await freePort();
      ports.set(name, port);
      const facts = ['--chain-id', 'net-two', '--name', name, '--fault-domain', name];
      const card = `${name}.json`;
      const place = ['--address', `127.0.0.1:${port}`, '--data-dir', name, '--out', card];
      assert.equal((await netd('engine', 'init', ...facts, ...place).ended).code, EXIT.done);
      cards.push(card);
    }
    peers = cards
      .map((card) => (JSON.parse(readFileSync(join(home, card), 'utf8')) as { peer: string }).peer)
      .join(',');
    const made = netd('genesis', 'new', '-d', 'desk', '--validators', cards.join(','), '--yes');
    const { code, stdout, stderr } = await made.ended;
    assert.equal(code, EXIT.done, stderr);
    assert.match(stdout, /netd start --genesis/);
  });
  after(async () => {
    for (const command of running) command.child.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    rmSync(home, { recursive: true, force: true });
  });

  const genesis = ['--genesis', 'desk/genesis.json'];

  test('a wrong program, and a file of options that is wrong, are refused before anything else', async () => {
    writeFileSync(join(home, 'old'), '#!/bin/sh\necho 0.37.2\n', { mode: 0o755 });
    await refused(
      netd(...startArgs('alpha'), ...genesis, '--binary', './old'),
      /is CometBFT 0\.37\.2, and netd works with v0\.38/,
    );
    writeFileSync(
      join(home, 'config.json'),
      '{"dataDir": "alpha", "peers": "b@here", "house": true}',
    );
    const { code } = await refused(
      netd('start', '--config', 'config.json', '--check-config'),
      /peers: "b@here" is no peer[^]*house: the agents of the house are for/,
    );
    assert.equal(code, EXIT.usage);
  });

  test('a port that another process has is named', inCampaign, async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(ports.get('alpha'), '127.0.0.1', resolve));
    try {
      await refused(
        netd(...startArgs('alpha'), ...genesis),
        /port \d+ on 127\.0\.0\.1, where peers are to connect, is in use/,
      );
    } finally {
      await new Promise((resolve) => other.close(resolve));
    }
  });

  test('a validator says that it waits for the others, and stops on request', async () => {
    const command = netd(...startArgs('alpha'), ...genesis);
    while (!command.stderr.includes('Waiting until more than two thirds')) {
      if (command.child.exitCode !== null) assert.fail(command.stderr);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    command.child.kill('SIGTERM');
    const { code, stdout } = await command.ended;
    assert.equal(code, 0);
    assert.match(stdout, /Stopped before the others had met/);
  });

  test('two operators who have made a genesis each are told so', async () => {
    const cards: string[] = [];
    const own = ['one', 'two'];
    for (const name of own) {
      ports.set(name, await freePort());
      const facts = ['--chain-id', 'net-apart', '--name', name, '--fault-domain', name];
      const place = ['--address', `127.0.0.1:${ports.get(name)}`, '-d', name, '--json'];
      const { stdout } = await netd('engine', 'init', ...facts, ...place).ended;
      writeFileSync(join(home, `${name}.json`), stdout);
      cards.push(`${name}.json`);
    }
    const known = peers;
    peers = cards.map((card) => (readJson(card) as { peer: string }).peer).join(',');
    const commands = [];
    for (const name of own) {
      const desk = `desk-${name}`;
      const validators = ['--validators', cards.join(','), '--yes'];
      assert.equal((await netd('genesis', 'new', '-d', desk, ...validators).ended).code, EXIT.done);
      const command = netd(...startArgs(name), '--genesis', `${desk}/genesis.json`);
      running.push(command);
      commands.push(command);
    }
    peers = known;
    while (!commands.some(({ stderr }) => stderr.includes('begins from another genesis'))) {
      for (const { child, stderr } of commands) assert.equal(child.exitCode, null, stderr);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (const { child } of commands) child.kill('SIGTERM');
    await Promise.all(commands.map(({ ended }) => ended));
  });

  test('two machines are one chain, and go on after a stop', async () => {
    const started = await Promise.all(NAMES.map((name) => up(name, ...genesis)));
    running.push(...started.map(([command]) => command));
    const [[first, a], [second, b]] = started as [[Command, NetClient], [Command, NetClient]];
    const ada = await AgentKey.generate();
    const { height } = await a.register({ actorId: 'ada', key: ada });
    await b.register({ actorId: 'bob', key: await AgentKey.generate() });
    // A third machine without a key has the same blocks, and forwards writes.
    const [full, c] = await up('gamma', ...genesis, '--full-node');
    running.push(full);
    await c.register({ actorId: 'dan', key: await AgentKey.generate() });
    assert.equal((await c.network()).genesisHash, (await a.network()).genesisHash);
    full.child.kill('SIGTERM');
    second.child.kill('SIGTERM');
    assert.equal((await second.ended).code, 0);
    const [, again] = await up('beta').then((pair) => (running.push(pair[0]), pair));
    const cyd = await again.register({ actorId: 'cyd', key: await AgentKey.generate() });
    assert.ok(cyd.height > height);
    assert.equal((await a.network()).mode, 'BFT_DEVNET');
    for (const command of running) if (command !== second) command.child.kill('SIGTERM');
    assert.equal((await first.ended).code, 0);
    await Promise.all(running.map(({ ended }) => ended));
  });
});
