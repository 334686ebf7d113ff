import { Link } from '@tanstack/react-router';
import { useId, useRef, type ReactNode } from 'react';
import type { Standing } from '../chain/standing.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { ShortHash } from './names.tsx';

type Shown = 'proving' | 'proven' | 'consistent' | 'failed' | 'unproven';

const LABELS: Record<Shown, [IconName, string]> = {
  proving: ['dots', 'Checking…'],
  proven: ['check', 'Proven here'],
  consistent: ['check', 'Checked here'],
  failed: ['cross', 'Proof failed'],
  unproven: ['dots', 'Unverified'],
};

/**
 * Returns the words for the proof of the newest block; `why` is one or more sentences.
 * @param doubt why the proven block cannot be the newest; null if it can
 */
export function headWords(
  standing: Standing,
  doubt: string | null,
): {
  state: Shown;
  icon: IconName;
  says: string;
  why: string;
} {
  const state = shownAs(standing, []);
  const [icon] = LABELS[state];
  switch (standing.standing) {
    case 'proving':
      return { state, icon, says: 'Checking…', why: 'Your browser is checking the newest block.' };
    case 'proven': {
      if (doubt !== null)
        return { state: 'unproven', icon: 'dots', says: 'Not the newest block', why: doubt };
      const height = standing.height.toLocaleString('en');
      return {
        state,
        icon,
        says: 'Checked in your browser',
        why: `Your browser checked the certificate of block ${height}, starting from the genesis.`,
      };
    }
    case 'failed':
      return {
        state,
        icon,
        says: 'Proof failed',
        why: `Don't rely on this node. ${standing.reason}`,
      };
    default:
      return { state, icon, says: 'Unverified', why: `No proof could be read. ${standing.reason}` };
  }
}

/**
 * @param what noun phrase such as "the record of this agent"
 * @param steps the checks, a line each
 * @param contradicts members on display that the proof contradicts
 */
export function ProofBadge({
  standing,
  what,
  steps,
  contradicts = [],
}: {
  standing: Standing;
  what: string;
  steps: readonly ReactNode[];
  contradicts?: readonly string[];
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const shown = shownAs(standing, contradicts);
  const [icon, label] = LABELS[shown];
  return (
    <>
      <button
        ref={button}
        type="button"
        className="proof"
        data-standing={shown}
        popoverTarget={id}
        title="Why?"
      >
        <Icon name={icon} />
        {label}
      </button>
      <div
        id={id}
        popover="auto"
        className="proof-why"
        onToggle={({ currentTarget }) => place(currentTarget, button.current)}
      >
        <Why
          standing={standing}
          shown={shown}
          what={what}
          steps={steps}
          contradicts={contradicts}
        />
        <p className="soft">
          <Link to="/verify">See or change the anchor of all proofs</Link>
        </p>
      </div>
    </>
  );
}

/** True if everything on display agrees with its proof. */
export const isProven = (standing: Standing, contradicts: readonly string[]): boolean =>
  standing.standing === 'proven' && contradicts.length === 0;

function shownAs(standing: Standing, contradicts: readonly string[]): Shown {
  if (standing.standing !== 'proven') return standing.standing;
  if (contradicts.length > 0) return 'failed';
  return standing.against.source === 'pinned' ? 'proven' : 'consistent';
}

function Why({
  standing,
  shown,
  what,
  steps,
  contradicts,
}: {
  standing: Standing;
  shown: Shown;
  what: string;
  steps: readonly ReactNode[];
  contradicts: readonly string[];
}) {
  switch (standing.standing) {
    case 'proving':
      return <p>Your browser is checking {what}. Until it has, only the node says so.</p>;
    case 'unproven':
      return (
        <>
          <h3>No proof to check</h3>
          <p>
            Only the node says so: {what} could not be verified. {standing.reason}
          </p>
        </>
      );
    case 'failed':
      return (
        <>
          <h3>Do not rely on {what}</h3>
          <p>
            This answer does not match what the validators certified:{' '}
            <strong>{standing.reason}</strong>.
          </p>
          <p>Ask another node, compare the two under Verify, and keep the answer as evidence.</p>
        </>
      );
    default: {
      const { height, against } = standing;
      if (shown === 'failed') {
        return (
          <>
            <h3>The page and the proof differ</h3>
            <p>
              These values do not match the proof of {what}: {contradicts.join(', ')}. Do not rely
              on this node.
            </p>
          </>
        );
      }
      return (
        <>
          <h3>Your browser checked {what}</h3>
          <ul>
            {steps.map((step, at) => (
              <li key={at}>
                <span>{step}</span>
              </li>
            ))}
            <li>
              <span>
                certified by the validators of the genesis{' '}
                <code>
                  <ShortHash hash={against.genesisHash} />
                </code>
                , at height {height.toLocaleString('en')}
              </span>
            </li>
          </ul>
          {against.source === 'pinned' ? (
            <p>You pinned this genesis yourself, so no node can invent it.</p>
          ) : (
            <p>
              The node named this genesis at your first visit, and could have invented its chain.
              Pin a hash from another source to rule that out.
            </p>
          )}
        </>
      );
    }
  }
}

function place(panel: HTMLElement, button: HTMLElement | null): void {
  if (!button || !panel.matches(':popover-open')) return;
  const { left, bottom, top } = button.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = panel;
  const fits = bottom + offsetHeight + 16 < innerHeight;
  panel.style.left = `${Math.max(16, Math.min(left, innerWidth - offsetWidth - 16))}px`;
  panel.style.top = fits ? `${bottom}px` : `${Math.max(16, top - offsetHeight - 12)}px`;
}

export function Believed() {
  return (
    <span
      className="chip"
      title="Only the node says so. Open an entry to have your browser check it."
    >
      Unverified
    </span>
  );
}
