import { Unet } from '@netd/protocol';
import { classOf } from '@netd/ledger';
import { Type } from '@netd/protocol/type';
import { ApiError } from '@netd/engine/reads';
import { AccountStake, accountStake } from '../staking/account-stake.ts';
import { proofLink } from '../shared/links.ts';
import { defineDocument } from '../shared/read-document.ts';

export const account = defineDocument({
  name: 'NET-ACCOUNT/1',
  route: '/v1/accounts/:accountId',
  operationId: 'getAccount',
  tag: 'accounts',
  summary: 'Balance of an account',
  description: 'One account.',
  path: {
    accountId: Type.String({
      pattern: '^(net:[a-z-]{1,40}|[A-Za-z0-9][A-Za-z0-9._-]{1,63})$',
      description: 'An actor id, or net:<class> for an account of genesis.',
    }),
  },
  canMiss: true,
  content: {
    accountId: Type.String(),
    class: Type.String(),
    balance: Unet,
    faucetReceived: Type.Integer({ ...Unet, description: 'What the faucet has paid to it, ever.' }),
    stake: AccountStake,
  },
  build: (snapshot, { accountId }) => {
    const record = snapshot.get('account', accountId);
    if (!record) throw new ApiError('ACCOUNT_NOT_FOUND');
    return {
      ...record,
      class: classOf(accountId),
      stake: accountStake(snapshot, accountId),
      links: {
        proof: proofLink('account', accountId),
        events: `/v1/events?agent=${accountId}`,
        validators: '/v1/validators',
      },
    };
  },
});
