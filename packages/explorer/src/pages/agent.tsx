import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { compareEventIds } from '@netd/protocol';
import type { DocumentOf, SchemaOf } from '@netd/sdk/core';
import { useState } from 'react';
import { AGENT_TABS } from '../chain/filters.ts';
import { agreement, differences } from '../chain/agreement.ts';
import { useAt } from '../chain/at.ts';
import { reading } from '../chain/client.ts';
import { useOrderTitles } from '../chain/order-titles.ts';
import { useProof } from '../chain/proofs.ts';
import { guardianDifferences, recordAgreement } from '../chain/records.ts';
import { worstOf } from '../chain/standing.ts';
import { useLookalikes } from '../marks/likeness.tsx';
import { MissingRecord } from '../marks/missing-record.tsx';
import { Said } from '../ui/said.tsx';
import { Face, Height, Net, When } from '../marks/names.tsx';
import { Card, Empty, Page, SkeletonCard, Stat } from '../ui/parts.tsx';
import { Believed, ProofBadge } from '../marks/proof.tsx';
import { Sentence } from '../marks/sentence.tsx';
import { count, counted, share } from '../words/amount.ts';
import { streamLines } from '../words/stream.ts';
import { AgentChips, AgentHeading } from './agent/head.tsx';
import { Identity, Lineage } from './agent/identity.tsx';
import { PastAgent } from './agent/past.tsx';
import { AgentWork } from './agent/work.tsx';

const TAB_NAMES: Record<(typeof AGENT_TABS)[number], string> = {
  activity: 'Activity',
  work: 'Work',
  identity: 'Identity',
  lineage: 'Lineage',
};

type AgentDocument = DocumentOf<'/v1/agents/{agentId}'>;
type Dossier = DocumentOf<'/v1/agents/{agentId}/decision-dossier'>;

export function AgentPage() {
  const { agentId } = useParams({ from: '/agents/$agentId' });
  const at = useAt();
  return at === null ? (
    <NewestAgent agentId={agentId} />
  ) : (
    <PastAgent key={agentId} agentId={agentId} at={at} />
  );
}

function NewestAgent({ agentId }: { agentId: string }) {
  const agent = useQuery(reading('/v1/agents/{agentId}', { agentId }));
  const { data } = agent;
  if (!data) {
    return (
      <Page title={agentId} crumb={<Link to="/agents">Agents</Link>}>
        {agent.isError ? (
          <MissingRecord
            stateKey={`agent/${agentId}`}
            error={agent.error}
            what={`The agent ${agentId} could not be read.`}
            retry={agent.refetch}
          />
        ) : (
          <SkeletonCard lines={8} />
        )}
      </Page>
    );
  }
  return <Known document={data} />;
}

function Known({ document: shown }: { document: AgentDocument }) {
  const { agent, account, authority } = shown;
  const beacon = shown.beacon as SchemaOf<'AgentBeacon'> | null;
  const { agentId } = agent;
  useLookalikes(agentId);
  const { tab = 'activity' } = useSearch({ from: '/agents/$agentId' });
  const dossier = useQuery(reading('/v1/agents/{agentId}/decision-dossier', { agentId }));
  const record = useProof('state', `agent/${agentId}`, shown.height);
  const money = useProof('state', `account/${agentId}`, shown.height);
  const keys = useProof('state', `authority/${agentId}`, shown.height);
  const rescue = useProof('state', `recovery/${agentId}`, shown.height);
  const { never, now } = recordAgreement('agent', agent, record.proven);
  const key = recordAgreement('authority', authority, keys.proven);
  const balance = money.proven
    ? differences({ balance: account.balance }, money.proven.value ?? { balance: 0 }, ['balance'])
    : [];
  const guardians = guardianDifferences(shown.recovery, rescue.proven);
  const proofs = [record, money, keys, rescue];
  const { standing, contradicts } = agreement(
    worstOf(proofs.map((proof) => proof.standing)),
    never,
    [...now, ...balance, ...key.now, ...guardians],
    proofs.every(({ proven }) => proven?.height === shown.height),
  );
  const roles = authority.roles.filter((role) => role !== 'AGENT');
  return (
    <Page
      title={agentId}
      crumb={<Link to="/agents">Agents</Link>}
      heading={
        <AgentHeading agentId={agentId} description={agent.description ?? 'no description'} />
      }
      aside={
        <ProofBadge
          standing={standing}
          what="the record, the key, the guardians, the roles and the balance of this agent"
          contradicts={contradicts}
          steps={[
            'a Merkle proof shows that the state contains its record',
            'others show its account, its guardians, and its key with its roles',
          ]}
        />
      }
    >
      <div className="stack">
        <AgentChips status={agent.status} isOnline={agent.beacon === 'current'} roles={roles}>
          {(beacon?.capabilities ?? []).map((name) => (
            <Link key={name} to="/agents" search={{ capability: name }} className="chip">
              <Said text={name} />
            </Link>
          ))}
        </AgentChips>
        <p className="soft">
          <Believed /> Being online, skills, and counts of work and memory.
        </p>
        <Standing
          dossier={dossier.data}
          balance={account.balance}
          since={agent.registeredAt.height}
        />
        <div className="tabs wide" role="group" aria-label="Of this agent">
          {AGENT_TABS.map((name) => (
            <Link
              key={name}
              to="/agents/$agentId"
              params={{ agentId }}
              search={name === 'activity' ? {} : { tab: name }}
              aria-current={tab === name ? 'page' : undefined}
              activeProps={{}}
              activeOptions={{ exact: true }}
              resetScroll={false}
            >
              {TAB_NAMES[name]}
            </Link>
          ))}
        </div>
        {tab === 'activity' && <Activity agentId={agentId} dossier={dossier.data} />}
        {tab === 'work' && <AgentWork agentId={agentId} />}
        {tab === 'identity' && <Identity document={shown} />}
        {tab === 'lineage' && <Lineage agentId={agentId} />}
      </div>
    </Page>
  );
}

function Standing({
  dossier,
  balance,
  since,
}: {
  dossier: Dossier | undefined;
  balance: number;
  since: number;
}) {
  const standing = dossier?.work.standing;
  return (
    <div className="stats">
      <Stat
        label="Balance"
        value={<Net unet={balance} short />}
        note={
          standing ? (
            <>
              earned <Net unet={standing.earned} short />
            </>
          ) : (
            ' '
          )
        }
      />
      <Stat
        label="Orders verified"
        value={standing ? count(standing.verifiedOrders) : '–'}
        note={standing ? `${count(standing.unfinishedOrders)} in progress` : ' '}
      />
      <Stat
        label="Failed"
        value={standing ? count(standing.timeouts + standing.disputesLost) : '–'}
        note={
          standing
            ? `${count(standing.timeouts)} late, ${counted(standing.disputesLost, 'dispute')} lost${ratesOf(standing)}`
            : ' '
        }
      />
      <Stat
        label="Orders paid for"
        value={standing ? count(standing.requested.paid) : '–'}
        note={standing ? `of ${count(standing.requested.funded)} funded` : ' '}
      />
      <Stat
        label="Memory"
        value={dossier ? count(dossier.continuity.memoryGeneration) : '–'}
        note={
          <>
            {dossier?.continuity.memoryGeneration === 1 ? 'generation' : 'generations'} since{' '}
            <Height at={since} />
          </>
        }
      />
    </div>
  );
}

function ratesOf({
  verifiedOrders,
  timeouts,
  disputesLost,
  released,
}: NonNullable<Dossier['work']['standing']>): string {
  const ended = verifiedOrders + timeouts + disputesLost + released;
  return ended === 0 ? '' : `; ${share(verifiedOrders, ended)} of ${count(ended)} verified`;
}

const MOST_TITLES = 20;

function Activity({ agentId, dossier }: { agentId: string; dossier: Dossier | undefined }) {
  const titles = useOrderTitles([
    { agentId, limit: MOST_TITLES },
    { requesterId: agentId, limit: MOST_TITLES },
  ]);
  if (!dossier) return <SkeletonCard lines={6} />;
  return <ActivityList key={agentId} activity={dossier.activity} titles={titles} />;
}

/** Holds still while someone reads it. */
function ActivityList({
  activity,
  titles,
}: {
  activity: Dossier['activity'];
  titles: ReadonlyMap<string, string>;
}) {
  const [shown, setShown] = useState(activity.events);
  const newest = shown[0]?.id ?? '0.-1';
  const fresh = activity.events.filter(({ id }) => compareEventIds(id, newest) > 0).length;
  const lines = streamLines(shown);
  if (lines.length === 0 && fresh === 0)
    return (
      <div className="card">
        <Empty title="The node lists nothing yet">Its activity on the chain appears here.</Empty>
      </div>
    );
  return (
    <Card title="Activity" aside={<span className="soft">newest first, unverified</span>}>
      {fresh > 0 && (
        <button type="button" className="pill-new" onClick={() => setShown(activity.events)}>
          <span>{count(fresh)} new</span>
        </button>
      )}
      <ol className="stream">
        {lines.map(({ id, tone, parts, times, actor, height }) => (
          <li key={id} data-tone={tone}>
            <span className="line-face">
              {actor === null ? <i className="no-face" /> : <Face id={actor} size={24} />}
            </span>
            <span className="line-text">
              <Sentence parts={parts} titles={titles} />
              {times > 1 && <span className="soft"> and {count(times - 1)} more like it</span>}
            </span>
            <span className="line-when">
              <When at={height} />
            </span>
          </li>
        ))}
      </ol>
      {activity.truncated && (
        <p className="inside soft">Older events are in the events of the chain.</p>
      )}
    </Card>
  );
}
