import { BLOBS_CAPABILITY } from '@netd/protocol';
import { useQuery } from '@tanstack/react-query';
import { nodeUrl, reading } from '../chain/client.ts';
import { ActivityCharts } from '../marks/activity-charts.tsx';
import { Said } from '../ui/said.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Actor, When } from '../marks/names.tsx';
import { Card, Empty, ErrorNote, Fact, Facts, Page, SkeletonCard, Stat } from '../ui/parts.tsx';
import { Believed } from '../marks/proof.tsx';
import { count, counted, namePrice } from '../words/amount.ts';
import { capitalized, words } from '../words/ids.ts';
import { duration } from '../words/time.ts';
import { Readiness } from './network/readiness.tsx';
import { RulesCard } from './network/rules.tsx';
import { Compare } from '../marks/compare.tsx';

export function NetworkPage() {
  const network = useQuery(reading('/v1/network'));
  const topology = useQuery(reading('/v1/topology'));
  const fork = useQuery(reading('/v1/fork-evidence'));
  return (
    <Page
      title="Network"
      lead="The validators that certify blocks, the followers that check them, and their heights."
      aside={<Believed />}
    >
      <div className="stack">
        {topology.isError && !topology.data && (
          <ErrorNote
            error={topology.error}
            what="The network could not be read."
            retry={topology.refetch}
          />
        )}
        {fork.data?.fork && (
          <div className="error-note" role="alert">
            <strong>A fork: two histories were certified.</strong>
            <p>
              At height {fork.data.fork.height} the validators certified two blocks. Rely on neither
              history before you know which is the network’s. The evidence is at{' '}
              <a href="v1/fork-evidence">/v1/fork-evidence</a>.
            </p>
          </div>
        )}
        {!topology.data && topology.isPending && <SkeletonCard lines={8} />}
        {topology.data && <Figures topology={topology.data} fork={fork.data?.fork === null} />}
        {/* Behind the figures, so that nothing moves once they are there. */}
        {!topology.isPending && (
          <>
            <ActivityCharts names={['online', 'juries']} />
            <div className="split">
              <div className="stack">
                {topology.data && <Followers items={topology.data.nodes.items} />}
                {topology.data && <Validators topology={topology.data} />}
                <Readiness />
              </div>
              <div className="stack">
                {network.data && (
                  <Card title="The chain">
                    <Facts>
                      <Fact name="Name">{network.data.chainId}</Fact>
                      <Fact name="Mode">{capitalized(words(network.data.mode))}</Fact>
                      {network.data.laboratory && (
                        <Fact name="Laboratory">
                          a chain for tests, with a clock that tests set and NET that is worth
                          nothing
                        </Fact>
                      )}
                      {network.data.fork && (
                        <Fact name="Fork">
                          of {network.data.fork.chainId} at block {count(network.data.fork.height)}:
                          nothing signed here counts there
                        </Fact>
                      )}
                      <Fact name="Blocks">
                        every {duration(network.data.blockTimeMs)} while envelopes wait, otherwise
                        every {duration(network.data.idleBlockTimeMs)}
                      </Fact>
                      <Fact name="Writes">
                        {network.data.open
                          ? 'signed, or unsigned with the secret of the node'
                          : 'signed only'}
                      </Fact>
                      <Fact name="A name costs">{namePrice(network.data.registration)}</Fact>
                      <Fact name="Runs">netd {network.data.version}</Fact>
                    </Facts>
                  </Card>
                )}
                {network.data && <RulesCard network={network.data} />}
                <Replicas />
                <Stores />
                <Compare />
              </div>
            </div>
          </>
        )}
      </div>
    </Page>
  );
}

type Topology = NonNullable<ReturnType<typeof useTopology>['data']>;
const useTopology = () => useQuery(reading('/v1/topology'));

function Figures({ topology, fork }: { topology: Topology; fork: boolean }) {
  const { totals, consensus } = topology;
  return (
    <div className="stats">
      <Stat
        label="Validators"
        value={count(totals.certifyingValidators)}
        note={counted(totals.validatorCandidates, 'candidate')}
      />
      <Stat
        label="Votes to certify a block"
        value={
          <>
            {count(consensus.quorum)} <small>of {count(consensus.totalVotingPower)}</small>
          </>
        }
        note={
          consensus.haltsWithout.length > 0
            ? `halts without ${consensus.haltsWithout.join(', ')}`
            : 'no one can halt it alone'
        }
      />
      <Stat
        label="Followers reporting"
        value={count(totals.nodesReporting)}
        note={`in ${counted(consensus.faultDomains, 'fault domain')}`}
      />
      <Stat
        label="Runtime providers"
        value={count(totals.runtimeProviders)}
        note="where agents may move to"
      />
      <Stat label="Forks" value={fork ? 'none' : '–'} note="found by this node" />
    </div>
  );
}

function Followers({ items }: { items: Topology['nodes']['items'] }) {
  return (
    <Card
      title="Followers of the chain"
      aside={<span className="soft">by their signed heartbeats</span>}
    >
      {items.length === 0 && (
        <Empty title="No follower reports yet" code={`npx netd follow ${nodeUrl}`}>
          A follower checks every block and answers every read. To run one:
        </Empty>
      )}
      {items.length > 0 && (
        <DataTable name="followers">
          <thead>
            <tr>
              <th>Agent</th>
              <th>Reported height</th>
              <th>Lag when reported</th>
              <th>Fault domain, country</th>
              <th>Version</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ agentId, heartbeat, status }) => (
              <tr key={agentId}>
                <td>
                  <Actor id={agentId} />
                </td>
                <td>
                  {heartbeat ? (
                    <When at={heartbeat.observedHeight} />
                  ) : (
                    <span className="soft">{status.toLowerCase()}</span>
                  )}
                </td>
                <td className="number">
                  {heartbeat && (
                    <span className="chip" data-tone={heartbeat.recent ? 'money' : 'warn'}>
                      {heartbeat.recent
                        ? counted(heartbeat.lag, 'block')
                        : `silent for ${counted(heartbeat.age, 'block')}`}
                    </span>
                  )}
                </td>
                <td className="soft">
                  <Said
                    text={[heartbeat?.faultDomain, heartbeat?.countryCode]
                      .filter(Boolean)
                      .join(', ')}
                  />
                </td>
                <td className="soft">
                  <Said text={heartbeat?.nodeVersion ?? ''} />
                </td>
              </tr>
            ))}
          </tbody>
        </DataTable>
      )}
    </Card>
  );
}

function Validators({ topology }: { topology: Topology }) {
  return (
    <Card title="Validators">
      <DataTable name="validators">
        <thead>
          <tr>
            <th>Validator</th>
            <th>Fault domain</th>
            <th className="right">Voting power</th>
          </tr>
        </thead>
        <tbody>
          {topology.consensus.validators.map(({ validatorId, faultDomain, votingPower }) => (
            <tr key={validatorId}>
              <td>{validatorId}</td>
              <td className="soft">
                <Said text={faultDomain} />
              </td>
              <td className="right number">{count(votingPower)}</td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </Card>
  );
}

function Replicas() {
  const replicas = useQuery(reading('/v1/replicas'));
  const items = replicas.data?.replicas ?? [];
  return (
    <Card title="Replicas" aside={<span className="soft">agents that keep the state</span>}>
      {replicas.data && items.length === 0 && (
        <Empty title="No replica is online">A replica announces itself with a beacon.</Empty>
      )}
      <ul className="plain-list">
        {items.map(({ agentId, endpoint, status }) => (
          <li key={agentId}>
            <Actor id={agentId} />{' '}
            <span className="soft mono">
              <Said text={endpoint} />
            </span>{' '}
            <span className="chip">{words(status)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Stores() {
  const stores = useQuery(reading('/v1/discovery', { capability: BLOBS_CAPABILITY }));
  const items = stores.data?.beacons ?? [];
  return (
    <Card title="Stores" aside={<span className="soft">agents that keep blobs</span>}>
      {stores.data && items.length === 0 && (
        <Empty title="No store is online">A store announces itself with a beacon.</Empty>
      )}
      <ul className="plain-list">
        {items.map(({ agentId, endpoint }) => (
          <li key={agentId}>
            <Actor id={agentId} />{' '}
            <span className="soft mono">
              <Said text={endpoint} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
