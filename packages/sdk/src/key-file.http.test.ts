import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { tempDir } from '@netd/testkit/temp-dir';
import { defaultHome } from './agent/home-node.ts';
import type { AgentHome } from './agent/home.ts';
import { memoryHome } from './agent/leased-home.ts';
import { addEncryptionKey, ensureKeys, sealPlainKeys } from './key-file.ts';

const OWNER = { chainId: 'net-test-1', actorId: 'ada' };
const SEALED = { ...OWNER, passphrase: 'correct horse' };
const NAMES = ['ada', 'ada.encryption', 'ada.encryption-2'];

/** Makes plain keys, seals them, and requires that the passphrase alone opens the same keys. */
async function requireSealing(home: AgentHome): Promise<void> {
  const { signing } = await ensureKeys(home, OWNER);
  const encryption = await addEncryptionKey(home, OWNER);
  await sealPlainKeys(home, SEALED);
  for (const name of NAMES) {
    const text = (await home.readSecret(name)) ?? '';
    assert.match(text, /"sealed/, name);
    assert.ok(!text.includes('PRIVATE') && !text.includes('"d"'), name);
  }
  const texts = await Promise.all(NAMES.map((name) => home.readSecret(name)));
  await sealPlainKeys(home, SEALED);
  assert.deepEqual(await Promise.all(NAMES.map((name) => home.readSecret(name))), texts);
  await assert.rejects(ensureKeys(home, OWNER), { code: 'PASSPHRASE_NEEDED' });
  const opened = await ensureKeys(home, SEALED);
  assert.equal(opened.signing.publicKey, signing.publicKey);
  assert.deepEqual(opened.encryption, encryption);
}

describe('a passphrase for plain keys', () => {
  it('seals their files, which stay for their owner only', async (t) => {
    const keys = tempDir(t);
    await requireSealing(defaultHome(OWNER.chainId, 'ada', keys));
    const directory = join(keys, OWNER.chainId);
    assert.deepEqual(
      readdirSync(directory).toSorted(),
      NAMES.map((name) => `${name}.json`).toSorted(),
    );
    for (const file of readdirSync(directory)) {
      assert.equal(statSync(join(directory, file)).mode & 0o777, 0o600, file);
    }
  });

  it('seals them in a store that machines share', () => requireSealing(memoryHome()));

  it('keeps a text that another process has written meanwhile', async (t) => {
    const keys = tempDir(t);
    for (const home of [defaultHome(OWNER.chainId, 'ada', keys), memoryHome()]) {
      await home.writeSecret('ada', 'sealed by another');
      await home.replaceSecret?.('ada', 'plain', 'sealed');
      assert.equal(await home.readSecret('ada'), 'sealed by another');
    }
  });

  it('is refused by a home that cannot replace a file', async () => {
    const { replaceSecret: _, ...home } = memoryHome();
    await ensureKeys(home, OWNER);
    const before = await home.readSecret('ada');
    await assert.rejects(sealPlainKeys(home, SEALED), {
      code: 'HOME_UNUSABLE',
      message: /ada is plain, .* leave out the passphrase/,
    });
    assert.equal(await home.readSecret('ada'), before);
  });
});
