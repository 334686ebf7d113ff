/** Hiring in one call: checks everything before money moves, then puts the funding into escrow once. */
import { conditionKindsOf, provableAcceptance, workScope, type WorkScope } from '@netd/formats';
import { canonicalize, verificationFeeOf, type JsonObject, type Receipt } from '@netd/protocol';
import type { WholePayloadOf } from '../actions.ts';
import { AgentError } from './agent-error.ts';
import { unetOf } from './amount.ts';
import { randomId } from './ask.ts';
import { Hired } from './hired.ts';
import { requireKind } from '../option-names.ts';
import { untyped } from './typed-work.ts';
import type { HireOptions, TypedHireOptions } from './hire-options.ts';
import type { TypeSchema } from './type-schema.ts';
import { actExtended } from './own-acts.ts';
import { requireOrder } from './order-acts.ts';
import { isCutShort, type AgentParts, type WorkOrder } from './parts.ts';
import { requireAcceptable } from './simulate.ts';
import { scopeBytesOf } from './work-offer.ts';
import { requireInputs, requireJudgeable, requireRoster } from './workable.ts';

type Terms = WholePayloadOf<'createWorkOrder'>;

export interface Offer {
  scope: WorkScope;
  bytes: Uint8Array;
  payload: Terms & JsonObject;
}

const DELIVERABLE = { mediaType: 'text/plain', maxBytes: 65_536 };

/** @throws AgentError as `Agent.hire`, also ORDER_UNVERIFIABLE, INPUT_MISSING */
export async function hireOnce<Result>(
  parts: AgentParts,
  given: HireOptions | TypedHireOptions<Result>,
  about: { id: string; isNamed: boolean },
): Promise<Hired<Result>> {
  const { jobType = 'general' } = given;
  const attributes = { 'netsdk.order.id': about.id, 'netsdk.skill': jobType };
  return parts.telemetry.span('hire', attributes, () => hireWithin(parts, given, about));
}

async function hireWithin<Result>(
  parts: AgentParts,
  given: HireOptions | TypedHireOptions<Result>,
  { id, isNamed }: { id: string; isNamed: boolean },
): Promise<Hired<Result>> {
  requireKind('id', id, 'id');
  const { options, input } = untyped(given);
  const returns = 'returns' in given ? given.returns : null;
  const { outbox, origins, retryingClient, agentId, events } = parts;
  const offer = offerFrom({ ...options, id });
  const { orderId } = offer.payload;
  const name = `hire/${orderId}`;
  const hired = ({ height }: Pick<Receipt, 'height'>, receipt: Receipt | null): Hired<Result> =>
    new Hired(parts, { orderId, scope: offer.scope, since: height, receipt, returns, isNew: true });

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
    if (!isSameOffer(before, offer.payload, agentId)) {
      throw new AgentError('ACT_ID_USED', `${orderId}, an order of ${before.requesterId}`);
    }
    return hired(before.createdAt, null);
  }
  if (options.jury !== 'none') await requireJudgeable(parts, offer.scope, { ...options, agentId });
  if (input !== null) await origins.put(input);
  await requireInputs(parts, offer.scope, agentId);
  const payload = known?.payload ?? (await declaring(parts, offer, options));
  const warnings = await requireAcceptable(parts, 'createWorkOrder', payload);
  if (options.unverifiedAnyway !== true) requireRoster(warnings);
  for (const { code, message } of warnings ?? []) events.emit('warning', { code, message });
  await origins.put(offer.bytes);
  parts.reach('hire.stored');
  try {
    const receipt = await actExtended(parts, name, 'createWorkOrder', payload);
    parts.telemetry.count('spent', offer.payload.funding, {
      'netsdk.skill': offer.payload.jobType,
    });
    return hired(receipt, receipt);
  } finally {
    // Without a caller's id, no other call can mean this order, unless a bound has ended this one.
    if (!isNamed && !isCutShort(parts)) await outbox.forget(name);
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

export async function hiredBefore<Result>(
  parts: AgentParts,
  orderId: string,
  returns: TypeSchema<unknown, Result> | null,
): Promise<Hired<Result>> {
  const order = await requireOrder(parts, orderId);
  if (order.requesterId !== parts.agentId) throw new AgentError('NOT_YOUR_ORDER', orderId);
  const scope = workScope.read(await scopeBytesOf(parts, order), order.scopeHash);
  return new Hired(parts, {
    orderId,
    scope,
    since: order.createdAt.height,
    receipt: null,
    returns,
  });
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
  timeout: _timeout,
  signal: _signal,
  ...spans
}: Omit<HireOptions, 'input'>): Offer {
  const schema = 'NET-WORK-SCOPE/1';
  // Constant options have read-only lists.
  const asked = { schema, title, instructions, inputs, deliverable, acceptance };
  const scope = asked as unknown as WorkScope;
  const { bytes, hash: scopeHash } = workScope.make(scope);
  const amount = unetOf(funding, 'funding');
  if (amount === 0) throw new AgentError('AMOUNT_INVALID', 'funding: 0');
  const bond = unetOf(workerBond, 'workerBond');
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
