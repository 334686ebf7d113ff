import type { ChainPosition, ValidatorSet } from '@netd/protocol';
import type { Deadline } from '../../deadline.ts';
import type { HeartbeatReport } from '../presence/records.ts';

/** An actor's shares in the pools of at most MAX_DELEGATIONS candidates. */
export interface DelegatorRecord {
  actorId: string;
  /** In the order of validator ids. */
  positions: { validatorId: string; shares: number; since: ChainPosition }[];
  /** The number of pending unbondings. */
  unbondings: number;
}

/** Undelegated stake before its release. Evidence can still slash it. */
export interface UnbondingRecord {
  /** The hash of the transition that undelegated. */
  unbondingId: string;
  actorId: string;
  validatorId: string;
  /** In unet, before any slashing. */
  amount: number;
  /** The validator's faults before. Each later one costs a tenth. */
  faultsBefore: number;
  startedAt: ChainPosition;
  releaseAt: Deadline;
}

export interface ValidatorHeartbeatRecord extends HeartbeatReport {
  validatorId: string;
}

/** Proof of two votes of a validator for one height. Counts once. */
export interface ValidatorFaultRecord {
  validatorId: string;
  height: number;
  blockHashes: [string, string];
  slashedBond: number;
  slashedStake: number;
  submittedAt: ChainPosition;
}

/** The set in force for the next block, and the end of its term. */
export interface ValidatorTermRecord {
  lastHeight: number;
  /** The number of its set. */
  set: number;
}

/** Kept forever, to verify old blocks. */
export interface ValidatorSetRecord {
  /** The first height whose block it certifies. */
  fromHeight: number;
  number: number;
  validatorSet: ValidatorSet;
}

export interface ValidatorLivenessRecord {
  /** When it may return; null if it is not jailed. */
  jailedUntil: Deadline | null;
  jailings: number;
  /** The last height it missed. */
  lastMissed: number;
  /** Heights that it missed since windowFrom. */
  missed: number;
  validatorId: string;
  windowFrom: number;
}

/** Evidence from the consensus engine, which counts its own heights. */
export interface DoubleSigningRecord {
  engineHeight: number;
  kind: string;
  slashedAt: ChainPosition;
  slashedBond: number;
  slashedStake: number;
  validatorId: string;
}
