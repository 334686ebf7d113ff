import { useQuery } from '@tanstack/react-query';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { reading } from '../chain/client.ts';
import { Page } from '../ui/parts.tsx';

export function PageFault({ reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = (): void => {
    reset();
    void router.invalidate();
  };
  // The shell polls the node, so a later answer ends an outage.
  const { dataUpdatedAt } = useQuery(reading('/v1/network'));
  const [failedAt] = useState(() => Date.now());
  useEffect(() => {
    if (dataUpdatedAt > failedAt) again();
  }, [dataUpdatedAt]);
  return (
    <Page
      title="This page could not be drawn"
      lead="The node did not answer, or this page cannot read its answer. The page tries again once the node answers. Actions that you signed are still stored in this browser."
    >
      <p className="chips">
        <button type="button" className="button primary" onClick={again}>
          Try again
        </button>
        <button type="button" className="button" onClick={() => location.reload()}>
          Reload
        </button>
      </p>
      <p className="soft">
        If this continues, use another node. The pages “Network” and “Verify” list some.
      </p>
    </Page>
  );
}
