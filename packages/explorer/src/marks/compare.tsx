/** Compares nodes. A validator could serve two histories, which only other nodes reveal. */
import { compareTrustReports } from '@netd/sdk/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { nodeUrl } from '../chain/client.ts';
import { addressOf, allowedOrigins, nameOrigins } from '../chain/named-origins.ts';
import { LineForm } from '../ui/line-form.tsx';
import { Card, Empty, ErrorNote, Skeleton } from '../ui/parts.tsx';
import { Said } from '../ui/said.tsx';
import { Height } from './names.tsx';

const VERDICTS = {
  agree: ['money', 'They agree on one history'],
  conflict: ['trouble', 'They contradict each other'],
  incomplete: ['warn', 'Not enough answers to compare'],
} as const;

export function Compare() {
  const origins = allowedOrigins().filter((origin) => origin !== nodeUrl);
  const [fault, setFault] = useState<string | null>(null);
  const rename = (wanted: () => readonly string[]): void => {
    const run = async (): Promise<void> => nameOrigins(wanted());
    run().catch((error: Error) => setFault(error.message));
  };
  return (
    <Card title="Compare nodes">
      <div className="inside stack-small">
        <p className="soft">
          This page contacts only its own node until you add others. Your browser enforces that. Add
          nodes that other people run.
        </p>
        <LineForm
          id="origin"
          label="Another node"
          placeholder="https://node.example"
          submit="Add"
          field="field mono"
          onSubmit={(typed) => rename(() => [...origins, addressOf(typed)])}
        />
        <p className="field-fault" role="alert">
          {fault}
        </p>
        {origins.length > 0 ? (
          <Comparison
            origins={origins}
            forget={(origin) => rename(() => origins.filter((one) => one !== origin))}
          />
        ) : (
          <Empty title="No other node is added">
            The Network page lists followers. Best is a follower of your own:{' '}
            <code>npx netd follow {nodeUrl}</code>
          </Empty>
        )}
      </div>
    </Card>
  );
}

function Comparison({
  origins,
  forget,
}: {
  origins: readonly string[];
  forget: (origin: string) => void;
}) {
  const found = useQuery({
    queryKey: ['compare', origins],
    queryFn: () => compareTrustReports([nodeUrl, ...origins], { timeout: 8_000 }),
    meta: { pace: 'held' },
    staleTime: 30_000,
  });
  const { data } = found;
  if (!data) {
    return found.isError ? (
      <ErrorNote
        error={found.error}
        what="The nodes could not be compared."
        retry={found.refetch}
      />
    ) : (
      <Skeleton lines={3} />
    );
  }
  const [tone, says] = VERDICTS[data.verdict];
  return (
    <div className="stack-small">
      <p>
        <span className="chip" data-tone={tone}>
          {says}
        </span>
      </p>
      <ul className="plain-list">
        {data.origins.map((answer) => (
          <li key={answer.origin}>
            <span className="mono">{answer.origin}</span>{' '}
            {answer.status === 'answered' ? (
              <span className="soft">
                at <Height at={answer.report.height} />
              </span>
            ) : (
              <span className="alike">
                does not answer: <Said text={answer.reason} />
              </span>
            )}
            {answer.origin !== nodeUrl && (
              <button type="button" className="button" onClick={() => forget(answer.origin)}>
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
      {data.conflicts.map((conflict, at) => (
        <div key={at} className="error-note" role="alert">
          <strong>{conflict.meaning}</strong>
          <ul>
            {conflict.evidence.map(({ origin, says: told }) => (
              <li key={origin}>
                <span className="mono">{origin}</span> says <Said text={told} />
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p>
        <button
          type="button"
          className="button"
          disabled={found.isFetching}
          onClick={() => void found.refetch()}
        >
          Compare again
        </button>
      </p>
    </div>
  );
}
