import { ActorId, isNetSymbol } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { count } from '../../counters.ts';
import { requireThat } from '../../rule-error.ts';
import { issueToken } from '../../token-accounting.ts';
import { positionOf } from '../../transition.ts';
import { TokenAmount, TokenId } from './token-fields.ts';

export const createToken = defineAction({
  name: 'createToken',
  summary: 'Create a token; with decimals 0 and supplyCap 1 it is an NFT.',
  grant: { AGENT: 'policy', HUMAN: 'application' },
  payload: exactly({
    tokenId: TokenId,
    name: Type.String({ minLength: 1, maxLength: 64 }),
    symbol: Type.String({ pattern: '^[A-Za-z0-9]{1,12}$', description: 'Need not be unique.' }),
    decimals: Type.Integer({ minimum: 0, maximum: 9 }),
    supplyCap: Type.Integer({
      ...TokenAmount,
      description: 'The supply never exceeds it, in the smallest unit.',
    }),
    initialSupply: Type.Integer({
      ...TokenAmount,
      minimum: 0,
      description: 'Goes to the creator, in the smallest unit.',
    }),
    mintAuthority: Type.Optional(
      Type.String({
        ...ActorId,
        description:
          'The actor that may mint up to the cap; without one, minting is impossible for good.',
      }),
    ),
  }),
  errors: ['SYMBOL_RESERVED', 'TOKEN_EXISTS', 'TOKEN_CAP_EXCEEDED', 'MINT_AUTHORITY_UNKNOWN'],
  events: ['TokenCreated'],

  check({ state, rules }, { tokenId, symbol, supplyCap, initialSupply, mintAuthority }) {
    const isReserved = rules.atLeast(2) && isNetSymbol(symbol);
    requireThat(!isReserved, 'SYMBOL_RESERVED', '/payload/symbol');
    requireThat(!state.get('token', tokenId), 'TOKEN_EXISTS', '/payload/tokenId');
    requireThat(initialSupply <= supplyCap, 'TOKEN_CAP_EXCEEDED', '/payload/initialSupply');
    requireThat(
      mintAuthority === undefined || state.get('authority', mintAuthority),
      'MINT_AUTHORITY_UNKNOWN',
      '/payload/mintAuthority',
    );
  },

  apply(context, payload) {
    const { state, authority, emit } = context;
    const { tokenId, name, symbol, decimals, supplyCap, initialSupply } = payload;
    const mintAuthority = payload.mintAuthority ?? null;
    state.put('token', tokenId, {
      createdAt: positionOf(context),
      creatorId: authority.actorId,
      decimals,
      holders: 0,
      mintAuthority,
      name,
      supply: 0,
      supplyCap,
      symbol,
      tokenId,
    });
    if (initialSupply > 0) issueToken(state, tokenId, authority.actorId, initialSupply);
    count(state, 'tokens', 1);
    emit('TokenCreated', {
      actorId: authority.actorId,
      decimals,
      initialSupply,
      mintAuthority,
      supplyCap,
      symbol,
      tokenId,
    });
  },
});
