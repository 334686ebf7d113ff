/** What the state holds of delegations, unbondings, and what validators said and did. */
import type { ChainPosition, ValidatorSet } from '@netd/protocol';
import type { Deadline } from '../../deadline.ts';
import type { HeartbeatReport } from '../presence/records.ts';

/** The delegations of an actor: its shares of the pools of at most MAX_DELEGATIONS candidates. */
export interface DelegatorRecord {
  actorId: string;
  /** Shares in the order of validator ids. */
  positions: { validatorId: string; shares: number; since: ChainPosition }[];
  /** Unbondings that wait for their release. */
  unbondings: number;
}

/** Undelegated stake that waits for its release, within reach of evidence until then. */
export interface UnbondingRecord {
  /** The hash of the transition that undelegated. */
  unbondingId: string;
  actorId: string;
  validatorId: string;
  /** The stake in unet, before what evidence takes until the release. */
  amount: number;
  /** Faults of the validator before: those after it cost a tenth each. */
  faultsBefore: number;
  startedAt: ChainPosition;
  /** When it is released: both the height and the time must have passed. */
  releaseAt: Deadline;
}

export interface ValidatorHeartbeatRecord extends HeartbeatReport {
  validatorId: string;
}

/** Two votes of one validator for one height: proven, and counted once. */
export interface ValidatorFaultRecord {
  validatorId: string;
  height: number;
  blockHashes: [string, string];
  slashedBond: number;
  slashedStake: number;
  submittedAt: ChainPosition;
}

/** The set in force for the next block, and how long its term lasts. */
export interface ValidatorTermRecord {
  lastHeight: number;
  /** Number of its set. */
  set: number;
}

/** Kept for good: who certified a height is asked long after. */
export interface ValidatorSetRecord {
  /** The first height whose block it certifies. */
  fromHeight: number;
  number: number;
  validatorSet: ValidatorSet;
}

export interface ValidatorLivenessRecord {
  /** When it may come back: both the height and the time must have passed; null where it is not jailed. */
  jailedUntil: Deadline | null;
  jailings: number;
  /** The last height it missed. */
  lastMissed: number;
  /** Heights that it missed since windowFrom. */
  missed: number;
  validatorId: string;
  windowFrom: number;
}

/** Evidence of the consensus engine, whose heights are its own. */
export interface DoubleSigningRecord {
  engineHeight: number;
  kind: string;
  slashedAt: ChainPosition;
  slashedBond: number;
  slashedStake: number;
  validatorId: string;
}
