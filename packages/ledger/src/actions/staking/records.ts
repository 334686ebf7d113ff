import type { ChainPosition, ValidatorSet } from '@netd/protocol';
import type { Deadline } from '../../deadline.ts';
import type { HeartbeatReport } from '../presence/records.ts';

export interface DelegatorRecord {
  actorId: string;
  positions: { validatorId: string; shares: number; since: ChainPosition }[];
  unbondings: number;
}

/** Evidence can slash it until its release. */
export interface UnbondingRecord {
  /** The hash of the transition that undelegated. */
  unbondingId: string;
  actorId: string;
  validatorId: string;
  /** In unet, before any slashing. */
  amount: number;
  /** Each later fault costs a tenth. */
  faultsBefore: number;
  startedAt: ChainPosition;
  releaseAt: Deadline;
}

export interface ValidatorHeartbeatRecord extends HeartbeatReport {
  validatorId: string;
}

export interface ValidatorFaultRecord {
  validatorId: string;
  height: number;
  blockHashes: [string, string];
  slashedBond: number;
  slashedStake: number;
  submittedAt: ChainPosition;
}

export interface ValidatorTermRecord {
  lastHeight: number;
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
  /** Null if not jailed. */
  jailedUntil: Deadline | null;
  jailings: number;
  lastMissed: number;
  /** Since windowFrom. */
  missed: number;
  validatorId: string;
  windowFrom: number;
}

/** The consensus engine counts its own heights. */
export interface DoubleSigningRecord {
  engineHeight: number;
  kind: string;
  slashedAt: ChainPosition;
  slashedBond: number;
  slashedStake: number;
  validatorId: string;
}
