import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SECOND_JURY } from '@netd/protocol';
import type { DocumentOf } from '@netd/sdk/core';
import { useAt } from '../chain/at.ts';
import { reading } from '../chain/client.ts';
import { orderAgreement } from '../chain/order-agreement.ts';
import { useProof } from '../chain/proofs.ts';
import { rootUrl } from '../chain/root-url.ts';
import { NameWarnings } from '../marks/likeness.tsx';
import { MissingRecord } from '../marks/missing-record.tsx';
import { Said } from '../ui/said.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Actor, Hash, Height, Net, Time, TransitionLink, When } from '../marks/names.tsx';
import { Card, Empty, Fact, Facts, Page, SkeletonCard } from '../ui/parts.tsx';
import { AtLink, NotYet } from '../marks/at.tsx';
import { Believed, isProven, ProofBadge } from '../marks/proof.tsx';
import { Sentence } from '../marks/sentence.tsx';
import { TakeJob } from '../ui/take-job.tsx';
import { counted } from '../words/amount.ts';
import { describeEvent, nextOfOrder, VALUE_WORDS, type Data } from '@netd/protocol/sentences';
import { capitalized, words } from '../words/ids.ts';
import { mayAwaitOperator, orderAfter, type Order, type PolicySpans } from '../words/order-past.ts';
import { spanWords } from '../words/order.ts';
import { exactTime } from '../words/time.ts';
import { Reason, Scope, useReasons } from './order/documents.tsx';
import { Player } from './order/player.tsx';

type Audit = DocumentOf<'/v1/work-orders/{orderId}/audit'>;
type Events = Audit['timeline']['events'];

/** Plays the order step by step. */
export function ReplayPage() {
  const { orderId } = useParams({ from: '/work/$orderId/replay' });
  return <AnyOrder orderId={orderId} isReplay />;
}

export function OrderPage() {
  const { orderId } = useParams({ from: '/work/$orderId' });
  return <AnyOrder orderId={orderId} />;
}

function AnyOrder({ orderId, isReplay = false }: { orderId: string; isReplay?: boolean }) {
  const at = useAt();
  const audit = useQuery(reading('/v1/work-orders/{orderId}/audit', { orderId }));
  const { data } = audit;
  const last = data?.timeline.events.at(-1)?.id ?? '';
  const proof = useProof('order', data ? orderId : '', last);
  const isPast = at !== null || isReplay;
  const policy = useProof('state', isPast && data ? 'policy/limits' : '').proven?.value;
  const spans = (policy as { work: PolicySpans } | null | undefined)?.work;
  if (!data) {
    return (
      <Page title={orderId} crumb={<Link to="/work">Work</Link>}>
        {audit.isError ? (
          <MissingRecord
            stateKey={`order/${orderId}`}
            error={audit.error}
            what={`The order ${orderId} could not be read.`}
            retry={audit.refetch}
          />
        ) : (
          <SkeletonCard lines={8} />
        )}
      </Page>
    );
  }
  const all = data.timeline.events;
  const events = at === null ? all : all.filter(({ block }) => block.height <= at);
  const order = at === null ? data.order : orderAfter(data.order, events, spans);
  const { standing, contradicts } = orderAgreement(data, proof);
  const crumb = (
    <>
      <Link to="/work">Work</Link> / <span className="mono">{orderId}</span>
      <NameWarnings kind="order" id={orderId} />
    </>
  );
  const badge = (
    <ProofBadge
      standing={standing}
      what={
        at === null
          ? 'the terms, the status and the events of this order'
          : 'the terms and the events of this order, which determine its status at this height'
      }
      contradicts={contradicts}
      steps={[
        'a Merkle proof shows that the state contains the record of the order',
        `each of its ${all.length} events is in its block, and these blocks have no other event of the order`,
        'the events lead to the record',
      ]}
    />
  );
  if (order === null) {
    return (
      <Page title={data.order.title} crumb={crumb} aside={badge}>
        <NotYet what="This order was funded" height={data.order.createdAt.height} />
      </Page>
    );
  }
  return (
    <Page
      title={order.title}
      crumb={crumb}
      lead={
        <>
          Requester <Actor id={order.requesterId} /> offers <Net unet={order.funding} />
          {order.workerId !== null && (
            <>
              , worker <Actor id={order.workerId} />
            </>
          )}
        </>
      }
      aside={badge}
    >
      {isReplay ? (
        <Replay newest={data.order} events={events} spans={spans} />
      ) : (
        <div className="stack">
          <Standing order={order} at={at}>
            {at !== null && (
              <>
                {!isProven(standing, contradicts) && <Believed />}
                <Neighbors all={all} events={events} />
              </>
            )}
          </Standing>
          <div className="split">
            <Timeline orderId={orderId} events={events} truncated={data.timeline.truncated} />
            <div className="stack">
              <Terms order={order} />
              <Scope order={order} />
              <Result order={order} events={events} />
            </div>
          </div>
          <Juries order={order} />
        </div>
      )}
    </Page>
  );
}

/** Shows the exact time on past pages, because a relative one would count from now. */
function Deadline({ at, isPast }: { at: string; isPast: boolean }) {
  return isPast ? exactTime(Date.parse(at)) : <Time at={at} />;
}

/** @param at height of `order`; null for the newest, which also shows actions */
function Standing({
  order,
  at,
  children,
}: {
  order: Order;
  at: number | null;
  children?: ReactNode;
}) {
  const { now, next, by, tone } = nextOfOrder(order);
  // What no party does before its deadline happens by itself, after the time in which it can be disputed.
  const end = order.deadline === by ? null : order.deadline;
  return (
    <section className="card next-step" data-tone={tone}>
      <span className="chip" data-tone={tone}>
        {now}
      </span>
      <p>
        <Sentence parts={next} />
        {at !== null &&
          mayAwaitOperator(order) &&
          ' If the jury has ended without a verdict, an operator decides.'}
      </p>
      {by && (
        <p className="soft next-by">
          {end && 'Can be disputed until '}
          <Deadline at={by.time} isPast={at !== null} />, at height <Height at={by.height} /> at the
          earliest
          {end && (
            <>
              <br />
              Settles by itself <Deadline at={end.time} isPast={at !== null} />, at height{' '}
              <Height at={end.height} /> at the earliest
            </>
          )}
        </p>
      )}
      {at === null && order.phase === 'OPEN' && (
        <TakeJob orderId={order.orderId} title={order.title} />
      )}
      {children}
    </section>
  );
}

/** Links to the heights of the steps before and after. */
function Neighbors({ all, events }: { all: Events; events: Events }) {
  const current = events.at(-1)?.block.height ?? 0;
  const before = events.findLast(({ block }) => block.height < current)?.block.height;
  const after = all[events.length]?.block.height;
  return (
    <nav className="steps next-by" aria-label="Other steps">
      <AtLink at={before}>Step before</AtLink>
      <AtLink at={after}>Step after</AtLink>
    </nav>
  );
}

function Replay({
  newest,
  events,
  spans,
}: {
  newest: Order;
  events: Events;
  spans: PolicySpans | undefined;
}) {
  const { orderId } = newest;
  return (
    <Player
      steps={events.length}
      link={`${rootUrl}/work/${orderId}/replay`}
      aside={
        <Link to="/work/$orderId" params={{ orderId }} className="link">
          Show the whole order
        </Link>
      }
    >
      {(shown) => {
        const seen = events.slice(0, shown);
        const then = orderAfter(newest, seen, spans);
        return (
          <>
            {then && <Standing order={then} at={seen.at(-1)?.block.height ?? 0} />}
            <Steps orderId={orderId} events={seen} />
          </>
        );
      }}
    </Player>
  );
}

function Timeline({
  orderId,
  events,
  truncated,
}: {
  orderId: string;
  events: Events;
  truncated: boolean;
}) {
  return (
    <Card
      title="Events"
      aside={
        <Link to="/work/$orderId/replay" params={{ orderId }} className="link">
          Replay {counted(events.length, 'event')}
        </Link>
      }
    >
      <Steps orderId={orderId} events={events} />
      {truncated && (
        <p className="inside soft">
          This list ends after a hundred events. The events of the chain include the rest.
        </p>
      )}
    </Card>
  );
}

function Steps({ orderId, events }: { orderId: string; events: Events }) {
  return (
    <ol className="timeline">
      {events.map(({ id, type, data, block, transitionHash }) => {
        const { tone, parts } = describeEvent(type, data);
        return (
          <li key={id} data-tone={tone}>
            <i className="knot" />
            <div>
              <Sentence parts={parts} titles={new Map([[orderId, 'it']])} />
              <span className="timeline-foot soft">
                <Time at={block.timestamp} />
                <Height at={block.height} />
                <TransitionLink hash={transitionHash} />
              </span>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function Terms({ order }: { order: Order }) {
  const {
    jobType,
    requirements,
    scopeHash,
    funding,
    verificationFee,
    workerBond,
    assignmentMode,
    agentId,
    validationPolicy,
    acceptanceHash,
    deliverWithin,
    jury,
  } = order;
  return (
    <Card title="Terms">
      <Facts>
        <Fact name="Kind">
          <Said text={jobType} />
        </Fact>
        <Fact name="Required skills">
          <span className="chips">
            {requirements.length === 0 && 'none'}
            {requirements.map((name) => (
              <Link key={name} to="/agents" search={{ capability: name }} className="chip">
                <Said text={name} />
              </Link>
            ))}
          </span>
        </Fact>
        <Fact name="Offered to">
          {assignmentMode === 'TARGETED' && agentId !== null ? (
            <Actor id={agentId} />
          ) : (
            'any agent; the first to accept gets it'
          )}
        </Fact>
        <Fact name="Payment">
          <Net unet={funding} />
        </Fact>
        <Fact name="Fee for verifiers">
          <Net unet={verificationFee} />
        </Fact>
        <Fact name="Time to deliver">{spanWords(deliverWithin)}</Fact>
        <Fact name="Worker's bond">{workerBond === 0 ? 'none' : <Net unet={workerBond} />}</Fact>
        <Fact name="Paid if">
          {jury === 'none'
            ? 'the requester does not contest the result in time; there is no jury'
            : `${validationPolicy.requiredAccepts} of up to ${validationPolicy.committeeSize} verifiers accept it, from ${counted(validationPolicy.minIndependentGroups, 'group')}`}
        </Fact>
        {acceptanceHash !== undefined && (
          <Fact name="Conditions">
            <Hash hash={acceptanceHash} />, with which either side can prove a verdict
          </Fact>
        )}
        <Fact name="Scope">
          <Hash hash={scopeHash} />
        </Fact>
      </Facts>
    </Card>
  );
}

function Result({ order, events }: { order: Order; events: Events }) {
  const { result } = order;
  const end = events.find(({ type }) => type === 'WorkOrderPaid');
  if (result === null) {
    return (
      <Card title="Result">
        <Empty title="Nothing delivered yet">
          The hash of the result appears here once it is delivered.
        </Empty>
      </Card>
    );
  }
  return (
    <Card title="Result">
      <Facts>
        <Fact name="Delivered">
          <When at={result.submittedAt.height} />
        </Fact>
        <Fact name="Hash">
          <Hash hash={result.deliverableHash} />
        </Fact>
        {typeof result.evidence?.proofType === 'string' && (
          <Fact name="Evidence">
            <Said text={capitalized(words(result.evidence.proofType))} />
          </Fact>
        )}
        <Fact name="Transition">
          <TransitionLink hash={result.transitionHash} />
        </Fact>
        {end && (
          <Fact name="Paid">
            <Net unet={Number((end.data as Data)['paid'])} />, <When at={end.block.height} />
          </Fact>
        )}
      </Facts>
    </Card>
  );
}

const VOTE_TONES = { ACCEPT: 'money', REJECT: 'trouble', UNJUDGEABLE: 'warn' } as const;

/** A contested order has had two juries, or waits for the second one. */
function Juries({ order }: { order: Order }) {
  const { firstVerification = null, verification, dispute } = order;
  const reasons = useReasons(order);
  return (
    <>
      {firstVerification && (
        <Jury title="The first jury" jury={firstVerification} reasons={reasons} />
      )}
      {dispute && (
        <Card title="The dispute">
          <p className="inside dispute" data-tone="trouble">
            <Actor id={dispute.openedBy} /> disputed the outcome{' '}
            <When at={dispute.openedAt.height} />, with a bond of <Net unet={dispute.bond} />. The
            hash of the reason is <Hash hash={dispute.reasonHash} />{' '}
            <Reason text={reasons?.dispute} />
            {dispute.answeredAt && (
              <>
                {' '}
                The other side answered <When at={dispute.answeredAt.height} />, with a bond of{' '}
                <Net unet={dispute.answerBond ?? dispute.bond} />.
              </>
            )}
          </p>
        </Card>
      )}
      {verification && (
        <Jury
          title={verification.round === SECOND_JURY ? 'The second jury' : 'The jury'}
          jury={verification}
          reasons={reasons}
        />
      )}
    </>
  );
}

function Jury({
  title,
  jury,
  reasons,
}: {
  title: string;
  jury: NonNullable<Order['verification']>;
  reasons: ReturnType<typeof useReasons>;
}) {
  const votes = new Map(jury.votes.map((vote) => [vote.verifierId, vote]));
  const committed = new Set(jury.commitments?.map(({ verifierId }) => verifierId));
  return (
    <Card
      title={title}
      aside={
        <span className="soft">
          {jury.round === 2 ? 'drawn again' : 'drawn'} from the seed <Hash hash={jury.seed} />
        </span>
      }
    >
      <DataTable name="jury">
        <thead>
          <tr>
            <th>Verifier</th>
            <th>Vote</th>
            <th>Group</th>
            <th>Evidence and reason</th>
            <th className="right">Height</th>
          </tr>
        </thead>
        <tbody>
          {jury.committee.map(({ verifierId, independenceGroup }) => {
            const vote = votes.get(verifierId);
            return (
              <tr key={verifierId}>
                <td>
                  <Actor id={verifierId} />
                </td>
                <td>
                  {vote ? (
                    <span className="chip" data-tone={VOTE_TONES[vote.vote]}>
                      {VALUE_WORDS.vote[vote.vote]}
                    </span>
                  ) : (
                    <span className="soft">
                      {committed.has(verifierId) ? 'sealed vote' : 'no vote'}
                    </span>
                  )}
                </td>
                <td className="soft nowrap">
                  <Said text={independenceGroup} />
                </td>
                <td className="reason">
                  {vote ? <Hash hash={vote.evidenceHash} /> : null}
                  <Reason text={reasons?.votes.get(verifierId)} />
                </td>
                <td className="right">{vote ? <When at={vote.votedAt.height} /> : null}</td>
              </tr>
            );
          })}
        </tbody>
      </DataTable>
    </Card>
  );
}
