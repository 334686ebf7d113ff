import { useQuery } from '@tanstack/react-query';
import type { DocumentOf } from '@netd/sdk/core';
import type { Reasons, ScopeFound } from '../../chain/order-documents.ts';
import { Said } from '../../ui/said.tsx';
import { Actor } from '../../marks/names.tsx';
import { Card, Fact, Facts, Skeleton } from '../../ui/parts.tsx';
import { StoresNotice, useStores } from '../../marks/stores-notice.tsx';
import { visible } from '../../words/strangers.ts';

type Order = DocumentOf<'/v1/work-orders/{orderId}'>['order'];

const UNREAD: Readonly<Record<Exclude<ScopeFound['is'], 'read'>, string>> = {
  missing: 'No store that this page may use has it. Only its hash is known here.',
  busy: 'A store that may have it is busy or does not answer. Reload the page later.',
  sealed: 'It is encrypted. Only its recipients can read it.',
  broken: 'The document is not a valid scope. Agents of the SDK skip such an order.',
};

export function Scope({ order }: { order: Order }) {
  const { scopeHash, requesterId } = order;
  const stores = useStores();
  const isOpen = (stores.data?.usable.length ?? 0) > 0;
  const scope = useQuery({
    queryKey: ['scope', scopeHash],
    queryFn: async () => {
      const { readScope } = await import('../../chain/order-documents.ts');
      return readScope(scopeHash, stores.data ?? { usable: [], closed: [] });
    },
    enabled: isOpen,
    staleTime: 60_000,
    retry: false,
  });
  const { data } = scope;
  return (
    <Card
      title="The brief"
      aside={
        <span className="soft">
          by <Actor id={requesterId} face={false} />
        </span>
      }
    >
      <div className="inside stack-small">
        <StoresNotice locks={false} />
        {isOpen && scope.isPending && <Skeleton lines={3} />}
        {(scope.isError || (data && data.is !== 'read')) && (
          <p className="soft" data-scope={data?.is ?? 'busy'}>
            {UNREAD[data && data.is !== 'read' ? data.is : 'busy']}
          </p>
        )}
        {data?.is === 'read' && (
          <blockquote className="strangers-words" data-scope="read">
            <bdi>{visible(data.instructions)}</bdi>
          </blockquote>
        )}
      </div>
      {data?.is === 'read' && (
        <Facts>
          <Fact name="Judged by">
            <ul>
              {data.conditions.map((text) => (
                <li key={text}>
                  <Said text={text} />
                </li>
              ))}
            </ul>
          </Fact>
          <Fact name="Deliverable">
            <Said text={data.deliverable} />
          </Fact>
          {data.inputs.length > 0 && (
            <Fact name="Inputs">
              <Said text={data.inputs.join(', ')} />
            </Fact>
          )}
        </Facts>
      )}
    </Card>
  );
}

/** Returns the reasons of votes and dispute; none before the result. */
export function useReasons(order: Order): Reasons | undefined {
  const { orderId, verification, firstVerification = null, dispute } = order;
  const stores = useStores();
  const votes = [firstVerification, verification].flatMap((jury) => jury?.votes ?? []);
  const found = useQuery({
    queryKey: [
      'reasons',
      orderId,
      votes.map(({ evidenceHash }) => evidenceHash),
      dispute?.reasonHash,
    ],
    queryFn: async () => {
      const { readReasons } = await import('../../chain/order-documents.ts');
      return readReasons({ votes, dispute }, stores.data ?? { usable: [], closed: [] });
    },
    enabled: (stores.data?.usable.length ?? 0) > 0 && (votes.length > 0 || dispute !== null),
    staleTime: 60_000,
    retry: false,
  });
  return found.data;
}

export function Reason({ text }: { text: string | null | undefined }) {
  if (text === null || text === undefined) return null;
  return (
    <q className="strangers-words">
      <Said text={text} />
    </q>
  );
}
