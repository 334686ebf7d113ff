import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { beginChainOfMany, makeValidatorKeys } from '@netd/node/founders';
import { type Config, readConfig } from './run-config.ts';
import { ROLE_NAMES, ROLES } from './roles.ts';

type Read = (config: object, reading?: Parameters<typeof readConfig>[1]) => Promise<Config>;

function reader(t: TestContext): { folder: string; read: Read } {
  const folder = mkdtempSync(join(tmpdir(), 'run-config-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'config.json');
  return {
    folder,
    read: (config, reading) => {
      writeFileSync(file, JSON.stringify({ dataDir: 'chain', ...config }));
      return readConfig(file, reading);
    },
  };
}

test('refuses a number in quotes and a text without quotes, and accepts proxies as a count or a list', async (t) => {
  const { read } = reader(t);
  await assert.rejects(read({ port: '8420' }), /port: a number is needed, without quotes: 8420/);
  await assert.rejects(read({ writeRate: '60' }), /writeRate: a number is needed/);
  await assert.rejects(read({ host: 1 }), /host: a string is needed, in quotes: "1"/);
  await assert.rejects(read({ dataDir: 7 }), /dataDir: a string is needed, in quotes: "7"/);
  assert.equal(((await read({ port: 8420 })).options as { port: number }).port, 8420);
  for (const trustProxy of [1, 'loopback', ['10.0.0.0/8', '192.0.2.7'], true]) {
    await read({ trustProxy });
  }
});

test('reads a file by its role: each has its own options, and names those of another as unknown', async (t) => {
  const { folder, read } = reader(t);
  const peer = `${'1'.repeat(40)}@a.example:26656`;
  const own = {
    writer: { blockTime: 50 },
    validator: { genesis: 'genesis.json', peers: [peer], remoteSigner: '127.0.0.1:26659' },
    'full-node': { peers: [peer], stateSync: ['https://a.example', 'https://b.example'] },
    follower: { origins: ['https://a.example'], validators: 'f'.repeat(64), key: '../key.json' },
    'blob-store': { nodeUrl: 'https://a.example', dailyMib: 1 },
  } as const;
  for (const role of ROLE_NAMES) {
    const { options, namesRole, settings } = await read({ role, ...own[role] });
    assert.ok(namesRole);
    assert.equal((options as { dataDir: string }).dataDir, join(folder, 'chain'), role);
    for (const key of Object.keys(own[role])) {
      assert.equal(settings.find((one) => one.key === key)?.from, 'file', `${role} ${key}`);
    }
    assert.equal(settings.find(({ key }) => key === 'logLevel')?.applies, 'SIGHUP');
    const names = new Set(settings.map(({ key }) => key));
    for (const key of (await ROLES[role].load()).live) assert.ok(names.has(key), `${role} ${key}`);
  }
  const { options } = await read({ role: 'follower', ...own.follower });
  const { key, validators } = options as Record<string, unknown>;
  assert.deepEqual([key, validators], [join(folder, '../key.json'), 'f'.repeat(64)]);
  await assert.rejects(read({ role: 'follower', peers: [peer] }), /peers: no such option/);
  await assert.rejects(read({ role: 'writer', origins: [] }), /origins: no such option/);
  await assert.rejects(
    read({ role: 'validator', fullNode: true }),
    /fullNode: set "role": "full-node" instead/,
  );
  await assert.rejects(
    read({ role: 'full-node', remoteSigner: '127.0.0.1:1' }),
    /remoteSigner: a full node signs nothing/,
  );
  await assert.rejects(
    read({ role: 'sentry' }),
    /role: netd run serves "writer", "validator", "full-node", "follower", "blob-store"/,
  );
});

test('reads a file of an older version, which names no role, as the command did that it was for', async (t) => {
  const { read } = reader(t);
  const roleOf = async (...given: Parameters<Read>): Promise<unknown> => {
    const { role, namesRole } = await read(...given);
    assert.equal(namesRole, false);
    return role;
  };
  const start = { command: 'netd start', roles: ['validator', 'full-node'] } as const;
  assert.equal(await roleOf({ port: 1 }), 'writer');
  assert.equal(await roleOf({ p2p: '0.0.0.0:26656' }), 'validator');
  assert.equal(await roleOf({ port: 1 }, start), 'validator');
  assert.equal(await roleOf({ fullNode: true }, start), 'full-node');
  assert.equal(await roleOf({ fullNode: false }, start), 'validator');
  await assert.rejects(
    read({ role: 'writer' }, start),
    /netd start serves "validator", "full-node"; netd run serves "writer"/,
  );
});

test('refuses two listeners on one port, unless each has an address of its own', async (t) => {
  const { read } = reader(t);
  const validator = { role: 'validator', host: '127.0.0.1', port: 8420 };
  for (const more of [
    { p2p: '127.0.0.1:8420' },
    { p2p: '0.0.0.0:8420' },
    { p2p: '[::]:8420' },
    { metricsListen: '127.0.0.1:8420' },
    { metricsListen: 'localhost:8420' },
    { metricsListen: '127.0.0.1:26656', p2p: '127.0.0.1:26656' },
    { remoteSigner: '127.0.0.1:8420' },
  ]) {
    await assert.rejects(
      read({ ...validator, ...more }),
      /has port \d+: choose another/,
      JSON.stringify(more),
    );
  }
  await read({ ...validator, p2p: '127.0.0.2:8420', remoteSigner: 'unix:///run/signer.sock' });
  await read({ role: 'follower', port: 0, metricsListen: '127.0.0.1:0' });
});

test('refuses a validator whose keys do not fit, as its start does', async (t) => {
  const { folder, read } = reader(t);
  const keys = { validatorId: 'alpha', faultDomain: 'a', address: '127.0.0.1:26656' };
  const chain = join(folder, 'chain');
  const card = makeValidatorKeys(chain, { ...keys, chainId: 'net-test-abcdefgh' });
  beginChainOfMany(join(folder, 'desk'), [{ file: 'alpha.json', card }], { now: Date.now() });
  const check = async (more: object): Promise<void> => {
    const { of, options } = await read({
      role: 'validator',
      genesis: 'desk/genesis.json',
      ...more,
    });
    await of.requireStartable(options as never);
  };
  const none = { binary: 'none' };
  await assert.rejects(check(none), /CometBFT binary .* is not there/);
  await assert.rejects(
    check({ ...none, remoteSigner: '127.0.0.1:26659' }),
    /a signer elsewhere has the key/,
  );
  await assert.rejects(check({ ...none, dataDir: 'other' }), /validator\.json/);
  assert.ok(!existsSync(join(folder, 'other')));
});
