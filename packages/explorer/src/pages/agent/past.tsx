/** An agent or account at an earlier height, as far as its own events prove it. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { agreement, placeEvents } from '../../chain/agreement.ts';
import { reading } from '../../chain/client.ts';
import { eventsUpTo } from '../../chain/events-of.ts';
import { BLOCKS_AT_ONCE, useBlockProofs, useProof } from '../../chain/proofs.ts';
import { NotYet, OnlyNewest } from '../../marks/at.tsx';
import { EventList } from '../../marks/event-list.tsx';
import { Actor, Hash, Net, When } from '../../marks/names.tsx';
import { Believed, ProofBadge } from '../../marks/proof.tsx';
import { Card, ErrorNote, Fact, Facts, Page, SkeletonCard, Stat } from '../../ui/parts.tsx';
import { agentPast, type AgentPast } from '../../words/agent-past.ts';
import { count, counted } from '../../words/amount.ts';
import { AgentChips, AgentHeading } from './head.tsx';

/** Members of an agent's record that never change. */
interface Lasting {
  description?: string;
  referrerAgentId?: string | null;
  registeredAt: { height: number };
}

export function PastAgent({ agentId, at }: { agentId: string; at: number }) {
  const list = useInfiniteQuery(eventsUpTo(agentId, at));
  const first = useQuery(reading('/v1/events', { agent: agentId, limit: 1 }, 'fixed'));
  const record = useProof('state', `agent/${agentId}`);
  const [most, setMost] = useState(BLOCKS_AT_ONCE);
  const read = list.data?.pages.flatMap((page) => page.events) ?? [];
  const events = read.filter(({ height }) => height <= at);
  const heights = [...new Set(events.map(({ height }) => height))];
  const blocks = useBlockProofs(heights.slice(0, most));
  const { proven, contradicted } = placeEvents(events, blocks.proven);
  const isProven = new Set(proven.map(({ id }) => id));
  const lasting = (record.proven?.value ?? null) as Lasting | null;
  const joined = lasting?.registeredAt.height;
  const past = agentPast(agentId, proven);
  const isCut =
    joined !== undefined &&
    joined > 0 &&
    joined <= at &&
    !list.hasNextPage &&
    !read.some(({ height }) => height === joined);
  const isLoading = list.isPending || first.isPending || record.standing.standing === 'proving';
  const { standing, contradicts } = agreement(
    record.standing.standing === 'proven' ? blocks.standing : record.standing,
    contradicted.length > 0 ? ['activity'] : [],
    [],
    true,
  );
  const failed = [list, first].find(({ isError, data }) => isError && !data);
  const isRead = !failed && !isLoading;
  return (
    <Page
      title={agentId}
      crumb={<Link to="/agents">Agents</Link>}
      heading={<AgentHeading agentId={agentId} description={lasting?.description} />}
      aside={
        heights.length > 0 && (
          <ProofBadge
            standing={standing}
            what={`the events of this agent up to block ${count(at)}`}
            contradicts={contradicts}
            steps={[
              `${counted(proven.length, 'event is', 'events are')} in certified blocks`,
              'the figures count only these events. A node can hide an event, but it cannot invent one',
            ]}
          />
        )
      }
    >
      {failed && (
        <ErrorNote
          error={failed.error}
          what={`The events of ${agentId} could not be read.`}
          retry={failed.refetch}
        />
      )}
      {!failed && isLoading && <SkeletonCard lines={8} />}
      {isRead && events.length === 0 && joined !== undefined && joined <= at && (
        <NotYet
          what="The node lists no event of this agent up to this height, but it is proven that it joined"
          height={joined}
        />
      )}
      {isRead && events.length === 0 && !(joined !== undefined && joined <= at) && (
        <NotYet
          what={
            joined === undefined
              ? 'The first event that the node lists for this account is'
              : 'This agent joined'
          }
          height={joined ?? first.data?.events[0]?.height}
          never="The node lists no event that names this account"
        />
      )}
      {isRead && events.length > 0 && (
        <div className="stack">
          <p className="soft">
            Counted in {counted(proven.length, 'event')} that your browser has proven. The node may
            know more
            {isCut && `, such as the one by which this agent joined at block ${count(joined)}`}.
          </p>
          <AgentChips {...past} />
          <Figures past={past} />
          <div className="split">
            <Card
              title="Activity"
              aside={<span className="soft">up to block {count(at)}, newest first</span>}
            >
              <EventList
                events={eventsUpTo(agentId, at)}
                none=""
                beside={({ id }) => !isProven.has(id) && <Believed />}
              />
              {heights.length > most && (
                <p className="more">
                  <button
                    type="button"
                    className="button"
                    onClick={() => setMost(most + BLOCKS_AT_ONCE)}
                  >
                    Check {count(Math.min(BLOCKS_AT_ONCE, heights.length - most))} more blocks
                  </button>
                </p>
              )}
            </Card>
            <Proven past={past} lasting={lasting} at={at} />
          </div>
        </div>
      )}
    </Page>
  );
}

function Proven({ past, lasting, at }: { past: AgentPast; lasting: Lasting | null; at: number }) {
  const joined = lasting?.registeredAt.height;
  return (
    <Card title="What is proven">
      <Facts>
        {joined !== undefined && (
          <Fact name="Joined">
            {joined > at ? (
              <>
                not yet: at <When at={joined} />
              </>
            ) : (
              <When at={joined} />
            )}
          </Fact>
        )}
        {lasting?.referrerAgentId && (
          <Fact name="Recruited by">
            <Actor id={lasting.referrerAgentId} />
          </Fact>
        )}
        <Fact name="Last key in these events">
          {past.keyHash === null ? 'none' : <Hash hash={past.keyHash} />}
        </Fact>
        <Fact name="Balance">
          <OnlyNewest />
        </Fact>
        <Fact name="Beacon, sessions">
          <OnlyNewest />
        </Fact>
        <Fact name="Work, lineage">
          <OnlyNewest />
        </Fact>
      </Facts>
    </Card>
  );
}

function Figures({ past }: { past: AgentPast }) {
  return (
    <div className="stats">
      <Stat label="Received" value={<Net unet={past.received} short />} note="in proven events" />
      <Stat
        label="Paid out or locked"
        value={<Net unet={past.spent} short />}
        note="in proven events"
      />
      <Stat
        label="Jobs paid"
        value={count(past.paidJobs)}
        note={`${count(past.refusedJobs)} ended unpaid`}
      />
      <Stat label="Orders funded" value={count(past.fundedOrders)} note="as requester" />
      <Stat label="Votes" value={count(past.votes)} note="in juries" />
    </div>
  );
}
