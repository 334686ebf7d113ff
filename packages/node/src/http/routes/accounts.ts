import { classOf } from '@netd/ledger';
import Type, { type Static } from 'typebox';
import { AccountStake, accountStake } from '../../documents/account-stake.ts';
import { documentHead, snapshotFacts } from '../../documents/facts.ts';
import { TokenDocument, tokenDocument } from '../../documents/token.ts';
import type { Routes } from '../context.ts';
import { sendProblem } from '../problem.ts';
import { documentSchema, found, problems, SnapshotFacts } from '../schemas.ts';

const AccountParams = Type.Object({
  accountId: Type.String({
    pattern: '^(net:[a-z-]{1,40}|[A-Za-z0-9][A-Za-z0-9._-]{1,63})$',
    description: 'An actor id, or net:<class> for an account of genesis.',
  }),
});

const AccountDocument = documentSchema(
  'NET-ACCOUNT/1',
  {
    snapshot: SnapshotFacts,
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
  'One account.',
);

export const accountRoutes: Routes = (app, context) => {
  app.get<{ Params: Static<typeof AccountParams> }>(
    '/v1/accounts/:accountId',
    {
      schema: {
        operationId: 'getAccount',
        tags: ['accounts'],
        summary: 'Balance of an account',
        params: AccountParams,
        response: { ...found(AccountDocument), ...problems(404) },
      },
    },
    (request, reply) => {
      const { accountId } = request.params;
      const account = context.read((snapshot) => snapshot.get('account', accountId));
      if (!account) return sendProblem(reply, 'ACCOUNT_NOT_FOUND');
      return context.document(request, reply, (snapshot) => ({
        ...documentHead(snapshot, 'NET-ACCOUNT/1'),
        snapshot: snapshotFacts(snapshot),
        ...(snapshot.get('account', accountId) ?? account),
        class: classOf(accountId),
        stake: accountStake(snapshot, accountId),
        links: {
          proof: `/v1/state/proof?key=account/${accountId}`,
          events: `/v1/events?agent=${accountId}`,
        },
      }));
    },
  );

  app.get(
    '/v1/token',
    {
      schema: {
        operationId: 'getToken',
        tags: ['accounts'],
        summary: 'The native token: metadata and accounting classes',
        response: { ...found(TokenDocument), ...problems() },
      },
    },
    (request, reply) => context.document(request, reply, tokenDocument),
  );
};
