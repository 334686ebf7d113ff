import {
  Genesis,
  MAX_ENVELOPE_BYTES,
  MAX_EXPIRY_DISTANCE,
  Hash,
  Height,
  Timestamp,
} from '@netd/protocol';
import Type from 'typebox';
import { INTERFACE_VERSION, VERSION } from '../../version.ts';
import type { Routes } from '../context.ts';
import { found, problems } from '../schemas.ts';

const NetworkStatus = Type.Object(
  {
    schema: Type.Literal('NET-NETWORK-STATUS/1'),
    chainId: Type.String(),
    epoch: Type.Integer(),
    mode: Type.Literal('SINGLE_VALIDATOR_DEVNET', {
      description: 'One validator orders and certifies: final by its signature, not by a majority.',
    }),
    open: Type.Boolean({
      description: 'Whether this chain takes unsigned payloads on four paths.',
    }),
    height: Height,
    timestamp: Timestamp,
    blockHash: Hash,
    stateRoot: Hash,
    finality: Type.Object(
      {
        scheme: Type.Literal('ed25519-statement-v1'),
        finalizedHeight: Height,
        certificateHash: Hash,
        validatorSetHash: Hash,
        validators: Type.Integer(),
        quorum: Type.Integer(),
        totalVotingPower: Type.Integer(),
      },
      { additionalProperties: false },
    ),
    genesisHash: Hash,
    genesisTime: Timestamp,
    blockTimeMs: Type.Integer(),
    idleBlockTimeMs: Type.Integer(),
    limits: Type.Object(
      {
        envelopeBytes: Type.Integer(),
        expiryDistance: Type.Integer({ description: 'Heights an intent may reach ahead.' }),
      },
      { additionalProperties: false },
    ),
    publicUrl: Type.String(),
    version: Type.String(),
    interfaceVersion: Type.String(),
    links: Type.Object(
      {
        register: Type.String(),
        intents: Type.String(),
        certificate: Type.String(),
        validatorSet: Type.String(),
        verify: Type.String(),
        openapi: Type.String(),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'Consensus and finality as this node sees them.' },
);

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
  { additionalProperties: false },
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
        response: { 200: NetworkStatus, ...problems() },
      },
    },
    (_request, reply) => {
      const status = context.read((snapshot) => {
        const { header, certificate } = snapshot.block;
        const identity = snapshot.get('chain', 'identity');
        const { validatorSet } = node.chain.identity;
        return {
          schema: 'NET-NETWORK-STATUS/1',
          chainId: header.chainId,
          epoch: header.epoch,
          mode: 'SINGLE_VALIDATOR_DEVNET',
          open: identity?.open ?? false,
          height: header.height,
          timestamp: header.timestamp,
          blockHash: certificate.blockHash,
          stateRoot: header.stateRoot,
          finality: {
            scheme: certificate.scheme,
            finalizedHeight: certificate.height,
            certificateHash: certificate.certificateHash,
            validatorSetHash: validatorSet.validatorSetHash,
            validators: validatorSet.validators.length,
            quorum: validatorSet.quorum,
            totalVotingPower: validatorSet.totalVotingPower,
          },
          genesisHash: identity?.genesisHash,
          genesisTime: identity?.genesisTime,
          blockTimeMs: node.blockTime,
          idleBlockTimeMs: node.idleBlockTime,
          limits: { envelopeBytes: MAX_ENVELOPE_BYTES, expiryDistance: MAX_EXPIRY_DISTANCE },
          publicUrl: options.publicUrl,
          version: VERSION,
          interfaceVersion: INTERFACE_VERSION,
          links: {
            register: '/v1/agents/register',
            intents: '/v1/intents',
            certificate: '/v1/consensus/certificates/latest',
            validatorSet: '/v1/consensus/validator-set',
            verify: '/v1/chain/verify',
            openapi: '/openapi.json',
          },
        };
      });
      return context.local(reply, status);
    },
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
    (request, reply) => context.document(request, reply, () => node.dataDir.genesis),
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
      const status = node.watcher.current();
      return context.local(reply, {
        schema: 'NET-CHAIN-VERIFICATION/1',
        chainId: node.chain.identity.chainId,
        valid: status.fault === null,
        height,
        latestBlockHash: blockHash,
        latestStateRoot: stateRoot,
        ...status,
        replay: `npx netd verify --url ${options.publicUrl}`,
      });
    },
  );
};
