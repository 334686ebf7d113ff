import type { DocumentOf } from '@netd/sdk/core';
import { useProof } from '../../chain/proofs.ts';
import { Height, ShortHash } from '../../marks/names.tsx';
import { Card, Fact, Facts } from '../../ui/parts.tsx';
import { count, counted } from '../../words/amount.ts';
import { duration } from '../../words/time.ts';

type Network = DocumentOf<'/v1/network'>;
type Scheduled = NonNullable<Network['rules']['scheduled']>;

export function RulesCard({ network }: { network: Network }) {
  const { version, name, scheduled } = network.rules;
  return (
    <Card
      title="Rules"
      aside={
        <span className="soft">
          version {version}
          {name !== null && `, ${name}`}
        </span>
      }
    >
      {scheduled ? (
        <NextRules network={network} scheduled={scheduled} />
      ) : (
        <p className="inside soft">No other version is scheduled.</p>
      )}
    </Card>
  );
}

function NextRules({ network, scheduled }: { network: Network; scheduled: Scheduled }) {
  const { height, blockTimeMs, idleBlockTimeMs } = network;
  const left = Math.max(0, scheduled.height - height - 1);
  return (
    <>
      <Facts>
        <Fact name="Next">
          version {scheduled.version}
          {scheduled.name !== null && `, ${scheduled.name}`}
        </Fact>
        <Fact name="First block">
          <Height at={scheduled.height} />
        </Fact>
        <Fact name="Begins">
          after {counted(left, 'more block')}, in {duration(left * blockTimeMs)} to{' '}
          {duration(left * idleBlockTimeMs)}
        </Fact>
        <Fact name="Release">
          <span className="hash" title={scheduled.artifactHash}>
            <ShortHash hash={scheduled.artifactHash} />
          </span>
        </Fact>
        <Fact name="Ready">
          <Ready network={network} power={scheduled.readyPower} />
        </Fact>
      </Facts>
      <div className="inside stack-small">
        <strong>What changes</strong>
        {scheduled.changes.length === 0 ? (
          <p className="soft">This node lacks the version, and halts before it.</p>
        ) : (
          <ul className="plain-list">
            {scheduled.changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

/** @param power null on a fixed set, which has no announcements */
function Ready({ network, power }: { network: Network; power: number | null }) {
  const { finality, height } = network;
  const schedule = useProof('state', power === null ? '' : 'rules-schedule/next', height);
  if (power === null)
    return (
      <>
        validators of a fixed set announce nothing; the operator who scheduled it answers for them
      </>
    );
  const { readyIds = [] } = (schedule.proven?.value ?? {}) as { readyIds?: string[] };
  return (
    <>
      {count(power)} of {count(finality.totalVotingPower)} votes, {count(finality.quorum)} needed
      <span className="chips">
        {finality.votes.map(({ validatorId }) => {
          const isReady = readyIds.includes(validatorId);
          return (
            <span key={validatorId} className="chip" data-tone={isReady ? 'money' : 'warn'}>
              {validatorId} {isReady ? 'is ready' : 'is not ready yet'}
            </span>
          );
        })}
      </span>
    </>
  );
}
