/** Reserved names of the house: only its keys may register them. The house reports a name that another key holds. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { AgentKey, NetClient } from '@netd/sdk';
import { startDevnet } from '../testing/devnet.ts';
import { ensureStaff } from './house-keys.ts';
import { HouseOperator } from './operator.ts';

test('names of the house are held for its keys before anybody can bear them, and another house is told', async (t) => {
  const devnet = await startDevnet();
  const elsewhere = mkdtempSync(join(tmpdir(), 'netd-house-'));
  t.after(async () => {
    await devnet.stop();
    rmSync(elsewhere, { recursive: true, force: true });
  });
  const { url } = devnet.node;
  const { chainId } = devnet.node.node.chain.identity;
  const client = new NetClient({ url });
  const staff = ensureStaff(devnet.home, chainId);
  const register = async (actorId: string, key: AgentKey) => client.register({ actorId, key });

  for (const actorId of ['house-echo', 'House.Echo', 'house-ech0', 'house-verifier-l']) {
    await assert.rejects(register(actorId, await AgentKey.generate()), { code: 'NAME_RESERVED' });
  }
  const operator = new HouseOperator(url, devnet.operatorKeyPath, staff);
  assert.equal(await operator.holdNames(), null);
  assert.equal(await operator.holdNames(), null, 'again, at each start');
  await assert.rejects(register('house-echo', await AgentKey.generate()), {
    code: 'NAME_RESERVED',
  });
  await register('house-echo', await AgentKey.fromPem(staff.echo));
  assert.equal(await operator.holdNames(), null);
  const another = new HouseOperator(url, devnet.operatorKeyPath, ensureStaff(elsewhere, chainId));
  assert.equal(await another.holdNames(), 'house-echo');
});
