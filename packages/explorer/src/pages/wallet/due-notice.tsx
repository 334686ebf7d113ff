/** Warns on every tab of the wallet before the deadline of a delivery. */
import type { DocumentOf } from '@netd/sdk/core';
import { useQuery } from '@tanstack/react-query';
import { useBlockTime } from '../../chain/block-time.ts';
import { reading } from '../../chain/client.ts';
import { useNow } from '../../chain/clock.ts';
import { useHead, useProof } from '../../chain/proofs.ts';
import { OrderLink } from '../../marks/names.tsx';
import { Believed } from '../../marks/proof.tsx';
import type { Holder } from '../../wallet/holder.ts';
import { spanTime, urgency } from '../../words/order.ts';
import { duration } from '../../words/time.ts';

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
  order: { orderId, title, deadline: told, acceptedAt, deliverWithin },
  height,
  now,
}: {
  order: DocumentOf<'/v1/work-orders'>['orders'][number];
  height: number;
  now: number;
}) {
  const blockTimeMs = useBlockTime();
  const { standing, proven } = useProof('state', `order/${orderId}`, acceptedAt?.height ?? 0);
  const record = proven?.value as { deadline: { height: number; time: number } | null } | null;
  const deadline = record?.deadline ?? told;
  const newest = useHead().proven?.height ?? height;
  if (!deadline) return null;
  const left = Math.max(
    new Date(deadline.time).getTime() - now,
    (deadline.height - newest) * blockTimeMs,
  );
  const when = urgency(left, spanTime(deliverWithin, blockTimeMs));
  return (
    <p className="banner due" data-due={when}>
      <OrderLink id={orderId} title={title} />{' '}
      {when === 'late' ? (
        'The time to deliver is over.'
      ) : (
        <span>
          {when === 'soon' && <strong>Deliver it now. </strong>}
          Time left to deliver: <span role="timer">{duration(left)}</span>
        </span>
      )}
      {standing.standing !== 'proven' && standing.standing !== 'proving' && <Believed />}
    </p>
  );
}
