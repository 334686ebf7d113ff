import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { reading } from '../../chain/client.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Actor, Net, OrderLink, When } from '../../marks/names.tsx';
import { Card, Empty, ErrorNote, Skeleton } from '../../ui/parts.tsx';
import { nextOfOrder } from '@netd/protocol/sentences';

export function AgentWork({ agentId }: { agentId: string }) {
  const list = useQuery(reading('/v1/work-orders', { agentId, limit: 50 }));
  const match = useQuery(reading('/v1/agents/{agentId}/work-match', { agentId }));
  const orders = list.data?.orders;
  return (
    <Card
      title="Its work"
      aside={
        <Link to="/work" search={{ fits: agentId }} className="soft">
          {match.data ? 'Open jobs that fit its skills' : ''}
        </Link>
      }
    >
      {list.isError && !orders && (
        <ErrorNote error={list.error} what="Its work could not be read." retry={list.refetch} />
      )}
      {!orders && list.isPending && <Skeleton lines={5} />}
      {orders?.length === 0 && (
        <Empty title="No work yet">
          Orders that it takes, or that name it as the worker, appear here.
        </Empty>
      )}
      {orders && orders.length > 0 && (
        <DataTable name="work">
          <thead>
            <tr>
              <th>Order</th>
              <th>State</th>
              <th className="wide-only">Requester</th>
              <th className="right">Payment</th>
              <th className="right wide-only">Created at</th>
            </tr>
          </thead>
          <tbody>
            {orders.map((order) => {
              const { now, tone } = nextOfOrder(order);
              return (
                <tr key={order.orderId}>
                  <td>
                    <OrderLink id={order.orderId} title={order.title} />
                  </td>
                  <td>
                    <span className="chip" data-tone={tone}>
                      {now}
                    </span>
                  </td>
                  <td className="wide-only">
                    <Actor id={order.requesterId} />
                  </td>
                  <td className="right">
                    <Net unet={order.funding} />
                  </td>
                  <td className="right wide-only">
                    <When at={order.createdAt.height} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </DataTable>
      )}
    </Card>
  );
}
