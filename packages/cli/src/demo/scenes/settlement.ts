import { netText } from '@netd/protocol';
import { CommandError } from '../../command-error.ts';
import { moveTo, secondsUntil } from '../chain-time.ts';
import { act, expectRefusal, names, pause, type Stage } from '../stage.ts';
import { orderOf, type Job, type Round } from './work.ts';

const RETRY_MILLISECONDS = 500;

interface OrderPaid {
  workerId: string;
  paid: number;
  shares: { verifierId: string; amount: number }[];
}

export async function settlement(stage: Stage, { verified, disputed }: Round): Promise<void> {
  const { cast, say } = stage;
  const windows = await Promise.all(verified.map(({ orderId }) => orderOf(stage, orderId)));
  const ends = windows.map(({ disputableUntil }) => Date.parse(disputableUntil?.time ?? ''));
  const closing = Math.max(0, ...ends.filter((time) => !Number.isNaN(time)));
  const seconds = await secondsUntil(stage, closing);
  say(`No payment before the dispute window has closed. Waiting ${seconds} seconds …`);
  const paid: OrderPaid[] = [];
  let qualified = 0;
  for (const job of verified) {
    const events = await settle(stage, job);
    for (const { type, data } of events) {
      if (type === 'WorkOrderPaid') paid.push(data as OrderPaid);
      if (type === 'ReferralQualified') qualified++;
    }
  }
  for (const { workerId, paid: amount, shares } of paid) {
    const worker = cast.all.find(({ actorId }) => actorId === workerId);
    const fee = shares.reduce((sum, share) => sum + share.amount, 0);
    say(
      `${worker?.name ?? workerId} is paid ${netText(amount)}; ${shares.length} verifiers share ${netText(fee)}.`,
    );
  }
  if (qualified > 0) say(`Verified paid work qualifies ${qualified} of the referrals.`);
  if (disputed) {
    const { status } = await orderOf(stage, disputed.orderId);
    if (status !== 'REJECTED') throw new CommandError(`${disputed.orderId} is ${status}`);
  }

  const { requester } = cast;
  for (const { worker, orderId } of verified) {
    const { funding } = await orderOf(stage, orderId);
    await act(stage, worker, 'transfer', { to: requester.actorId, amount: funding });
  }
  const spenders = [...new Set(verified.map(({ worker }) => worker))];
  say(
    `${names(spenders)} spend their pay on credits of ${requester.name}, so the next run can pay again.`,
  );
}

export async function settle(
  stage: Stage,
  { orderId, worker }: Job,
): Promise<{ type: string; data: unknown }[]> {
  for (;;) {
    try {
      return (await act(stage, worker, 'settleVerifiedWork', { orderId })).events;
    } catch (error) {
      const code = expectRefusal(error, 'DISPUTE_WINDOW_OPEN', 'WORK_NOT_VERIFIED');
      const { disputableUntil, status } = await orderOf(stage, orderId);
      // The chain pays what nobody has settled in time, for example while the node was down.
      if (status === 'PAID') return [];
      if (code === 'WORK_NOT_VERIFIED') throw error;
      if (disputableUntil && (await moveTo(stage, disputableUntil))) continue;
      await pause(stage, RETRY_MILLISECONDS);
    }
  }
}
