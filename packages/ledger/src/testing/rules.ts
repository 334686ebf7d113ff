/** Versions of the rules: active, scheduled, announced. */
import type { JsonObject } from '@netd/protocol';
import { hashOfDigit } from '@netd/protocol/testing';
import type { RulesScheduleRecord } from '../actions/rules/records.ts';
import { OPERATOR, type TestChain } from './test-chain.ts';

export const ARTIFACT = hashOfDigit('a');

/** A chain that has had this version from its first block on. */
export function withRules(chain: TestChain, version = 2): TestChain {
  const active = { artifactHash: null, fromHeight: 0, previousVersion: 1, version };
  chain.ledger.seed('rules', 'active', active);
  return chain;
}

/** The earliest schedule of version 2. */
export function scheduleOf(chain: TestChain, members: JsonObject = {}): JsonObject {
  const timelock = chain.record('policy', 'limits')?.governance.timelock.heights ?? 0;
  const height = chain.height + 1 + Math.max(2, timelock);
  return { version: 2, height, artifactHash: ARTIFACT, ...members };
}

export const scheduled = (chain: TestChain, members: JsonObject = {}): TestChain =>
  chain.does(OPERATOR, 'scheduleRules', scheduleOf(chain, members));

export function scheduleIn(chain: TestChain): RulesScheduleRecord {
  const schedule = chain.record('rules-schedule', 'next');
  if (!schedule) throw new Error('no version of the rules is scheduled');
  return schedule;
}

/** Makes blocks up to the one before the scheduled height, all with the timelock between them. */
export function decided(chain: TestChain): TestChain {
  const { height, notBefore } = scheduleIn(chain);
  while (chain.height < height - 1) {
    chain.block([], Math.max(100, notBefore - chain.ledger.tip.time));
  }
  return chain;
}

export const announcement = (validatorId: string, members: JsonObject = {}): JsonObject => ({
  validatorId,
  version: 2,
  artifactHash: ARTIFACT,
  ...members,
});
