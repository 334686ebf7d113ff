import { useProof } from '../../chain/proofs.ts';
import { Actor, Net } from '../../marks/names.tsx';
import { Card, Skeleton } from '../../ui/parts.tsx';
import { capitalized } from '../../words/ids.ts';
import { balanceChanges, movesOf, type BalanceChange } from '../../words/money.ts';

interface Happened {
  type: string;
  data: Readonly<Record<string, unknown>>;
}

const ENDS = new Set(['WorkOrderPaid', 'WorkOrderRejected']);

export function Changed({ events }: { events: readonly Happened[] }) {
  const end = events.find(({ type }) => ENDS.has(type));
  const named = end?.data['orderId'];
  const orderId = typeof named === 'string' ? named : '';
  // Only the order shows if a dispute's bond is returned at its end.
  const { standing, proven } = useProof('state', end === undefined ? '' : `order/${orderId}`);
  const order = (proven?.value ?? null) as { dispute: { bond: number } | null } | null;
  const isKnown = end === undefined || (order !== null && standing.standing === 'proven');
  const bond = order?.dispute?.bond ?? 0;
  const changes = balanceChanges(
    events.flatMap((event) => movesOf(event.type, event.data, event === end ? bond : 0)),
  );
  return (
    <Card title="Balance changes">
      {!isKnown && standing.standing === 'proving' && <Skeleton lines={2} />}
      {!isKnown && standing.standing !== 'proving' && (
        <p className="inside soft">
          Unknown: the node does not prove whether the order had a dispute, whose bond moves too.
        </p>
      )}
      {isKnown && changes.length === 0 && <p className="inside soft">It moved no NET.</p>}
      {isKnown && changes.length > 0 && (
        <ul className="plain-list">
          {changes.map((change) => (
            <li key={`${change.class} ${change.actorId}`} className="holder">
              <Holder change={change} />
              <span className="number">
                {change.by > 0 && '+'}
                <Net unet={change.by} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Holder({ change: { class: name, actorId } }: { change: BalanceChange }) {
  if (actorId !== null) return <Actor id={actorId} />;
  return <span>{capitalized(name.replace('-', ' '))}</span>;
}
