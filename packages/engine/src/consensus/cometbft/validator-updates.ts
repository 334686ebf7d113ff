import { create } from '@bufbuild/protobuf';
import type { Observation, StateReader } from '@netd/ledger';
import { cometbftAddress, rawKeyFromPem, type Validator, type ValidatorSet } from '@netd/protocol';
import {
  BlockIDFlag,
  MisbehaviorType,
  ValidatorUpdateSchema,
  type RequestFinalizeBlock,
  type ValidatorUpdate,
  type VoteInfo,
} from './wire/abci_pb.js';

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** @throws Error if CometBFT left out the time of a header */
export function millisecondsOf(time: { seconds: bigint; nanos: number } | undefined): number {
  if (!time) throw new Error('CometBFT names no time');
  return Number(time.seconds) * 1_000 + Math.floor(time.nanos / 1_000_000);
}

const rawKeyOf = ({ consensusPublicKey }: Pick<Validator, 'consensusPublicKey'>): Uint8Array =>
  rawKeyFromPem(consensusPublicKey) ?? new Uint8Array();

export const addressOf = (validator: Pick<Validator, 'consensusPublicKey'>): string =>
  cometbftAddress(rawKeyOf(validator));

/** Returns the id of a current or past validator; undefined on chains with a fixed set. */
export function validatorOf(state: Pick<StateReader, 'get'>, address: string): string | undefined {
  const found = state.get(`validator-address/${address}`);
  return (found as { validatorId: string } | undefined)?.validatorId;
}

export function doubleSignings(
  { misbehavior }: Pick<RequestFinalizeBlock, 'misbehavior'>,
  state: Pick<StateReader, 'get'>,
): Observation[] {
  return misbehavior.flatMap(({ type, validator, height }): Observation[] => {
    const validatorId = validatorOf(state, hexOf(validator?.address ?? new Uint8Array()));
    if (validatorId === undefined || type === MisbehaviorType.UNKNOWN) return [];
    const subject = `${validatorId}/${MisbehaviorType[type]}/${height}`;
    return [{ kind: 'slashDoubleSigner', subject }];
  });
}

export function absences(
  { decidedLastCommit }: Pick<RequestFinalizeBlock, 'decidedLastCommit'>,
  state: Pick<StateReader, 'get'>,
): Observation[] {
  return (decidedLastCommit?.votes ?? []).flatMap(({ validator, blockIdFlag }): Observation[] => {
    const validatorId = validatorOf(state, hexOf(validator?.address ?? new Uint8Array()));
    const isAbsent = blockIdFlag === BlockIDFlag.BLOCK_ID_FLAG_ABSENT;
    return isAbsent && validatorId !== undefined
      ? [{ kind: 'missBlock', subject: validatorId }]
      : [];
  });
}

/** Returns true if the validator voted for the last block or for nil. */
export function hasVoted(
  { decidedLastCommit }: Pick<RequestFinalizeBlock, 'decidedLastCommit'>,
  address: string,
): boolean {
  const vote = decidedLastCommit?.votes.find(
    ({ validator }) => validator && hexOf(validator.address) === address,
  );
  return vote !== undefined && isVote(vote);
}

/** Returns true for a vote for the block or for nil. */
export const isVote = ({ blockIdFlag }: Pick<VoteInfo, 'blockIdFlag'>): boolean =>
  blockIdFlag === BlockIDFlag.BLOCK_ID_FLAG_COMMIT || blockIdFlag === BlockIDFlag.BLOCK_ID_FLAG_NIL;

/** Returns the changed powers; departed keys get 0. CometBFT applies them two heights later. */
export function updatesOf(before: ValidatorSet, after: ValidatorSet): ValidatorUpdate[] {
  if (before.validatorSetHash === after.validatorSetHash) return [];
  const powers = new Map(
    before.validators.map((each) => [hexOf(rawKeyOf(each)), each.votingPower]),
  );
  const update = (key: string, power: number): ValidatorUpdate =>
    create(ValidatorUpdateSchema, {
      pubKey: { sum: { case: 'ed25519', value: Buffer.from(key, 'hex') } },
      power: BigInt(power),
    });
  const updates: ValidatorUpdate[] = [];
  for (const validator of after.validators) {
    const key = hexOf(rawKeyOf(validator));
    if (powers.get(key) !== validator.votingPower) updates.push(update(key, validator.votingPower));
    powers.delete(key);
  }
  for (const key of powers.keys()) updates.push(update(key, 0));
  return updates;
}
