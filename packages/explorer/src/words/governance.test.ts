import assert from 'node:assert/strict';
import { test } from 'node:test';
import contract from '../../../../contract/openapi.json' with { type: 'json' };
import { BACK, chamberSays, judged, nextOfProposal, STAGES, stageWord } from './governance.ts';

const { schemas } = contract.components;

test('every stage of a contribution and every end of a proposal that the contract names has words', () => {
  const stages = schemas.ContributionRecord.properties.status.enum;
  assert.deepEqual([...STAGES, BACK].map(([stage]) => stage).toSorted(), stages.toSorted());
  assert.equal(stageWord('GOVERNANCE_READY'), 'Ready for a vote');
  const due = { height: 1, time: '2026-01-01T00:00:00.000Z' };
  const words = schemas.Proposal.properties.status.enum.map(
    (status) => nextOfProposal({ status, votingEnds: due, executableAt: due, deadline: due }).now,
  );
  assert.equal(new Set(words).size, words.length);
});

test('a chamber that does not agree says whether votes or a majority are missing', () => {
  const chamber = { for: 3, against: 3, quorum: 7, agrees: false };
  assert.equal(chamberSays(chamber, 5_000), 'too few votes');
  assert.equal(chamberSays({ ...chamber, quorum: 6 }, 5_000), 'needs more than 50 % of its votes');
  assert.equal(chamberSays({ ...chamber, agrees: true }, 5_000), 'agrees');
});

test('the policy decides about quorum and agreement, whatever a node says', () => {
  const policy = { stakeQuorum: 7, utilityQuorum: 6, majorityBps: 5_000 };
  const told = { for: 6, against: 0, quorum: 1, agrees: false };
  const { stake, utility } = judged(
    { stake: told, utility: told },
    policy as Parameters<typeof judged>[1],
  );
  assert.deepEqual(stake, { for: 6, against: 0, quorum: 7, agrees: false });
  assert.deepEqual(utility, { for: 6, against: 0, quorum: 6, agrees: true });
});
