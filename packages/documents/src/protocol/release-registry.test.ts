import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Snapshot } from '@netd/engine';
import type { ReleaseRecord } from '@netd/ledger';
import { hashOfDigit } from '@netd/protocol/testing';
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
