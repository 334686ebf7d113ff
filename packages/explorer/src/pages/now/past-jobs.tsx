/** The jobs that ended in the blocks of the past picture: the newest of each frame. */
import { DETAILED_SPAN, FRAME_JOBS, type FrameJob } from '@netd/protocol/frames';
import { Actor, Height, Net, OrderLink } from '../../marks/names.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Card } from '../../ui/parts.tsx';
import { count } from '../../words/amount.ts';

export function PastJobs({ jobs, at }: { jobs: readonly FrameJob[]; at: number }) {
  if (jobs.length === 0) return null;
  return (
    <Card
      title={`Jobs that ended by block ${count(at)}`}
      aside={
        <span className="chips">
          <span className="soft">
            the newest {count(FRAME_JOBS)} of each {count(DETAILED_SPAN)} blocks
          </span>
          <span className="chip">Not checked: open a job</span>
        </span>
      }
    >
      <DataTable name={`jobs-by-${at}`}>
        <thead>
          <tr>
            <th>Job</th>
            <th>Requester</th>
            <th>Worker</th>
            <th>Result</th>
            <th>Amount</th>
            <th>Block</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map(({ orderId, requesterId, workerId, isPaid, unet, height }) => (
            <tr key={`${orderId} ${height}`}>
              <td>
                <OrderLink id={orderId} />
              </td>
              <td>
                <Actor id={requesterId} />
              </td>
              <td>
                <Actor id={workerId} />
              </td>
              <td>
                <span className="chip" data-tone={isPaid ? 'money' : 'trouble'}>
                  {isPaid ? 'Paid' : 'Unpaid, refunded'}
                </span>
              </td>
              <td>
                <Net unet={unet} />
              </td>
              <td>
                <Height at={height} />
              </td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </Card>
  );
}
