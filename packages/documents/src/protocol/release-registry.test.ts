import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Snapshot } from '@netd/engine';
import { DEVNET_POLICY, type ProposalRecord, type ReleaseRecord } from '@netd/ledger';
import { hashOfDigit } from '@netd/protocol/testing';
import { describeProposal } from './proposal-registry.ts';
import { releaseFacts } from './release-registry.ts';

test('a release names the version of the rules that it brings', () => {
  const release = { releaseId: 'r-2', artifactHash: hashOfDigit('a') } as ReleaseRecord;
  const rulesIn = (records: Record<string, object>): unknown => {
    const get = (name: string, id: string): unknown => records[`${name}/${id}`];
    return releaseFacts({ get } as unknown as Snapshot, release).rules;
  };
  const scheduled = {
    version: 2,
    height: 90,
    artifactHash: release.artifactHash,
    releaseId: 'r-2',
  };
  const active = { version: 2, fromHeight: 90, artifactHash: release.artifactHash };
  assert.equal(rulesIn({}), null);
  assert.equal(rulesIn({ 'rules-schedule/next': { ...scheduled, releaseId: null } }), null);
  assert.equal(rulesIn({ 'rules/active': { ...active, artifactHash: null } }), null);
  assert.deepEqual(rulesIn({ 'rules-schedule/next': scheduled }), {
    version: 2,
    height: 90,
    status: 'SCHEDULED',
  });
  assert.deepEqual(rulesIn({ 'rules/active': active }), {
    version: 2,
    height: 90,
    status: 'ACTIVE',
  });
});

test('a proposal names the version of the rules that its release may schedule', () => {
  const deadline = { height: 1, time: 1 };
  const votes = { for: 0, against: 0 };
  const named = (contributionId: string | null): number | null => {
    const records: Record<string, object> = {
      'policy/limits': DEVNET_POLICY,
      'contribution/c-1': { rulesVersion: 3 },
      'contribution/c-2': {},
    };
    const get = (name: string, id: string): unknown => records[`${name}/${id}`];
    const proposal = {
      contributionId,
      chambers: { stake: votes, utility: votes },
      votingEnds: deadline,
      executableAt: null,
      deadline,
    } as ProposalRecord;
    return describeProposal({ get } as unknown as Snapshot, proposal).rulesVersion;
  };
  assert.deepEqual(['c-1', 'c-2', null].map(named), [3, null, null]);
});
