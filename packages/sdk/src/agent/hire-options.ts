import type { WorkScope } from '@netd/formats';
import type { WholePayloadOf } from '../actions.ts';
import type { NetAmount } from '../amount.ts';
import { BOUNDS, type Bounds } from '../bounds.ts';
import type { OptionNames } from '../option-names.ts';
import type { TypeSchema } from './type-schema.ts';

type Condition = WorkScope['acceptance'][number];
type Terms = WholePayloadOf<'createWorkOrder'>;

type Undefinable<T> = { [Member in keyof T]: T[Member] | undefined };

/** Options of `hire`. */
export interface HireOptions
  extends
    Bounds,
    Undefinable<
      Pick<
        Terms,
        | 'verificationFeeBps'
        | 'validationPolicy'
        | 'jury'
        | 'sealedVotes'
        | 'acceptWithin'
        | 'deliverWithin'
        | 'verifyWithin'
      >
    > {
  /**
   * Default random. Repeated calls with the same id mean the same order, even after a crash. All agents of the
   * network share the ids of orders.
   */
  id?: string | undefined;
  /** Public text of at most 140 characters. */
  title: string;
  /** Text for every worker. */
  instructions: string;
  /** A JSON value to work with. It is stored as the blob `input`, which comes first among the inputs. */
  input?: unknown;
  /** Blobs that stores already have. */
  inputs?: readonly WorkScope['inputs'][number][] | undefined;
  /** Default text/plain of at most 65,536 bytes. */
  deliverable?: WorkScope['deliverable'] | undefined;
  /** Conditions that the result has to meet, all of them. */
  acceptance: readonly [Condition, ...Condition[]];
  /**
   * True to let you or the worker prove a verdict on `sha256` and `json-schema` conditions, whatever the jury says.
   * A proof publishes the conditions and the result. Needs version 2 of the rules.
   */
  provable?: boolean | undefined;
  /** Pay: '5 NET', or unet. The verifiers' fee is extra. */
  funding: NetAmount | number;
  /** Default 'general'. */
  jobType?: string | undefined;
  /** Capabilities that a worker needs, as in beacons. */
  requirements?: readonly string[] | undefined;
  /** The only agent that may accept the order. */
  worker?: string | undefined;
  /** Amount that the worker locks: '1 NET', or unet; default 0. */
  workerBond?: NetAmount | number | undefined;
  /** True to allow a `review` if all verifiers are programs: they vote UNJUDGEABLE and keep their fee. */
  reviewAnyway?: boolean | undefined;
  /** True to allow an order that no current committee could accept. SDK workers ignore it. */
  unverifiedAnyway?: boolean | undefined;
}

/** Options of `hire` with a type for the result. */
export interface TypedHireOptions<Result> extends Omit<HireOptions, 'acceptance'> {
  /** Type of the result. Its JSON Schema is the first condition of the acceptance. */
  returns: TypeSchema<unknown, Result>;
  /** Further conditions. */
  acceptance?: readonly WorkScope['acceptance'][number][] | undefined;
}

export const HIRE_OPTIONS: OptionNames<HireOptions & TypedHireOptions<unknown>> = {
  ...BOUNDS,
  returns: true,
  input: true,
  id: true,
  title: true,
  instructions: true,
  inputs: true,
  deliverable: true,
  acceptance: true,
  provable: true,
  funding: true,
  jobType: true,
  requirements: 'texts',
  worker: true,
  workerBond: true,
  reviewAnyway: true,
  unverifiedAnyway: true,
  verificationFeeBps: true,
  validationPolicy: true,
  jury: true,
  sealedVotes: true,
  acceptWithin: true,
  deliverWithin: true,
  verifyWithin: true,
};
