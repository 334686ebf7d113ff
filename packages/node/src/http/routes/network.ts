import { Genesis, Hash, Height, Timestamp } from '@netd/protocol';
import { Type, type Static } from '@netd/protocol/type';
import { networkStatus } from '../../documents/network/network-status.ts';
import { byChain, noStore } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { found, problems } from '../schemas.ts';

const ChainVerification = Type.Object(
  {
    schema: Type.Literal('NET-CHAIN-VERIFICATION/1'),
    chainId: Type.String(),
    valid: Type.Boolean({ description: 'No fault was found up to verifiedHeight.' }),
    height: Height,
    latestBlockHash: Hash,
    latestStateRoot: Hash,
    verifiedHeight: Type.Integer({
      description:
        'Up to here the background verifier has checked hashes, links, lists and certificates; −1 before the first.',
    }),
    fault: Type.Union([
      Type.Object({ height: Height, reason: Type.String() }, { additionalProperties: false }),
      Type.Null(),
    ]),
    fullPasses: Type.Integer(),
    lastFullPass: Type.Union([
      Type.Object({ height: Height, endedAt: Timestamp }, { additionalProperties: false }),
      Type.Null(),
    ]),
    replay: Type.String({ description: 'How to replay everything from genesis yourself.' }),
  },
  {
    additionalProperties: false,
    description: 'How far the background verifier has come, and whether it found a fault.',
  },
);

export const networkRoutes: Routes = (app, context) => {
  const { node, options } = context;

  app.get(
    '/v1/network',
    {
      schema: {
        operationId: 'getNetwork',
        tags: ['network'],
        summary: 'Consensus and finality status',
        response: { 200: networkStatus.schema, ...problems() },
      },
    },
    (_request, reply) => context.send(reply, () => networkStatus.renderLocal(context), noStore),
  );

  app.get(
    '/v1/genesis',
    {
      schema: {
        operationId: 'getGenesis',
        tags: ['network'],
        summary: 'The genesis document: with it and the blocks anyone can replay the chain',
        response: { ...found(Genesis), ...problems() },
      },
    },
    (_request, reply) => context.send(reply, () => node.dataDir.genesis, byChain),
  );

  app.get(
    '/v1/chain/verify',
    {
      schema: {
        operationId: 'verifyChain',
        tags: ['network'],
        summary: 'Chain integrity: block hashes, predecessor links, latest state root',
        response: { 200: ChainVerification, ...problems() },
      },
    },
    (_request, reply) => {
      const { height, blockHash, stateRoot } = node.chain.head;
      const status = node.backgroundVerifier.current();
      const verification: Static<typeof ChainVerification> = {
        schema: 'NET-CHAIN-VERIFICATION/1',
        chainId: node.chain.identity.chainId,
        valid: status.fault === null,
        height,
        latestBlockHash: blockHash,
        latestStateRoot: stateRoot,
        ...status,
        replay: `npx netd verify --url ${options.publicUrl}`,
      };
      return context.send(reply, verification, noStore);
    },
  );
};
