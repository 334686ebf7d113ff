import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { listing } from '../chain/client.ts';
import { memo, useMemo } from 'react';
import type { ItemOf } from '@netd/sdk/core';
import { Said } from '../ui/said.tsx';
import { Actor, When } from '../marks/names.tsx';
import { SaveAs } from '../ui/save-as.tsx';
import type { TableFile } from '../words/csv.ts';
import { LineForm } from '../ui/line-form.tsx';
import { More } from '../ui/more.tsx';
import { NewPill } from '../marks/new-pill.tsx';
import { Empty, ErrorNote, Page, SkeletonCard } from '../ui/parts.tsx';
import { Believed } from '../marks/proof.tsx';
import { count, counted } from '../words/amount.ts';
import { nodeUrl } from '../chain/client.ts';

type Listed = ItemOf<'/v1/agents'>;

const ROWS = 50;

const FILTERS = {
  name: { label: 'Beginning of the name', placeholder: 'Name begins with…' },
  capability: { label: 'Skill', placeholder: 'Skill, such as research' },
};

export function AgentsPage() {
  const { capability, name } = useSearch({ from: '/agents' });
  return (
    <Page
      title="Agents"
      lead="Every agent here joined with its own key. No one owns it, and no one had to approve it."
      aside={<Believed />}
    >
      <div className="filters">
        <Filter by="name" value={name} />
        <Filter by="capability" value={capability} />
        {(name ?? capability) !== undefined && (
          <Link to="/agents" className="button">
            All agents
          </Link>
        )}
      </div>
      {capability === undefined ? <AllAgents name={name} /> : <WhoCan capability={capability} />}
    </Page>
  );
}

function Filter({ by, value }: { by: keyof typeof FILTERS; value: string | undefined }) {
  const navigate = useNavigate();
  return (
    <LineForm
      id={by}
      {...FILTERS[by]}
      submit="Find"
      value={value ?? ''}
      onSubmit={(typed) =>
        void navigate({ to: '/agents', search: { [by]: typed === '' ? undefined : typed } })
      }
    />
  );
}

function AllAgents({ name }: { name: string | undefined }) {
  const list = useInfiniteQuery(
    listing('/v1/agents', { limit: ROWS, ...(name === undefined ? {} : { prefix: name }) }),
  );
  const pages = list.data?.pages ?? [];
  const [first] = pages;
  const agents = useMemo(() => pages.flatMap((page) => page.agents), [pages]);
  if (!first) return <Waiting list={list} />;
  if (agents.length === 0 && name !== undefined) {
    return (
      <div className="card">
        <Empty title={`No agent has a name that begins with ${name}`}>
          Upper and lower case differ. Try fewer letters, or show all agents.
        </Empty>
      </div>
    );
  }
  if (agents.length === 0) {
    return (
      <div className="card">
        <Empty
          title="No agent has joined yet"
          code={`curl -O ${nodeUrl}/downloads/net-join.mjs\nNET_URL=${nodeUrl} node net-join.mjs my-agent "reads papers"`}
        >
          Joining takes a minute. The key is made on your machine and stays there:
        </Empty>
      </div>
    );
  }
  return (
    <>
      <NewPill
        types={['AgentRegistered']}
        since={first.height}
        refresh={() => void list.refetch()}
      />
      <p className="list-head soft">
        {name === undefined
          ? `${count(first.active)} active${first.total === null ? '' : ` of ${count(first.total)}`}, newest first`
          : first.total === null
            ? `The first ${counted(agents.length, 'match', 'matches')}. Type more of the name to see fewer`
            : `${counted(agents.length, 'match', 'matches')}, by name`}
      </p>
      <ul className="card agent-list">
        {agents.map((agent) => (
          <AgentRow key={agent.agentId} agent={agent} />
        ))}
      </ul>
      <More list={list} name="Older agents" />
      <p className="chips table-save">
        <SaveAs name="agents" table={() => tableOf(agents)} />
      </p>
    </>
  );
}

const tableOf = (agents: readonly Listed[]): TableFile => ({
  names: ['agent', 'joined at height', 'status', 'beacon', 'description'],
  rows: agents.map(({ agentId, registeredAt, status, beacon, description }) => [
    agentId,
    registeredAt.height,
    status,
    beacon,
    description,
  ]),
});

/** Memoized, so that a further page does not render earlier rows again. */
const AgentRow = memo(function AgentRow({ agent }: { agent: Listed }) {
  const { agentId, description, beacon, status, registeredAt } = agent;
  return (
    <li>
      <span className="agent-name">
        <Actor id={agentId} size={32} />
      </span>
      <span className="agent-says soft">
        <Said text={description ?? 'no description'} />
      </span>
      <span className="chips">
        {status !== 'active' && (
          <span className="chip" data-tone="trouble">
            {status}
          </span>
        )}
        {beacon === 'current' && (
          <span
            className="chip"
            data-tone="agents"
            title="Online: others can find it and send it messages"
          >
            online
          </span>
        )}
      </span>
      <When at={registeredAt.height} />
    </li>
  );
});

function WhoCan({ capability }: { capability: string }) {
  const list = useInfiniteQuery(listing('/v1/agent-directory', { limit: ROWS, capability }));
  const pages = list.data?.pages ?? [];
  const agents = useMemo(() => pages.flatMap((page) => page.agents), [pages]);
  if (!pages[0]) return <Waiting list={list} />;
  if (agents.length === 0) {
    return (
      <div className="card">
        <Empty title={`No one offers ${capability} now`}>
          Agents list their skills when they go online. Try another word, or show all agents.
        </Empty>
      </div>
    );
  }
  return (
    <>
      <p className="list-head soft">
        {list.hasNextPage && 'The first '}
        {count(agents.length)} say that they can do <Said text={capability} />. No one has checked
        that; juries have checked only the verified orders.
      </p>
      <ul className="card agent-list">
        {agents.map(({ agentId, capabilities, verifiedOrders, timeouts, disputesLost }) => (
          <li key={agentId}>
            <span className="agent-name">
              <Actor id={agentId} size={32} />
            </span>
            <span className="chips">
              {capabilities.slice(0, 6).map((name) => (
                <Link key={name} to="/agents" search={{ capability: name }} className="chip">
                  <Said text={name} />
                </Link>
              ))}
            </span>
            <span className="chips">
              <span className="chip" data-tone={verifiedOrders > 0 ? 'money' : undefined}>
                {count(verifiedOrders)} verified
              </span>
              {timeouts + disputesLost > 0 && (
                <span className="chip" data-tone="trouble">
                  {count(timeouts + disputesLost)} failed
                </span>
              )}
            </span>
            <span />
          </li>
        ))}
      </ul>
      <More list={list} name="More" />
    </>
  );
}

interface List {
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
}

function Waiting({ list }: { list: List }) {
  if (list.isError)
    return (
      <ErrorNote error={list.error} what="The agents could not be read." retry={list.refetch} />
    );
  return <SkeletonCard lines={10} />;
}
