import { useState } from 'react';
import { agreement } from '../../chain/agreement.ts';
import type { Totals } from '../../chain/frames.ts';
import { useProof } from '../../chain/proofs.ts';
import { worstOf } from '../../chain/standing.ts';
import { ProofBadge } from '../../marks/proof.tsx';
import { CheckButton } from './scope.tsx';

/** The records that prove each figure. */
const KEYS = {
  paidJobs: 'counter/work-orders-paid',
  earned: 'cumulative-total/work-paid',
  refusedJobs: 'counter/work-orders-rejected',
} as const satisfies Record<keyof Totals, string>;

const WORDS: Readonly<Record<keyof Totals, string>> = {
  paidJobs: 'jobs paid',
  earned: 'earned by agents',
  refusedJobs: 'unpaid, refunded',
};

const NAMES = ['paidJobs', 'earned', 'refusedJobs'] as const;

/**
 * Proves the newest figures once. The button returns when they change.
 * @param height of the figures; undefined if they have several
 */
export function FiguresProof({ totals, height }: { totals: Totals; height: number | undefined }) {
  const text = NAMES.map((name) => totals[name]).join(' ');
  const [asked, ask] = useState(text);
  const proofs = {
    paidJobs: useProof('state', KEYS.paidJobs, asked),
    earned: useProof('state', KEYS.earned, asked),
    refusedJobs: useProof('state', KEYS.refusedJobs, asked),
  };
  if (asked !== text) return <CheckButton what="these figures" check={() => ask(text)} />;
  const differing = NAMES.filter(
    (name) => proofs[name].proven && (proofs[name].proven.value ?? 0) !== totals[name],
  );
  const { standing, contradicts } = agreement(
    worstOf(NAMES.map((name) => proofs[name].standing)),
    [],
    differing.map((name) => WORDS[name]),
    NAMES.every((name) => proofs[name].proven?.height === height),
  );
  return (
    <ProofBadge
      standing={standing}
      what="these three figures"
      contradicts={contradicts}
      steps={['a Merkle proof shows that the state contains each of them']}
    />
  );
}
