/** NET-ACCOUNT/1: one account in unet. */
import { classOf } from '@netd/ledger';
import Type from 'typebox';
import { Refusal } from '../chain/refusal.ts';
import { AccountStake, accountStake } from './account-stake.ts';
import { defineDocument } from './read-document.ts';

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
    class: Type.String({ description: 'The accounting class its balance counts in.' }),
    balance: Type.Integer({ description: 'In unet.' }),
    faucetReceived: Type.Integer({ description: 'What the faucet has paid to it, ever, in unet.' }),
    stake: AccountStake,
    links: Type.Object(
      { proof: Type.String(), events: Type.String() },
      { additionalProperties: false },
    ),
  },
  build: (snapshot, { accountId }) => {
    const record = snapshot.get('account', accountId);
    if (!record) throw new Refusal('ACCOUNT_NOT_FOUND');
    return {
      ...record,
      class: classOf(accountId),
      stake: accountStake(snapshot, accountId),
      links: {
        proof: `/v1/state/proof?key=account/${accountId}`,
        events: `/v1/events?agent=${accountId}`,
      },
    };
  },
});
