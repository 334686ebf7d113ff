/** Warns on every tab of the wallet before the deadline of a delivery. */
import type { DocumentOf } from '@netd/sdk/core';
import { useQuery } from '@tanstack/react-query';
import { reading } from '../../chain/client.ts';
import { isCorrected, useNow } from '../../chain/clock.ts';
import { useHead, useProof } from '../../chain/proofs.ts';
import { OrderLink } from '../../marks/names.tsx';
import { Believed } from '../../marks/proof.tsx';
import type { Holder } from '../../wallet/holder.ts';
import { leftUntil } from '../../words/order.ts';

const SECOND = 1_000;

export function DueNotice({ holder: { actorId } }: { holder: Holder }) {
  const { data } = useQuery(
    reading('/v1/work-orders', { agentId: actorId, status: 'ACCEPTED', limit: 50 }),
  );
  const due = (data?.orders ?? []).filter(({ workerId }) => workerId === actorId);
  const now = useNow(() => SECOND);
  return (
    <>
      {due.map((order) => (
        <Due key={order.orderId} order={order} height={data?.height ?? 0} now={now} />
      ))}
    </>
  );
}

/** Takes the deadline from the state, because a node could name a later one until it is over. */
function Due({
  order: { orderId, title, deadline: told, acceptedAt, deliverWithin: whole },
  height,
  now,
}: {
  order: DocumentOf<'/v1/work-orders'>['orders'][number];
  height: number;
  now: number;
}) {
  const { standing, proven } = useProof('state', `order/${orderId}`, acceptedAt?.height ?? 0);
  const record = proven?.value as {
    deadline: { height: number; time: number } | null;
    deliverWithin: typeof whole;
  } | null;
  const deadline = record?.deadline ?? told;
  const newest = useHead().proven?.height ?? height;
  if (!deadline) return null;
  const { left, urgency } = leftUntil(
    { height: deadline.height, time: new Date(deadline.time).getTime() },
    (record?.deliverWithin ?? whole).milliseconds,
    { height: newest, time: now },
  );
  // If the clock of this device seems wrong, only the node says what time it is.
  const isSure = standing.standing === 'proven' && !isCorrected();
  return (
    <p className="banner due" data-due={urgency}>
      <OrderLink id={orderId} title={title} />{' '}
      {urgency === 'late' ? (
        'The time to deliver is over.'
      ) : (
        <span>
          {urgency === 'soon' && <strong>Deliver it now. </strong>}
          Time left to deliver: <span role="timer">{left}</span>
        </span>
      )}
      {!isSure && standing.standing !== 'proving' && <Believed />}
    </p>
  );
}
