/** Policy file and spending log. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readPolicyFile } from './policy-file.ts';
import { NO_POLICY, requireWithinPolicy } from './policy.ts';
import type { SignerError } from './signer-error.ts';
import { SpendingLog } from './spending-log.ts';

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'netd-policy-'));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

test('a policy is read with its amounts, and names its faults', async (t) => {
  const path = join(folder(t), 'policy.json');
  const write = (value: unknown): void => writeFileSync(path, JSON.stringify(value));
  const schema = 'NET-MCP-POLICY/1';
  write({ schema, askAbove: '1 NET', perDay: '2.5 NET', alwaysAsk: ['openDispute'] });
  assert.deepEqual(await readPolicyFile(path), {
    askAbove: 1_000_000,
    policy: { ...NO_POLICY, perDay: 2_500_000, alwaysAsk: ['openDispute'] },
  });
  const wrong: [unknown, RegExp][] = [
    [{ schema, perHour: 3 }, /\/perHour/],
    [{ schema, perhour: '3 NET' }, /\/perhour/],
    [{ perHour: '3 NET' }, /schema/],
    [{ schema, alwaysAsk: ['transfers'] }, /\/alwaysAsk\/0 is none of .*transfer/],
  ];
  for (const [value, why] of wrong) {
    write(value);
    await assert.rejects(readPolicyFile(path), (error: SignerError) => {
      assert.equal(error.code, 'POLICY_INVALID');
      assert.match(error.message, why);
      return true;
    });
  }
  await assert.rejects(readPolicyFile(join(path, 'nowhere')), { code: 'POLICY_INVALID' });
});

test('a limit holds to the last unet', () => {
  const policy = { ...NO_POLICY, perHour: 10 };
  const to = { counterparty: 'shop' };
  requireWithinPolicy(policy, { amount: 4, ...to }, () => 6);
  assert.throws(() => requireWithinPolicy(policy, { amount: 5, ...to }, () => 6), {
    code: 'POLICY_LIMIT',
  });
  const named = { ...NO_POLICY, recipients: ['shop'] };
  requireWithinPolicy(named, { amount: 4, ...to }, () => 0);
  assert.throws(() => requireWithinPolicy(named, { amount: 1, counterparty: null }, () => 0), {
    code: 'POLICY_RECIPIENT',
  });
});

test('a value from a node that is no number enters no sum', async (t) => {
  const log = await SpendingLog.open(join(folder(t), 'spending.jsonl'));
  for (const lie of ['7', 'SYSTEM', Number.NaN, {}]) await log.reconcile(lie as number);
  assert.deepEqual([log.within(Infinity), log.unaskedLeft(5)], [0, 5]);
  await log.reconcile(7);
  assert.deepEqual([log.within(Infinity), log.unaskedLeft(5)], [7, 0]);
  await log.close();
});

test('the log counts before spending, undoes refusals, and survives a torn line', async (t) => {
  const path = join(folder(t), 'agents', 'spending.jsonl');
  const log = await SpendingLog.open(path);
  const call = { tool: 'agent_pay', to: 'shop', amount: 7, approved: false };
  await log.spend(
    call,
    async () => assert.match(readFileSync(path, 'utf8'), /"amount":7/),
    () => true,
  );
  const refused = new Error('refused');
  const fail = async (): Promise<never> => {
    throw refused;
  };
  await assert.rejects(
    log.spend(call, fail, () => true),
    refused,
  );
  assert.equal(log.within(Infinity), 7);
  // Spending with an unknown outcome counts.
  await assert.rejects(
    log.spend(call, fail, () => false),
    refused,
  );
  assert.equal(log.within(Infinity), 14);
  await log.spend(
    { ...call, approved: true },
    async () => {},
    () => true,
  );
  await log.grant(3);
  assert.equal(log.unaskedLeft(20), 9);
  await log.reconcile(30);
  await log.reconcile(30);
  assert.equal(log.within(Infinity), 30);
  await log.close();
  appendFileSync(path, '{"id":9,"at":1,"tool":"ag');
  const again = await SpendingLog.open(path);
  assert.equal(again.within(Infinity), 30);
  assert.equal(again.unaskedLeft(40), 20);
  await again.spend(
    call,
    async () => {},
    () => true,
  );
  await again.close();
  const last = await SpendingLog.open(path);
  assert.equal(last.within(Infinity), 37);
  await last.close();
  appendFileSync(path, 'no json\n');
  await assert.rejects(SpendingLog.open(path), { code: 'SPENDING_UNREADABLE' });
});
