/** Hiring in one call: checks everything before money moves, then puts the funding into escrow once. */
import { conditionKindsOf, provableAcceptance, workScope, type WorkScope } from '@netd/formats';
import { canonicalize, verificationFeeOf, type JsonObject, type Receipt } from '@netd/protocol';
import type { WholePayloadOf } from '../actions.ts';
import type { NetAmount } from '../amount.ts';
import type { OptionNames } from '../option-names.ts';
import { AgentError } from './agent-error.ts';
import { unetOf } from './amount.ts';
import { randomId } from './ask.ts';
import { Hired } from './hired.ts';
import { actExtended } from './own-acts.ts';
import { requireOrder } from './order-acts.ts';
import type { AgentParts, WorkOrder } from './parts.ts';
import { requireAcceptable } from './simulate.ts';
import { scopeBytesOf } from './work-offer.ts';
import { requireInputs, requireJudgeable, requireRoster } from './workable.ts';

type Condition = WorkScope['acceptance'][number];
type Terms = WholePayloadOf<'createWorkOrder'>;

type Undefinable<T> = { [Member in keyof T]: T[Member] | undefined };

export interface HireOptions extends Undefinable<
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
  /** Default random. Repeated calls with the same id mean the same order, even after a crash. */
  id?: string | undefined;
  /** Public text of at most 140 characters. */
  title: string;
  /** Text for every worker. */
  instructions: string;
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

export const HIRE_OPTIONS: OptionNames<HireOptions> = {
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

export interface Offer {
  scope: WorkScope;
  bytes: Uint8Array;
  payload: Terms & JsonObject;
}

const DELIVERABLE = { mediaType: 'text/plain', maxBytes: 65_536 };

/** @throws AgentError as `Agent.hire`, also ORDER_UNVERIFIABLE, INPUT_MISSING */
export async function hireOnce(parts: AgentParts, options: HireOptions): Promise<Hired> {
  const { outbox, origins, retryingClient, agentId, events } = parts;
  const offer = offerFrom(options);
  const { orderId } = offer.payload;
  const name = `hire/${orderId}`;
  const hired = ({ height }: Pick<Receipt, 'height'>, receipt: Receipt | null): Hired =>
    new Hired(parts, { orderId, scope: offer.scope, since: height, receipt });

  const known = await outbox.signed(name);
  if (known) {
    const { conditionKinds: _declared, ...asked } = known.payload;
    if (canonicalize(asked) !== canonicalize(offer.payload)) {
      throw new AgentError('ACT_ID_USED', orderId);
    }
  }
  const settled = known ? await outbox.settle(name) : null;
  if (settled) return hired(settled, settled);
  const before = await retryingClient.order(orderId);
  if (before) {
    if (!isSameOffer(before, offer.payload, agentId)) throw new AgentError('ACT_ID_USED', orderId);
    return hired(before.createdAt, null);
  }
  if (options.jury !== 'none') await requireJudgeable(parts, offer.scope, { ...options, agentId });
  await requireInputs(parts, offer.scope, agentId);
  const payload = known?.payload ?? (await declaring(parts, offer, options));
  const warnings = await requireAcceptable(parts, 'createWorkOrder', payload);
  if (options.unverifiedAnyway !== true) requireRoster(warnings);
  for (const { code, message } of warnings ?? []) events.emit('warning', { code, message });
  await origins.put(offer.bytes);
  parts.reach('hire.stored');
  try {
    const receipt = await actExtended(parts, name, 'createWorkOrder', payload);
    return hired(receipt, receipt);
  } finally {
    // Without a caller's id, no other call can mean this order.
    if (options.id === undefined) await outbox.forget(name);
  }
}

/** Declares the kinds of the conditions, if the chain knows them and a jury has to judge them. */
async function declaring(
  { retryingClient }: AgentParts,
  { payload, scope }: Offer,
  { jury, reviewAnyway = false, unverifiedAnyway = false }: HireOptions,
): Promise<Offer['payload']> {
  if (jury === 'none' || reviewAnyway || unverifiedAnyway) return payload;
  const { genesisHash } = await retryingClient.tip();
  if (genesisHash === null) return payload;
  return { ...payload, conditionKinds: conditionKindsOf(scope) };
}

export async function hiredBefore(parts: AgentParts, orderId: string): Promise<Hired> {
  const order = await requireOrder(parts, orderId);
  if (order.requesterId !== parts.agentId) throw new AgentError('NOT_YOUR_ORDER', orderId);
  const scope = workScope.read(await scopeBytesOf(parts, order), order.scopeHash);
  return new Hired(parts, { orderId, scope, since: order.createdAt.height, receipt: null });
}

export function offerFrom({
  id = randomId('order'),
  title,
  instructions,
  inputs = [],
  deliverable = DELIVERABLE,
  acceptance,
  provable = false,
  funding,
  jobType = 'general',
  requirements,
  worker,
  workerBond = 0,
  reviewAnyway: _reviewAnyway,
  unverifiedAnyway: _unverifiedAnyway,
  ...spans
}: HireOptions): Offer {
  const schema = 'NET-WORK-SCOPE/1';
  const asked = { inputs: [...inputs], deliverable, acceptance: [...acceptance] };
  const scope: WorkScope = { schema, title, instructions, ...asked };
  const { bytes, hash: scopeHash } = workScope.make(scope);
  const amount = unetOf(funding);
  if (amount === 0) throw new AgentError('AMOUNT_INVALID', 'funding of 0');
  const bond = unetOf(workerBond);
  const payload = {
    orderId: id,
    title,
    scopeHash,
    ...(provable ? { acceptanceHash: provableAcceptance(scope).hash } : {}),
    jobType,
    funding: amount,
    ...(requirements === undefined ? {} : { requirements: [...requirements] }),
    ...(worker === undefined ? {} : { agentId: worker }),
    ...(bond === 0 ? {} : { workerBond: bond }),
    ...defined(spans),
  };
  return { scope, bytes, payload };
}

const defined = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** True if the order has these terms, which never change. Ignores terms left to the network's policy. */
export function isSameOffer(
  order: WorkOrder,
  { orderId, verificationFeeBps, ...terms }: Terms,
  requesterId: string,
): boolean {
  const fee =
    verificationFeeBps === undefined
      ? {}
      : { verificationFee: verificationFeeOf(terms.funding, verificationFeeBps) };
  const asked = {
    agentId: null,
    workerBond: 0,
    requirements: [],
    ...terms,
    ...fee,
    orderId,
    requesterId,
  };
  return Object.entries(asked).every(
    ([name, value]) => canonicalize(value) === canonicalize(order[name as keyof WorkOrder]),
  );
}
