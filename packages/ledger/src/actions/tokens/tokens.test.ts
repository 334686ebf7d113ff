import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@netd/protocol';
import { COLLECTIONS } from '../../collections.ts';
import { StateOverlay } from '../../state.ts';
import { accepted, refused } from '../../testing/index.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import { tokenOf, withGold, withTokens } from '../../testing/refusals/tokens.ts';
import { withRules } from '../../testing/rules.ts';
import { OPERATOR } from '../../testing/test-chain.ts';
import { checkTokenConservation } from '../../token-accounting.ts';

const MAX = Number.MAX_SAFE_INTEGER;
const LIMITS: Record<string, { fits: unknown[]; breaks: unknown[] }> = {
  tokenId: {
    fits: ['tok-abc', `tok-a${'b'.repeat(40)}`, 'tok-0-1', 'tok-a--'],
    breaks: [
      'tok-ab',
      `tok-a${'b'.repeat(41)}`,
      'tok--ab',
      'TOK-abc',
      'tok-ABC',
      'tok-abc\n',
      null,
    ],
  },
  name: { fits: ['x', 'x'.repeat(64), '🦊'.repeat(64)], breaks: ['', 'x'.repeat(65), 1, null] },
  symbol: { fits: ['a', 'A1'.repeat(6)], breaks: ['', 'A'.repeat(13), 'A B', 'Ä', null] },
  decimals: { fits: [0, 8, 9], breaks: [-1, 10, 1.5, '2', null] },
  supplyCap: { fits: [100, MAX], breaks: [0, -1, 1.5, '100', null] },
  initialSupply: { fits: [0, 1, 1_000], breaks: [-1, 1.5, '1', null] },
};

describe('createToken takes', () => {
  for (const [member, { fits, breaks }] of Object.entries(LIMITS)) {
    test(`a ${member} within its limits and none outside`, () => {
      const chain = withTokens(standardChain(), ['alice']);
      for (const value of breaks) {
        const token = tokenOf({ [member]: value } as JsonObject);
        refused(chain, chain.intent('alice', 'createToken', token), 'PAYLOAD_INVALID');
      }
      for (const [i, value] of fits.entries()) {
        const token = tokenOf({ tokenId: `tok-fit-${i}`, [member]: value } as JsonObject);
        accepted(chain.act('alice', 'createToken', token));
      }
    });
  }
  test('no further members, and needs all its own but the mint authority', () => {
    const chain = withTokens(standardChain(), ['alice']);
    const { mintAuthority: _, ...token } = tokenOf();
    const create = (payload: JsonObject) => chain.intent('alice', 'createToken', payload);
    refused(chain, create({ ...token, owner: 'alice' }), 'PAYLOAD_INVALID');
    for (const member of Object.keys(token)) {
      const { [member]: _missing, ...rest } = token;
      refused(chain, create(rest), 'PAYLOAD_INVALID');
    }
    accepted(chain.submit(create(token)));
    assert.equal(chain.record('token', 'tok-gold')?.mintAuthority, null);
  });
});

test('version 1 of the rules takes the symbol NET and names with hidden characters', () => {
  const chain = withTokens(standardChain(), ['alice']);
  accepted(chain.act('alice', 'createToken', tokenOf({ symbol: 'NET', name: 'Go\u202Eld' })));
});

test('version 2 keeps NET and UNET, in any case, and no symbol that is only like them', () => {
  const chain = withTokens(withRules(standardChain()), ['alice']);
  for (const symbol of ['NET', 'net', 'Unet', 'UNET']) {
    refused(chain, chain.intent('alice', 'createToken', tokenOf({ symbol })), 'SYMBOL_RESERVED');
  }
  for (const symbol of ['NETS', 'UNETX', 'PLANET', 'NE']) {
    const tokenId = `tok-${symbol.toLowerCase()}0`;
    accepted(chain.act('alice', 'createToken', tokenOf({ tokenId, symbol })));
  }
});

test('amounts are positive integers', () => {
  const chain = withGold(standardChain());
  for (const amount of [0, -1, 1.5, '1', null, [1]]) {
    for (const [action, members] of [
      ['mintToken', { to: 'bob' }],
      ['transferToken', { to: 'bob' }],
      ['burnToken', {}],
    ] as const) {
      const payload = { tokenId: 'tok-gold', ...members, amount } as JsonObject;
      refused(chain, chain.intent('alice', action, payload), 'PAYLOAD_INVALID');
    }
  }
});

describe('a token', () => {
  test('is minted up to its cap, moves, is burned, and counts its holders', () => {
    const chain = withGold(standardChain());
    const facts = () => {
      const { supply, holders } = chain.record('token', 'tok-gold')!;
      return [supply, holders];
    };
    const act = (actorId: string, action: string, members: JsonObject) =>
      chain.does(actorId, action, { tokenId: 'tok-gold', ...members });
    assert.deepEqual(facts(), [100, 1]);
    act('alice', 'mintToken', { to: 'bob', amount: 900 });
    assert.deepEqual(facts(), [1_000, 2]);
    act('bob', 'transferToken', { to: 'carol', amount: 900 });
    assert.deepEqual(facts(), [1_000, 2]);
    assert.equal(chain.record('token-holder', 'tok-gold/bob'), undefined);
    act('carol', 'burnToken', { amount: 400 });
    assert.deepEqual(facts(), [600, 2]);
    // Burning makes room under the cap.
    act('alice', 'mintToken', { to: OPERATOR, amount: 400 });
    assert.deepEqual(facts(), [1_000, 3]);
    act('alice', 'renounceMintAuthority', {});
    act('carol', 'burnToken', { amount: 500 });
    assert.deepEqual(facts(), [500, 2]);
    const holding = chain.record('token-holder', `tok-gold/${OPERATOR}`)!;
    assert.deepEqual(COLLECTIONS['token-holder'].sortedIndexes(holding), [
      { list: 'token-holders', value: 'tok-gold', rank: 400 },
    ]);
  });
  test('holds as much as an integer can', () => {
    const chain = withGold(standardChain(), { supplyCap: MAX, initialSupply: MAX });
    const all = { tokenId: 'tok-gold', amount: MAX };
    const more = { tokenId: 'tok-gold', to: 'bob', amount: MAX };
    refused(chain, chain.intent('alice', 'mintToken', more), 'TOKEN_CAP_EXCEEDED');
    chain.does('alice', 'transferToken', { ...all, to: 'bob' });
    chain.does('bob', 'burnToken', all);
    assert.equal(chain.record('token', 'tok-gold')?.supply, 0);
    chain.does('alice', 'mintToken', more);
  });
  test('that is an NFT has one holder', () => {
    const chain = withGold(standardChain(), { decimals: 0, supplyCap: 1, initialSupply: 1 });
    chain.does('alice', 'transferToken', { tokenId: 'tok-gold', to: 'bob', amount: 1 });
    const { supply, holders } = chain.record('token', 'tok-gold')!;
    assert.deepEqual([supply, holders], [1, 1]);
  });
});

describe('a block stops if holders do not sum to the supply:', () => {
  for (const [what, spoil] of [
    [
      'a holding that grew by itself',
      (state: StateOverlay) =>
        state.put('token-holder', 'tok-gold/alice', {
          tokenId: 'tok-gold',
          actorId: 'alice',
          amount: 101,
        }),
    ],
    [
      'a holding that vanished',
      (state: StateOverlay) => state.delete('token-holder', 'tok-gold/alice'),
    ],
    [
      'a supply that grew by itself',
      (state: StateOverlay) => {
        const token = state.get('token', 'tok-gold')!;
        state.put('token', 'tok-gold', { ...token, supply: token.supply + 1 });
      },
    ],
    [
      'a miscounted holder',
      (state: StateOverlay) => {
        const token = state.get('token', 'tok-gold')!;
        state.put('token', 'tok-gold', { ...token, holders: 2 });
      },
    ],
    ['a token that vanished', (state: StateOverlay) => state.delete('token', 'tok-gold')],
    [
      'a supply above the cap',
      (state: StateOverlay) => {
        const token = state.get('token', 'tok-gold')!;
        state.put('token', 'tok-gold', { ...token, supplyCap: 99 });
      },
    ],
  ] as const) {
    test(what, () => {
      const { ledger } = withGold(standardChain());
      const state = new StateOverlay(ledger);
      checkTokenConservation(state);
      spoil(state);
      assert.throws(() => checkTokenConservation(state), /tok-gold/);
    });
  }
});
