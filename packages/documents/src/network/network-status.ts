/** This document is local, because it shows the node's public URL. */
import type { Snapshot } from '@netd/engine/reads';
import { namesPolicyOf, readyPower, RULES_VERSIONS, rulesAt } from '@netd/ledger';
import {
  ActorId,
  blockHash,
  Hash,
  Height,
  MAX_ENVELOPE_BYTES,
  MAX_EXPIRY_DISTANCE,
  NamesPolicy,
  Timestamp,
  type FinalityCertificate,
  type ValidatorSet,
} from '@netd/protocol';
import { orNull, exactly, Type } from '@netd/protocol/type';

import { INTERFACE_VERSION, VERSION } from '@netd/protocol/version';
import { CONVENTIONS_PATH, Links } from '../shared/links.ts';
import { MODES, NetworkIdentity, NetworkMode } from '../shared/network-facts.ts';
import type { LocalDocument } from '../shared/local-document.ts';

const NetworkStatus = exactly(
  {
    schema: Type.Literal('NET-NETWORK-STATUS/1'),
    chainId: Type.String(),
    epoch: Type.Integer(),
    mode: NetworkMode,
    open: Type.Boolean({
      description: 'Whether this chain takes unsigned payloads on four paths.',
    }),
    laboratory: NetworkIdentity.properties.laboratory,
    fork: NetworkIdentity.properties.fork,
    height: Height,
    timestamp: Timestamp,
    blockHash: Hash,
    stateRoot: Hash,
    finality: exactly({
      scheme: Type.Enum(Object.keys(MODES)),
      finalizedHeight: Height,
      certificateHash: Hash,
      validatorSetHash: Hash,
      validators: Type.Integer(),
      quorum: Type.Integer(),
      totalVotingPower: Type.Integer(),
      votes: Type.Array(
        exactly({
          validatorId: ActorId,
          votingPower: Type.Integer({ minimum: 1 }),
          signed: Type.Boolean(),
        }),
        {
          description:
            'The validators of this height, by validatorId, and whose vote is in the certificate that this node keeps; another one may keep others, a quorum in any case.',
        },
      ),
    }),
    rules: exactly(
      {
        version: Type.Integer({ minimum: 1, description: 'Of the next block.' }),
        name: orNull(Type.String(), 'Null if this node does not know the version.'),
        scheduled: orNull(
          exactly({
            version: Type.Integer({ minimum: 2 }),
            name: orNull(Type.String(), 'Null if this node lacks the version.'),
            changes: Type.Array(Type.String(), {
              description: 'What it changes, in sentences; none if this node lacks the version.',
            }),
            height: Type.Integer({ ...Height, description: 'Of its first block.' }),
            artifactHash: Type.String({ ...Hash, description: 'Of the release that has it.' }),
            readyPower: orNull(
              Type.Integer({ minimum: 0 }),
              'Votes of the validators that announced that they are ready; a quorum is needed. Null on a fixed set, for which the schedule itself asserts it.',
            ),
          }),
          'The next version, or null.',
        ),
      },
      { description: 'The version of the rules that blocks follow.' },
    ),
    registration: Type.Object(NamesPolicy.properties, {
      additionalProperties: false,
      description: 'What the name of a new agent costs.',
    }),
    genesisHash: Hash,
    genesisTime: Timestamp,
    blockTimeMs: Type.Integer(),
    idleBlockTimeMs: Type.Integer(),
    limits: exactly({
      envelopeBytes: Type.Integer(),
      expiryDistance: Type.Integer(),
    }),
    publicUrl: Type.String(),
    version: Type.String(),
    interfaceVersion: Type.String(),
    links: Links,
  },
  { description: 'Consensus and finality as this node sees them.' },
);

export const networkStatus: LocalDocument = {
  name: 'NET-NETWORK-STATUS/1',
  schema: NetworkStatus,
  renderLocal: (facts) =>
    facts.read((snapshot) => {
      const { node, options } = facts;
      const { header, certificate } = snapshot.block;
      const identity = snapshot.get('chain', 'identity');
      const validatorSet = node.chain.validatorSetAt(header.height);
      return {
        schema: 'NET-NETWORK-STATUS/1',
        chainId: header.chainId,
        epoch: header.epoch,
        mode: MODES[certificate.scheme],
        open: identity?.open ?? false,
        laboratory: identity?.laboratory ?? false,
        ...(identity?.fork === undefined ? {} : { fork: identity.fork }),
        height: header.height,
        timestamp: header.timestamp,
        blockHash: blockHash(header),
        stateRoot: header.stateRoot,
        finality: {
          scheme: certificate.scheme,
          finalizedHeight: certificate.height,
          certificateHash: certificate.certificateHash,
          validatorSetHash: validatorSet.validatorSetHash,
          validators: validatorSet.validators.length,
          quorum: validatorSet.quorum,
          totalVotingPower: validatorSet.totalVotingPower,
          votes: votesOf(validatorSet, certificate),
        },
        rules: rulesOf(snapshot, node.chain.validatorSetAt(header.height + 1)),
        registration: namesPolicyOf(snapshot.get('policy', 'limits') ?? {}),
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
          conventions: CONVENTIONS_PATH,
        },
      };
    }),
};

function rulesOf(snapshot: Snapshot, nextSet: ValidatorSet) {
  const { version } = rulesAt(snapshot, snapshot.height + 1);
  const schedule = snapshot.get('rules-schedule', 'next');
  const name = RULES_VERSIONS[version - 1]?.name ?? null;
  if (!schedule || schedule.decided) return { version, name, scheduled: null };
  const isFixed = snapshot.get('validator-term', 'current') === undefined;
  const { version: next, height, artifactHash } = schedule;
  const { name: nextName = null, changes = [] } = RULES_VERSIONS[next - 1] ?? {};
  const power = isFixed ? null : readyPower(schedule, nextSet);
  return {
    version,
    name,
    scheduled: {
      version: next,
      name: nextName,
      changes: [...changes],
      height,
      artifactHash,
      readyPower: power,
    },
  };
}

function votesOf(
  { validators }: ValidatorSet,
  { votes }: FinalityCertificate,
): { validatorId: string; votingPower: number; signed: boolean }[] {
  const voters = new Set(votes.map(({ validatorId }) => validatorId));
  return validators.map(({ validatorId, votingPower }) => ({
    validatorId,
    votingPower,
    signed: voters.has(validatorId),
  }));
}
