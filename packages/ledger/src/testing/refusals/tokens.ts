import type { JsonObject } from '@netd/protocol';
import { OPERATOR, type TestChain } from '../test-chain.ts';
import { refuse, type RefusalCase } from './case.ts';

export const TOKEN_ACTIONS = [
  'createToken',
  'mintToken',
  'renounceMintAuthority',
  'transferToken',
  'burnToken',
];

export function withTokens(chain: TestChain, agentIds = ['alice', 'bob', 'carol']): TestChain {
  for (const agentId of agentIds) {
    chain.does(agentId, 'extendAgentCapabilities', { agentId, actions: TOKEN_ACTIONS });
  }
  return chain;
}

export const tokenOf = (members: JsonObject = {}): JsonObject => ({
  tokenId: 'tok-gold',
  name: 'Gold',
  symbol: 'GLD',
  decimals: 2,
  supplyCap: 1_000,
  initialSupply: 100,
  mintAuthority: 'alice',
  ...members,
});

/** alice holds 100 of at most 1,000 tok-gold and can mint. */
export function withGold(chain: TestChain, members: JsonObject = {}): TestChain {
  return withTokens(chain).does('alice', 'createToken', tokenOf(members));
}

const gold = (members: JsonObject = {}): JsonObject => ({ tokenId: 'tok-gold', ...members });

const retire = (chain: TestChain): TestChain =>
  chain.does(OPERATOR, 'setAgentStatus', { agentId: 'bob', status: 'retired' });

export const TOKEN_REFUSALS: RefusalCase[] = [
  refuse('createToken', 'TOKEN_EXISTS', 'a tokenId is used once across all actors', (chain) =>
    withGold(chain).intent('bob', 'createToken', tokenOf()),
  ),
  refuse('createToken', 'TOKEN_CAP_EXCEEDED', 'a token starts within its cap', (chain) =>
    withTokens(chain).intent('alice', 'createToken', tokenOf({ initialSupply: 1_001 })),
  ),
  refuse('createToken', 'MINT_AUTHORITY_UNKNOWN', 'the mint authority can act', (chain) =>
    withTokens(chain).intent('alice', 'createToken', tokenOf({ mintAuthority: 'nobody' })),
  ),
  ...(
    [
      ['mintToken', { to: 'bob', amount: 1 }],
      ['renounceMintAuthority', {}],
      ['transferToken', { to: 'bob', amount: 1 }],
      ['burnToken', { amount: 1 }],
    ] as [string, JsonObject][]
  ).map(([action, members]) =>
    refuse(action, 'TOKEN_UNKNOWN', 'there must be such a token', (chain) =>
      withTokens(chain).intent('alice', action, gold(members)),
    ),
  ),
  ...(
    [
      ['mintToken', { to: 'bob', amount: 1 }],
      ['renounceMintAuthority', {}],
    ] as [string, JsonObject][]
  ).flatMap(([action, members]) => [
    refuse(action, 'NOT_MINT_AUTHORITY', 'it takes the mint authority', (chain) =>
      withGold(chain, { mintAuthority: 'bob' }).intent('alice', action, gold(members)),
    ),
    refuse(action, 'MINT_AUTHORITY_RENOUNCED', 'what was renounced does not come back', (chain) =>
      withGold(chain)
        .does('alice', 'renounceMintAuthority', gold())
        .intent('alice', action, gold(members)),
    ),
    refuse(action, 'MINT_AUTHORITY_RENOUNCED', 'a token may have no mint authority', (chain) => {
      const { mintAuthority: _, ...fixed } = tokenOf();
      withTokens(chain).does('alice', 'createToken', fixed);
      return chain.intent('alice', action, gold(members));
    }),
  ]),
  refuse('mintToken', 'TOKEN_CAP_EXCEEDED', 'the supply stays within the cap', (chain) =>
    withGold(chain).intent('alice', 'mintToken', gold({ to: 'bob', amount: 901 })),
  ),
  refuse('mintToken', 'TOKEN_CAP_EXCEEDED', 'an NFT is minted once', (chain) =>
    withGold(chain, { decimals: 0, supplyCap: 1, initialSupply: 1 }).intent(
      'alice',
      'mintToken',
      gold({ to: 'bob', amount: 1 }),
    ),
  ),
  ...['mintToken', 'transferToken'].flatMap((action) => [
    refuse(action, 'RECIPIENT_UNKNOWN', 'tokens go to registered actors', (chain) =>
      withGold(chain).intent('alice', action, gold({ to: 'nobody', amount: 1 })),
    ),
    refuse(action, 'AGENT_RETIRED', 'tokens do not go to the retired', (chain) =>
      retire(withGold(chain)).intent('alice', action, gold({ to: 'bob', amount: 1 })),
    ),
    refuse(action, 'AUTHORITY_REVOKED', 'nor to people who were revoked', (chain) =>
      withGold(chain)
        .install('hugo', 'HUMAN')
        .does(OPERATOR, 'revokeAuthority', { actorId: 'hugo' })
        .intent('alice', action, gold({ to: 'hugo', amount: 1 })),
    ),
  ]),
  refuse('transferToken', 'RECIPIENT_IS_SENDER', 'an actor cannot pay itself', (chain) =>
    withGold(chain).intent('alice', 'transferToken', gold({ to: 'alice', amount: 1 })),
  ),
  refuse(
    'transferToken',
    'TOKEN_BALANCE_INSUFFICIENT',
    'an actor cannot pay more than its balance',
    (chain) => withGold(chain).intent('alice', 'transferToken', gold({ to: 'bob', amount: 101 })),
  ),
  refuse(
    'burnToken',
    'TOKEN_BALANCE_INSUFFICIENT',
    'an actor cannot burn more than its balance',
    (chain) => withGold(chain).intent('bob', 'burnToken', gold({ amount: 1 })),
  ),
];
