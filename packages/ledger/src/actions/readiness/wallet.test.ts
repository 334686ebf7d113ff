import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { accepted, refused, verdictOf } from '../../testing/expectations.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import { seedAttestations, walletOf, withAuditors } from '../../testing/refusals/readiness.ts';
import type { TestChain } from '../../testing/test-chain.ts';
import { MAX_ATTESTATIONS } from './attest-wallet-distribution.ts';

const ATTEST = 'attestWalletDistribution';
const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

const auditors = (): TestChain =>
  withAuditors(standardChain().join(['erin']), 'alice', 'bob', 'carol', 'erin');
const channels = (chain: TestChain): number =>
  chain.record('counter', 'wallet-channels-attested') ?? 0;

describe('a wallet build on a channel:', () => {
  test('is pending after one group, attested after two that found the same', () => {
    const chain = auditors();
    const [first, ...none] = accepted(chain.act('alice', ATTEST, walletOf('alice')));
    assert.equal(first?.type, 'WalletDistributionAttested');
    assert.deepEqual(none, []);
    assert.equal(chain.record('wallet-distribution', 'NPM:1.0.0')?.status, 'PENDING');
    assert.equal(channels(chain), 0);

    const events = accepted(chain.act('bob', ATTEST, walletOf('bob')));
    assert.deepEqual(events.at(-1), {
      type: 'WalletChannelAttested',
      data: {
        channel: 'NPM',
        version: '1.0.0',
        artifactHash: A,
        auditorIds: ['alice', 'bob'],
      },
    });
    const { status, artifactHash, attestations } = chain.record(
      'wallet-distribution',
      'NPM:1.0.0',
    )!;
    assert.deepEqual([status, artifactHash], ['ATTESTED', A]);
    assert.deepEqual(
      attestations.map(({ auditorId, independenceGroup }) => [auditorId, independenceGroup]),
      [
        ['alice', 'group-alice'],
        ['bob', 'group-bob'],
      ],
    );
    assert.equal(chain.record('wallet-channel', 'NPM')?.artifactHash, A);
    assert.equal(channels(chain), 1);
    assert.equal(chain.record('counter', 'wallet-distributions'), 1);
  });
  test('is pending while two groups found different things, or other versions or channels', () => {
    const chain = auditors()
      .does('alice', ATTEST, walletOf('alice'))
      .does('bob', ATTEST, walletOf('bob', { artifactHash: B }))
      .does('carol', ATTEST, walletOf('carol', { version: '1.0.1' }))
      .does('erin', ATTEST, walletOf('erin', { channel: 'APP_STORE' }));
    assert.equal(chain.record('wallet-distribution', 'NPM:1.0.0')?.status, 'PENDING');
    assert.equal(channels(chain), 0);
    assert.equal(chain.record('counter', 'wallet-distributions'), 3);
  });
  test('counts no more once two groups found something else under the same version', () => {
    const chain = auditors()
      .does('alice', ATTEST, walletOf('alice'))
      .does('bob', ATTEST, walletOf('bob'))
      .does('carol', ATTEST, walletOf('carol', { artifactHash: B }));
    assert.equal(channels(chain), 1);
    const events = accepted(chain.act('erin', ATTEST, walletOf('erin', { artifactHash: B })));
    assert.equal(events.at(-1)?.type, 'WalletChannelConflicting');
    const { status, artifactHash } = chain.record('wallet-distribution', 'NPM:1.0.0')!;
    assert.deepEqual([status, artifactHash], ['CONFLICTING', null]);
    assert.equal(chain.record('wallet-channel', 'NPM'), undefined);
    assert.equal(channels(chain), 0);
  });
  test('that conflicts leaves a later attested version of its channel alone', () => {
    const next = { version: '1.0.1' };
    const chain = auditors()
      .does('alice', ATTEST, walletOf('alice'))
      .does('bob', ATTEST, walletOf('bob'))
      .does('alice', ATTEST, walletOf('alice', next))
      .does('bob', ATTEST, walletOf('bob', next))
      .does('carol', ATTEST, walletOf('carol', { artifactHash: B }))
      .does('erin', ATTEST, walletOf('erin', { artifactHash: B }));
    assert.equal(chain.record('wallet-channel', 'NPM')?.version, '1.0.1');
    assert.equal(channels(chain), 1);
  });
});

test('a version takes 16 attestations on a channel', () => {
  for (const [before, expected] of [
    [MAX_ATTESTATIONS - 1, 'accepted'],
    [MAX_ATTESTATIONS, 'WALLET_ATTESTATION_LIMIT'],
  ] as const) {
    const chain = auditors().does('alice', ATTEST, walletOf('alice'));
    seedAttestations(chain, before);
    assert.equal(verdictOf(chain.act('bob', ATTEST, walletOf('bob'))), expected, `${before}`);
  }
});

test('channel, version and address have their form', () => {
  for (const [members, expected] of [
    [{ channel: 'FTP' }, 'PAYLOAD_INVALID'],
    [{ version: '' }, 'PAYLOAD_INVALID'],
    [{ version: '1.0.0\n' }, 'PAYLOAD_INVALID'],
    [{ version: 'v1/2' }, 'PAYLOAD_INVALID'],
    [{ version: '1'.repeat(65) }, 'PAYLOAD_INVALID'],
    [{ uri: 'http://registry.example/wallet' }, 'PAYLOAD_INVALID'],
    [{ uri: 'https://user@registry.example/wallet' }, 'PAYLOAD_INVALID'],
    [{ artifactHash: 'A'.repeat(64) }, 'PAYLOAD_INVALID'],
  ] as const) {
    const chain = withAuditors(standardChain(), 'alice');
    refused(chain, chain.intent('alice', ATTEST, walletOf('alice', members)), expected);
  }
  const chain = withAuditors(standardChain(), 'alice');
  accepted(chain.act('alice', ATTEST, walletOf('alice', { version: '1'.repeat(64) })));
});

test('an auditor attests for itself, and not after its revocation', () => {
  const chain = withAuditors(standardChain(), 'alice');
  refused(chain, chain.intent('alice', ATTEST, walletOf('bob')), 'ACTOR_MISMATCH');
  chain.does('operator', 'revokeAuthority', { actorId: 'alice' });
  refused(chain, chain.intent('alice', ATTEST, walletOf('alice')), 'AUTHORITY_INACTIVE');
});
