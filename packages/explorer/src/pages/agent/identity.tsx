import { useQuery } from '@tanstack/react-query';
import type { DocumentOf, SchemaOf } from '@netd/sdk/core';
import { reading } from '../../chain/client.ts';
import { EventList } from '../../marks/event-list.tsx';
import { Said } from '../../ui/said.tsx';
import { Actor, Hash, Height, Net } from '../../marks/names.tsx';
import { Card, Code, Empty, ErrorNote, Fact, Facts, SkeletonCard } from '../../ui/parts.tsx';
import { count } from '../../words/amount.ts';
import { words } from '../../words/ids.ts';
import { Kept, keyEvents } from './kept.tsx';
import { LineageGraph } from './lineage-graph.tsx';

export function Identity({ document: shown }: { document: DocumentOf<'/v1/agents/{agentId}'> }) {
  const { authority, sessions, recovery } = shown;
  const beacon = shown.beacon as SchemaOf<'AgentBeacon'> | null;
  return (
    <div className="split">
      <div className="stack">
        <Card title="Key">
          <Facts>
            <Fact name="Hash">
              <Hash hash={authority.publicKeyHash} keep={20} />
            </Fact>
            <Fact name="Guardians">
              {recovery === null ? (
                'None. If this key is lost, so is the agent.'
              ) : (
                <Guardians recovery={recovery} />
              )}
            </Fact>
          </Facts>
          <div className="inside">
            <Code text={authority.publicKey.trim()} />
          </div>
        </Card>
        <Card title="Key history" aside={<span className="soft">newest first, unverified</span>}>
          <EventList
            events={keyEvents(shown.agent.agentId)}
            none={`It joined at height ${count(shown.agent.registeredAt.height)}, and has had one key since.`}
            beside={({ data }) =>
              (typeof data['newKeyHash'] === 'string' ||
                typeof data['publicKeyHash'] === 'string') && (
                <Hash hash={String(data['newKeyHash'] ?? data['publicKeyHash'])} />
              )
            }
          />
        </Card>
        <Card title="Beacon" aside={<span className="soft">unverified</span>}>
          {beacon === null ? (
            <Empty title="No current beacon">
              Others cannot find it by its skills until it goes online.
            </Empty>
          ) : (
            <Facts>
              <Fact name="Endpoint">
                <span className="mono">
                  <Said text={beacon.endpoint} />
                </span>
              </Fact>
              <Fact name="Protocols">
                <Said text={beacon.protocols.join(', ')} />
              </Fact>
              <Fact name="Sequence">{count(beacon.sequence)}</Fact>
              <Fact name="Expires after">
                <Height at={beacon.expiresAtHeight} />
              </Fact>
              <Fact name="Metadata">
                <Hash hash={beacon.metadataHash} />
              </Fact>
            </Facts>
          )}
        </Card>
        <Card
          title="Sessions"
          aside={<span className="soft">keys that act for it, unverified</span>}
        >
          {sessions.length === 0 ? (
            <Empty title="No session key">
              A session lets another key act for it, within a budget.
            </Empty>
          ) : (
            <ul className="plain-list">
              {sessions.map((session) => (
                <li key={session.sessionId}>
                  <strong>
                    <Said text={session.sessionId} />
                  </strong>
                  <span className="soft">
                    {' '}
                    spent <Net unet={session.spent} /> of <Net unet={session.budget} />, until{' '}
                    <Height at={session.expiresAtHeight} />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
      <div className="stack">
        <Kept agentId={shown.agent.agentId} />
        <Card
          title="Permissions"
          aside={<span className="soft">{count(authority.capabilities.length)}, unverified</span>}
        >
          <div className="inside chips">
            {authority.capabilities.map(({ action }) => (
              <span key={action} className="chip" title={action}>
                {words(action)}
              </span>
            ))}
          </div>
        </Card>
      </div>
    </div>
  );
}

type Recovery = NonNullable<DocumentOf<'/v1/agents/{agentId}'>['recovery']>;

function Guardians({ recovery: { guardians, threshold } }: { recovery: Recovery }) {
  return (
    <>
      {count(threshold)} of{' '}
      {guardians.map((id) => (
        <span key={id}>
          <Actor id={id} />{' '}
        </span>
      ))}
    </>
  );
}

export function Lineage({ agentId }: { agentId: string }) {
  const lineage = useQuery(reading('/v1/agent-lineage/{agentId}', { agentId }));
  const { data } = lineage;
  if (!data) {
    if (lineage.isError)
      return <ErrorNote error={lineage.error} what="Its lineage could not be read." />;
    return <SkeletonCard lines={4} />;
  }
  const { ancestors, descendants, agent } = data;
  const above = ancestors.nodes.toReversed();
  const states = new Map(
    [...ancestors.edges, ...descendants.edges].map((edge) => [edge.agentId, edge.status]),
  );
  const referrals = [...ancestors.edges, ...descendants.edges];
  const earning = new Set(
    referrals.filter(({ status }) => status === 'qualified').map((edge) => edge.agentId),
  );
  return (
    <Card title="Lineage" aside={<span className="soft">unverified</span>}>
      {referrals.length > 0 && (
        <LineageGraph
          root={above[0]?.agentId ?? agentId}
          self={agentId}
          referrals={referrals}
          earning={earning}
        />
      )}
      <ol className="lineage">
        {[...above, agent].map((node, depth) => (
          <li key={node.agentId} data-depth={depth} data-self={node.agentId === agentId}>
            <Actor id={node.agentId} />
            <span className="soft">
              {' '}
              {node.referrals.total === 0
                ? 'recruited none yet'
                : `recruited ${count(node.referrals.total)}, earning: ${count(node.referrals.qualified)}`}
            </span>
          </li>
        ))}
        {descendants.nodes.map((node) => (
          <li key={node.agentId} data-depth={above.length + Math.abs(node.depth)}>
            <Actor id={node.agentId} />
            <span
              className="chip"
              data-tone={states.get(node.agentId) === 'qualified' ? 'money' : undefined}
            >
              {states.get(node.agentId) === 'qualified' ? 'earns' : 'has not earned yet'}
            </span>
          </li>
        ))}
      </ol>
      {above.length + descendants.nodes.length === 0 && (
        <Empty title="No recruiter and no recruits">
          A newcomer can name its recruiter when it joins.
        </Empty>
      )}
    </Card>
  );
}
