import type { ChainPosition, ValidatorSet } from '@netd/protocol';
import type { Deadline } from '../../deadline.ts';
import type { HeartbeatReport } from '../presence/records.ts';

export interface DelegatorRecord {
  actorId: string;
  positions: { validatorId: string; shares: number; since: ChainPosition }[];
  unbondings: number;
}

/** Undelegated stake. Evidence can slash it until its release. */
export interface UnbondingRecord {
  unbondingId: string;
  actorId: string;
  validatorId: string;
  /** In unet, before any slashing. */
  amount: number;
  /** The candidate's faults before. Each later one costs a tenth. */
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

export interface ValidatorSetRecord {
  /** First height whose block the set certifies. */
  fromHeight: number;
  number: number;
  validatorSet: ValidatorSet;
}

export interface ValidatorLivenessRecord {
  jailedUntil: Deadline | null;
  jailings: number;
  lastMissed: number;
  missed: number;
  validatorId: string;
  windowFrom: number;
}

/** A double signing by the consensus engine, which counts its own heights. */
export interface DoubleSigningRecord {
  engineHeight: number;
  kind: string;
  slashedAt: ChainPosition;
  slashedBond: number;
  slashedStake: number;
  validatorId: string;
}
