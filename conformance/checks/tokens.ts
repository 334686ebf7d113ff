/** Custom tokens. */
import assert from 'node:assert/strict';
import type { JsonObject } from '@netd/protocol';
import { check } from '../check.ts';
import { expectMember, expectProblem, mentions } from '../expect.ts';
import type { Network } from '../network.ts';

const tokenOf = (tokenId: string, members: JsonObject = {}): JsonObject => ({
  tokenId,
  name: 'Conformance',
  symbol: 'CNF',
  decimals: 2,
  supplyCap: 1_000,
  initialSupply: 600,
  ...members,
});

const gold = (net: Network): Promise<string> =>
  net.once('gold', async () => {
    const actor = await net.spender('mints');
    const tokenId = `tok-gold-${net.run}`;
    const payload = tokenOf(tokenId, { mintAuthority: actor.actorId });
    await net.does(actor, 'createToken', payload);
    return tokenId;
  });

export const TOKEN_CHECKS = [
  check('tokens are listed', ['get.tokens', 'document.token-registry'], async (net) => {
    const tokenId = await gold(net);
    const registry = await net.http.document('/v1/tokens?limit=1000');
    assert.equal(registry['schema'], 'NET-TOKEN-REGISTRY/1');
    assert.ok(mentions(registry, `"${tokenId}"`));
  }),

  check(
    'a token shows its supply, who may mint it, and who holds most',
    ['get.custom-token', 'token.supply', 'token.mint-authority', 'token.top-holders'],
    async (net) => {
      const tokenId = await gold(net);
      const { actorId } = await net.spender('mints');
      const document = await net.http.document(`/v1/tokens/${tokenId}`);
      assert.equal(expectMember(document, /^supply$/, 'the supply'), 600);
      assert.equal(expectMember(document, /^mintAuthority$/, 'the mint authority'), actorId);
      const holders = expectMember(document, /holders$/i, 'the top holders');
      assert.ok(mentions(document, actorId) && holders !== null);
      const list = document['topHolders'] as JsonObject[];
      assert.deepEqual(
        list.map(({ actorId: holder, amount }) => [holder, amount]),
        [[actorId, 600]],
      );
    },
  ),

  check('no decimals and a cap of one make an NFT', ['service.nft'], async (net) => {
    const actor = await net.spender('mints');
    const tokenId = `tok-nft-${net.run}`;
    const nft = tokenOf(tokenId, { decimals: 0, supplyCap: 1, initialSupply: 1 });
    await net.does(actor, 'createToken', nft);
    const document = await net.http.document(`/v1/tokens/${tokenId}`);
    assert.equal(expectMember(document, /^kind$/, 'what it is'), 'NFT');
    const other = await net.http.document(`/v1/tokens/${await gold(net)}`);
    assert.notEqual(expectMember(other, /^kind$/, 'what it is'), 'NFT');
  }),

  check(
    'a token that does not exist is TOKEN_NOT_FOUND, and what is no token id 400',
    ['error.token-404', 'id.token'],
    async (net) => {
      const unknown = await net.http.get(`/v1/tokens/tok-none-${net.run}`);
      expectProblem(unknown, 404, 'TOKEN_NOT_FOUND');
      const actor = await net.spender('mints');
      for (const bad of [
        'gold',
        'tok-ab',
        'tok--ab',
        'tok-ABC',
        `tok-${'a'.repeat(42)}`,
        'tok-a_b',
      ]) {
        expectProblem(await net.http.get(`/v1/tokens/${bad}`), 400, 'PARAMETER_INVALID');
        const answer = await net.tries(actor, 'createToken', tokenOf(bad));
        expectProblem(answer, 409, 'PAYLOAD_INVALID');
      }
      for (const fits of [`tok-${net.run}`.slice(0, 7), `tok-${'a'.repeat(41)}`]) {
        const { status } = await net.http.get(`/v1/tokens/${fits}`);
        assert.ok([200, 404].includes(status), `${fits} is a token id, and answers ${status}`);
      }
    },
  ),
];
