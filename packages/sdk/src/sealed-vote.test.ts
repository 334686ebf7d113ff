import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { voteCommitment } from '@netd/protocol';
import { AgentKey } from './agent-key.ts';
import { awaitsVote, nextVote } from './sealed-vote.ts';
import { labKey } from './test/lab-key.ts';
import type { Verdict } from './verified-reader.ts';

type Jury = Parameters<typeof nextVote>[0];

const EVIDENCE = 'e'.repeat(64);
/** Python's tests have it too. */
const COMMITMENT = '2e77c9a489be64aab6bf8e2b0111560bd7a6aebbfde3ece175d6c3bc085b3121';

const vera = async () => ({ actorId: 'vera', key: await AgentKey.fromPem(labKey('vera')) });

const juryOf = (phase: string, verification: object): Jury =>
  ({
    orderId: 'o-1',
    phase,
    result: { transitionHash: 'a'.repeat(64) },
    verification: { round: 1, committee: [{ verifierId: 'vera' }], votes: [], ...verification },
  }) as unknown as Jury;

const by = (commitment: string | undefined) => [{ verifierId: 'vera', commitment }];

describe('a verifier', () => {
  test('sends an open vote once', async () => {
    const open = juryOf('REVIEW', {});
    const ballot = { vote: 'REJECT', evidenceHash: EVIDENCE } as const;
    assert.deepEqual(await nextVote(open, await vera(), ballot), {
      orderId: 'o-1',
      verifierId: 'vera',
      ...ballot,
    });
    assert.ok(!awaitsVote(juryOf('REVIEW', { votes: [{ verifierId: 'vera' }] }), 'vera'));
    assert.ok(!awaitsVote(open, 'viki'));
  });

  test('commits to a sealed vote, and reveals that vote after a restart', async () => {
    const actor = await vera();
    const ballot = { vote: 'ACCEPT', evidenceHash: EVIDENCE } as const;
    const committed = await nextVote(juryOf('REVIEW', { commitments: [] }), actor, ballot);
    assert.deepEqual(committed, { orderId: 'o-1', verifierId: 'vera', commitment: COMMITMENT });
    const commitments = by(COMMITMENT);
    assert.equal(await nextVote(juryOf('REVIEW', { commitments }), actor, ballot), null);
    const revealing = juryOf('REVEAL', { commitments });
    const revealed = await nextVote(revealing, await vera(), { ...ballot, vote: 'REJECT' });
    assert.equal(revealed?.vote, 'ACCEPT', 'a second judgement does not replace the commitment');
    const { vote = '', salt = '' } = revealed ?? {};
    const opened = { orderId: 'o-1', round: 1, verifierId: 'vera', vote, salt };
    assert.equal(voteCommitment(opened), COMMITMENT);
    assert.notEqual(voteCommitment({ ...opened, round: 3 }), COMMITMENT);
  });

  test('tells a lying node no vote early', async () => {
    const ballot = { vote: 'ACCEPT', evidenceHash: EVIDENCE } as const;
    const sealed = juryOf('REVIEW', { commitments: by(COMMITMENT) });
    const reader = (value: Jury | null, verdict: Verdict = 'trusted') => ({
      readState: (key: string) => {
        assert.equal(key, 'order/o-1');
        return Promise.resolve({ value, present: value !== null, height: 9, verdict });
      },
    });
    const lies = [juryOf('REVEAL', { commitments: by(COMMITMENT) }), juryOf('REVIEW', {})];
    for (const told of lies) {
      assert.notEqual((await nextVote(told, await vera(), ballot))?.vote, undefined);
      assert.equal(await nextVote(told, await vera(), ballot, reader(sealed)), null);
      assert.equal(await nextVote(told, await vera(), ballot, reader(null)), null);
    }
    const unanchored = reader(sealed, 'self-consistent');
    await assert.rejects(nextVote(sealed, await vera(), ballot, unanchored), /no anchor/);
    const [revealing] = lies;
    const sent = await nextVote(sealed, await vera(), ballot, reader(revealing ?? null));
    assert.equal(sent?.vote, 'ACCEPT');
  });

  test('reveals nothing early, twice, or for another key', async () => {
    const actor = await vera();
    const ballot = { vote: 'ACCEPT', evidenceHash: EVIDENCE } as const;
    const foreign = juryOf('REVEAL', { commitments: by('c'.repeat(64)) });
    assert.equal(await nextVote(foreign, actor, ballot), null);
    const twice = { commitments: by(COMMITMENT), votes: [{ verifierId: 'vera' }] };
    assert.equal(await nextVote(juryOf('REVEAL', twice), actor, ballot), null);
    assert.equal(await nextVote(juryOf('REVEAL', { commitments: [] }), actor, ballot), null);
  });
});
