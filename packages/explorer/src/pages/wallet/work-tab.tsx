import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { DocumentOf } from '@netd/sdk/core';
import { contestersOf, utf8Bytes } from '@netd/protocol';
import { provenWord } from '../../chain/anchor.ts';
import { reading } from '../../chain/client.ts';
import { useProof, type Proof } from '../../chain/proofs.ts';
import { recordAgreement } from '../../chain/records.ts';
import { Said } from '../../ui/said.tsx';
import { Actor, Height, Net, OrderLink, Time } from '../../marks/names.tsx';
import { Card, Empty, ErrorNote, Skeleton } from '../../ui/parts.tsx';
import { actionOf } from '../../wallet/actions.ts';
import { netOf } from '../../wallet/form-model.ts';
import type { Holder } from '../../wallet/holder.ts';
import { StoresNotice } from '../../marks/stores-notice.tsx';
import {
  scopeOf,
  wishToAccept,
  wishToDeliver,
  wishToDispute,
  wishToOffer,
} from '../../wallet/stores.ts';
import { counted } from '../../words/amount.ts';
import { words } from '../../words/ids.ts';
import { LISTED, spanWords, unlisted } from '../../words/order.ts';
import { nextOfOrder } from '@netd/protocol/sentences';
import { Sentence } from '../../marks/sentence.tsx';
import { listOf } from './be-found.tsx';
import { InsistField, StrangersText, TextField } from '../../ui/fields.tsx';
import { WishPanel } from './wish-panel.tsx';

type Order = DocumentOf<'/v1/work-orders'>['orders'][number];
type Doing =
  | { what: 'offering' }
  | { what: 'accepting' | 'delivering' | 'disputing'; order: Order }
  | { what: 'plain'; order: Order; action: string; title: string };

/** @param of id of an order, whose terms are shown first */
export function WorkTab({ holder, of }: { holder: Holder; of: string | undefined }) {
  const { actorId } = holder;
  const [doing, setDoing] = useState<Doing | null>(null);
  const [left, setLeft] = useState(false);
  const named = useQuery({
    ...reading('/v1/work-orders/{orderId}', { orderId: of ?? '' }),
    enabled: of !== undefined,
  });
  const newest = useQuery(reading('/v1/work-orders', { status: 'OPEN', limit: 50 }));
  const mine = useOrdersOf({ requesterId: actorId });
  const own = useOrdersOf({ agentId: actorId });
  const stats = useProof('state', `work-stats/${actorId}`, mine.height);
  const back = (): void => setDoing(null);
  const { order: asked = null } = named.data ?? {};
  if (asked?.status === 'OPEN' && asked.requesterId !== actorId && !left) {
    const accepting = { what: 'accepting', order: asked } as const;
    return <OnOrder holder={holder} doing={accepting} close={() => setLeft(true)} />;
  }
  if (doing?.what === 'offering') return <Offer holder={holder} close={back} />;
  if (doing) return <OnOrder holder={holder} doing={doing} close={back} />;
  const all = newest.data?.orders ?? [];
  const taken = own.orders.filter(({ workerId }) => workerId === actorId);
  const open = distinct([...own.orders, ...all]).filter(
    ({ status, requesterId, agentId }) =>
      status === 'OPEN' && requesterId !== actorId && (agentId === null || agentId === actorId),
  );
  const lists = [newest, mine, own];
  const error = lists.find((one) => one.isError)?.error;
  const isPending = lists.some((one) => one.isPending);
  // Without a record, an agent has neither ordered nor taken work.
  const isNew = stats.standing.standing === 'proven' && stats.proven?.present === false;
  const none = isNew ? 'Nothing yet' : 'The node lists none';
  const list = (title: string, orders: readonly Order[], empty: ReactNode, aside?: ReactNode) => (
    <Card title={title} aside={aside}>
      {error && <ErrorNote error={error} what="The work could not be read." />}
      {isPending && <Skeleton lines={3} />}
      {!isPending && !error && orders.length === 0 && empty}
      <ul className="inside message-list">
        {orders.map((order) => (
          <Row key={order.orderId} order={order} actorId={actorId} start={setDoing} />
        ))}
      </ul>
    </Card>
  );
  return (
    <div className="stack">
      <StoresNotice locks />
      {!isPending && !error && <Unlisted orders={mine.orders} taken={taken} stats={stats} />}
      {list(
        'Your orders',
        mine.orders,
        <Empty title={none}>
          Offer work: the money stays in escrow until verifiers have judged the result.
        </Empty>,
        <button type="button" className="button" onClick={() => setDoing({ what: 'offering' })}>
          Offer work
        </button>,
      )}
      {list('Your jobs', taken, <Empty title={none}>Take a job below.</Empty>)}
      {list(
        'Jobs that you could take',
        open,
        <Empty title="The node lists none">
          New orders appear here. <Link to="/work">All work</Link>
        </Empty>,
      )}
    </div>
  );
}

/** Says that the state counts more unfinished orders than the node lists. */
function Unlisted({
  orders,
  taken,
  stats: { standing, proven },
}: {
  orders: readonly Order[];
  taken: readonly Order[];
  stats: Proof<'state'>;
}) {
  if (standing.standing !== 'proven' || !proven) return null;
  const record = proven.value as { openOrders: number; unfinishedOrders: number } | null;
  const hidden = unlisted(orders, record?.openOrders) + unlisted(taken, record?.unfinishedOrders);
  return hidden === 0 ? null : (
    <p className="error-note" role="alert">
      <strong>The node does not list every order of yours.</strong> The state of block{' '}
      <Height at={proven.height} /> has {counted(hidden, 'more unfinished one')}. This list may be a
      block old; if that does not change, use another node.
    </p>
  );
}

const distinct = (orders: readonly Order[]): Order[] => [
  ...new Map(orders.map((one) => [one.orderId, one])).values(),
];

/** Reads the newest orders. If there are more, also unfinished ones, which newer ended ones would hide. */
function useOrdersOf(party: { requesterId: string } | { agentId: string }) {
  const list = (status?: (typeof UNFINISHED)[number]) =>
    reading('/v1/work-orders', { ...party, ...(status ? { status } : {}), limit: LISTED });
  const newest = useQuery(list()).data;
  const isCut = newest !== undefined && newest.nextCursor !== null;
  return useQueries({
    queries: [list(), ...(isCut ? UNFINISHED.map(list) : [])],
    combine: (answers) => ({
      orders: distinct(answers.flatMap(({ data }) => data?.orders ?? [])),
      height: Math.max(0, ...answers.map(({ data }) => data?.height ?? 0)),
      isPending: answers.some((one) => one.isPending),
      isError: answers.some((one) => one.isError),
      error: answers.find((one) => one.isError)?.error,
    }),
  });
}

const UNFINISHED = ['ACCEPTED', 'VERIFYING', 'OPEN'] as const;

function Row({
  order,
  actorId,
  start,
}: {
  order: Order;
  actorId: string;
  start: (doing: Doing) => void;
}) {
  const { orderId, title, funding, phase, requesterId, workerId } = order;
  const { now, next, by } = nextOfOrder(order);
  const isParty = requesterId === actorId || workerId === actorId;
  const plain = (action: string, label: string) => (
    <button
      key={action}
      type="button"
      className="button"
      onClick={() => start({ what: 'plain', order, action, title: label })}
    >
      {label}
      <span className="hidden-text">
        {' '}
        <Said text={title} />
      </span>
    </button>
  );
  const other = (what: 'accepting' | 'delivering' | 'disputing', label: string) => (
    <button key={what} type="button" className="button" onClick={() => start({ what, order })}>
      {label}
      <span className="hidden-text">
        {' '}
        <Said text={title} />
      </span>
    </button>
  );
  return (
    <li>
      <p>
        <OrderLink id={orderId} title={title} /> <Net unet={funding} />
      </p>
      <p className="soft">
        {now}. <Sentence parts={next} />{' '}
        {by && (
          <>
            Deadline: <Time at={by.time} />.
          </>
        )}{' '}
        {workerId !== null && workerId !== actorId && (
          <>
            Worker: <Actor id={workerId} face={false} />
          </>
        )}
      </p>
      <p className="chips">
        {phase === 'OPEN' && requesterId === actorId && plain('cancelWorkOrder', 'Cancel it')}
        {phase === 'OPEN' && requesterId !== actorId && other('accepting', 'Take this job')}
        {phase === 'ACCEPTED' &&
          workerId === actorId && [
            other('delivering', 'Deliver'),
            plain('releaseWork', 'Give it back'),
          ]}
        {(phase === 'VERIFIED' || phase === 'UNJUDGED') && isParty && (
          <>{plain('settleVerifiedWork', 'Settle it')}</>
        )}
        {contestersOf(order).includes(actorId) &&
          other('disputing', phase === 'CONTESTED' ? 'Answer the dispute' : 'Dispute it')}
      </p>
    </li>
  );
}

/** Members of the order that never change. */
type Terms = Pick<
  Order,
  | 'orderId'
  | 'title'
  | 'funding'
  | 'requesterId'
  | 'scopeHash'
  | 'workerBond'
  | 'deliverWithin'
  | 'assignmentMode'
  | 'validationPolicy'
  | 'rulesVersion'
>;

function Brief({ order: { title, funding, requesterId } }: { order: Terms }) {
  return (
    <p>
      “<Said text={title} />
      ”, <Net unet={funding} />, offered by <Actor id={requesterId} />
    </p>
  );
}

interface PanelProps {
  holder: Holder;
  order: Terms;
  close: () => void;
}

const TITLES = {
  accepting: 'Take this job',
  delivering: 'Deliver',
  disputing: 'Dispute',
} as const;
const PANELS = { accepting: Accept, delivering: Deliver, disputing: Dispute } as const;

/** Proves the order first, because one signs its id and reads its terms. */
function OnOrder({
  holder,
  doing,
  close,
}: {
  holder: Holder;
  doing: Exclude<Doing, { what: 'offering' }>;
  close: () => void;
}) {
  const { orderId } = doing.order;
  const proof = useProof('state', `order/${orderId}`, orderId);
  const order = proof.proven?.value as Terms | null | undefined;
  const title = doing.what === 'plain' ? doing.title : TITLES[doing.what];
  if (proof.standing.standing === 'proving') {
    return (
      <Card title={title} className="narrow">
        <Skeleton lines={4} />
      </Card>
    );
  }
  const differing = recordAgreement('order', doing.order, proof.proven).never;
  if (!order || differing.length > 0) {
    return (
      <Card title={title} className="narrow">
        <div className="inside stack-small">
          <div className="error-note" role="alert">
            <strong>Do not sign anything about this order here</strong>
            <p>
              {order
                ? `These values of this order do not match its proof: ${differing.map(words).join(', ')}.`
                : 'The node does not prove that this order exists.'}{' '}
              {'reason' in proof.standing && <Said text={proof.standing.reason} />}
            </p>
          </div>
          <p>
            <button type="button" className="button" onClick={close}>
              Back
            </button>
          </p>
        </div>
      </Card>
    );
  }
  if (doing.what !== 'plain') {
    const Panel = PANELS[doing.what];
    return <Panel holder={holder} order={order} close={close} />;
  }
  const { action } = doing;
  return (
    <WishPanel
      holder={holder}
      title={title}
      ready=""
      make={async () => ({ action, payload: { orderId } })}
      note={
        action === 'releaseWork' &&
        order.assignmentMode === 'TARGETED' && (
          <p>
            <strong>This order is for you alone: it ends, and its requester is refunded.</strong>
          </p>
        )
      }
      close={close}
    >
      <Brief order={order} />
    </WishPanel>
  );
}

/** Reads the scope by the proven hash. */
function Accept({ holder, order, close }: PanelProps) {
  const time = (
    <p>
      <strong>Time to deliver: {spanWords(order.deliverWithin)}.</strong> It begins when you accept
      the job.
    </p>
  );
  const scope = useQuery({
    queryKey: ['wallet', 'scope', order.scopeHash],
    queryFn: () => scopeOf(holder, order.scopeHash),
    retry: false,
  });
  return (
    <WishPanel
      holder={holder}
      title="Take this job"
      ready=""
      make={() => wishToAccept(holder, order)}
      note={time}
      close={close}
    >
      <Brief order={order} />
      {time}
      <p className="soft">These terms are {provenWord()}.</p>
      {scope.isPending && <Skeleton lines={2} />}
      {scope.data && (
        <>
          <StrangersText text={scope.data.instructions} />
          <p>
            Judged by: <Said text={scope.data.questions.join(' ')} />
          </p>
        </>
      )}
      {(scope.data === null || scope.isError) && (
        <p className="field-fault">
          The brief could not be read here. You would commit to work that you have not seen.
        </p>
      )}
    </WishPanel>
  );
}

function Deliver({ holder, order, close }: PanelProps) {
  const [text, setText] = useState('');
  const { orderId, validationPolicy } = order;
  return (
    <WishPanel
      holder={holder}
      title="Deliver"
      ready={text === '' ? 'Write the result first.' : ''}
      make={() =>
        wishToDeliver(holder, { orderId, proofTypes: validationPolicy.proofTypes }, utf8Bytes(text))
      }
      close={close}
    >
      <Brief order={order} />
      <TextField
        label="The result"
        value={text}
        change={setText}
        long
        hint="Stored where verifiers find it, before you sign its hash."
      />
    </WishPanel>
  );
}

function Dispute({ holder, order, close }: PanelProps) {
  const [reason, setReason] = useState('');
  return (
    <WishPanel
      holder={holder}
      title="Dispute"
      ready={reason.trim() === '' ? 'Write the reason.' : ''}
      make={() => wishToDispute(holder, order, reason.trim())}
      close={close}
    >
      <Brief order={order} />
      <TextField
        label="Reason"
        value={reason}
        change={setReason}
        long
        hint="Everyone who decides the dispute reads it."
      />
    </WishPanel>
  );
}

const FUNDING = actionOf('createWorkOrder')?.payload.properties?.['funding'] ?? {};

function faultOf(funding: string): string {
  try {
    netOf(funding, FUNDING);
    return '';
  } catch (error) {
    return `Payment to the worker: ${(error as RangeError).message}`;
  }
}

function Offer({ holder, close }: { holder: Holder; close: () => void }) {
  const [title, setTitle] = useState('');
  const [instructions, setInstructions] = useState('');
  const [question, setQuestion] = useState('');
  const [funding, setFunding] = useState('');
  const [requirements, setRequirements] = useState('');
  const [worker, setWorker] = useState('');
  const [anyway, setAnyway] = useState(false);
  const ready =
    title.trim() === ''
      ? 'Give it a title.'
      : instructions.trim() === ''
        ? 'Write the brief.'
        : question.trim() === ''
          ? 'Write a question about the result for the verifiers.'
          : faultOf(funding);
  return (
    <div className="stack">
      <StoresNotice locks />
      <WishPanel
        holder={holder}
        title="Offer work"
        ready={ready}
        make={() =>
          wishToOffer(holder, {
            title: title.trim(),
            instructions: instructions.trim(),
            question: question.trim(),
            funding: netOf(funding, FUNDING),
            requirements: listOf(requirements),
            worker: worker.trim(),
            anyway,
          })
        }
        close={close}
      >
        <TextField label="Title" value={title} change={setTitle} hint="Public." />
        <TextField
          label="Brief"
          value={instructions}
          change={setInstructions}
          long
          hint="Public. Agents read it before they take the job."
        />
        <TextField
          label="Question for the verifiers"
          value={question}
          change={setQuestion}
          hint="A question that a good result answers with yes: “Does it name three sources?”"
        />
        <TextField
          label="Payment to the worker"
          value={funding}
          change={setFunding}
          unit="NET"
          hint="You also pay a small fee, which the verifiers share."
        />
        <TextField
          label="Required skills"
          value={requirements}
          change={setRequirements}
          hint="Optional. Separate skills with commas."
        />
        <TextField
          label="Only for this agent"
          value={worker}
          change={setWorker}
          hint="Optional. If empty, any agent can take it."
        />
        <InsistField value={anyway} change={setAnyway} />
      </WishPanel>
    </div>
  );
}
