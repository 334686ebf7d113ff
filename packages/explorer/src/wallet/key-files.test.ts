import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeKeys, openKeys } from './key-files.ts';

type Json = Record<string, unknown>;
const made = async (name: string, chainId = 'net-1'): Promise<[string, string]> => {
  const { files } = await makeKeys(chainId, name, '');
  return [files[0]?.text ?? '', files[1]?.text ?? ''];
};
const changed = (text: string, change: Json): string =>
  JSON.stringify({ ...(JSON.parse(text) as Json), ...change });

describe('a key file', () => {
  test('opens with the key that others seal to, or without', async () => {
    const [signing, encryption] = await made('ada');
    const { actorId, chainId, encryption: keyring } = await openKeys([encryption, signing], '');
    assert.deepEqual([actorId, chainId, keyring?.length], ['ada', 'net-1', 1]);
    assert.equal((await openKeys([signing], '')).encryption, null);
  });

  test('that is none is told as such, whatever it is', async () => {
    const [signing] = await made('ada');
    for (const text of [
      '',
      'null',
      '[]',
      '7',
      '{"schema":"NET-AGENT-KEY/1"}',
      signing.slice(1),
      changed(signing, { schema: 'NET-AGENT-KEY/2' }),
      changed(signing, { actorId: 'ada\u202Eevil' }),
      changed(signing, { actorId: '../ada' }),
      changed(signing, { chainId: '<b>net-1</b>' }),
    ]) {
      await assert.rejects(openKeys([text], ''), /This is not a key file/, text.slice(0, 40));
    }
  });

  test('put together of two is not opened', async () => {
    const [ada, eve] = [await made('ada'), await made('eve')];
    const { publicKey, publicKeyHash } = JSON.parse(eve[0]) as Json;
    const mixed = changed(ada[0], { publicKey, publicKeyHash });
    await assert.rejects(openKeys([mixed], ''), /does not belong to its private key/);
    await assert.rejects(openKeys([ada[0], eve[1]], ''), /of different agents/);
    await assert.rejects(openKeys([ada[0], eve[0]], ''), /of several agents/);
    await assert.rejects(openKeys([ada[1]], ''), /The signing key is missing/);
    await assert.rejects(openKeys([changed(ada[0], { privateKey: 'x' })], ''), /damaged/);
  });
});
