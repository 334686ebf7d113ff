/** Warns on every tab of the wallet before the deadline of a delivery. */
import { useQuery } from '@tanstack/react-query';
import { useBlockTime } from '../../chain/block-time.ts';
import { reading } from '../../chain/client.ts';
import { useNow } from '../../chain/clock.ts';
import { OrderLink } from '../../marks/names.tsx';
import type { Holder } from '../../wallet/holder.ts';
import { spanTime, urgency } from '../../words/order.ts';
import { duration } from '../../words/time.ts';

const SECOND = 1_000;

export function DueNotice({ holder: { actorId } }: { holder: Holder }) {
  const blockTimeMs = useBlockTime();
  const { data } = useQuery(
    reading('/v1/work-orders', { agentId: actorId, status: 'ACCEPTED', limit: 50 }),
  );
  const due = (data?.orders ?? []).filter(({ workerId }) => workerId === actorId);
  const now = useNow(() => SECOND);
  return (
    <>
      {due.map(({ orderId, title, deadline, deliverWithin }) => {
        if (deadline === null) return null;
        const left = Math.max(
          Date.parse(deadline.time) - now,
          (deadline.height - (data?.height ?? 0)) * blockTimeMs,
        );
        const when = urgency(left, spanTime(deliverWithin, blockTimeMs));
        return (
          <p key={orderId} className="banner due" data-due={when}>
            <OrderLink id={orderId} title={title} />{' '}
            {when === 'late' ? (
              'The time to deliver is over.'
            ) : (
              <span>
                {when === 'soon' && <strong>Deliver it now. </strong>}
                Time left to deliver: <span role="timer">{duration(left)}</span>
              </span>
            )}
          </p>
        );
      })}
    </>
  );
}
