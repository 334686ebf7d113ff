/**
 * Who may do what, gathered from what the actions say of themselves (`grant` and `spends`): the sets that registration,
 * extension and applications give.
 */
import type { ApplicationRole } from './capability.ts';

export interface Grants {
  /** Actions that every agent may do from its registration on, bound to itself. */
  base: ReadonlySet<string>;
  /** Actions that an agent may add to itself with extendAgentCapabilities: the base set and more. */
  policy: ReadonlySet<string>;
  /** Actions that each role may be given at most. AGENT alone carries something by itself, the base set. */
  byRole: Readonly<Record<ApplicationRole, readonly string[]>>;
  /** Actions that move NET: unbounded, they need an operator's approval. */
  spending: ReadonlySet<string>;
}

/**
 * Who may do an action and how they come by it: by applying for it, or with the role itself. OPERATOR always may.
 */
export interface Grant extends Partial<
  Record<Exclude<ApplicationRole, 'AGENT'>, 'application' | 'role'>
> {
  /** `base`: from registration on. `policy`: once added with extendAgentCapabilities. */
  AGENT?: 'base' | 'policy';
}

/** The grant of actions that only an operator may do. */
export const OPERATOR_ONLY: Grant = {};

interface Grantable {
  name: string;
  grant: Grant;
  spends?: unknown;
}

export function grantsOf(actions: readonly Grantable[]): Grants {
  const names = (test: (action: Grantable) => boolean): string[] =>
    actions.filter(test).map(({ name }) => name);
  const base = names(({ grant }) => grant.AGENT === 'base');
  const policy = [...base, ...names(({ grant }) => grant.AGENT === 'policy')];
  const appliedFor = (role: ApplicationRole): string[] =>
    names(({ grant }) => role !== 'AGENT' && grant[role] === 'application');
  return {
    base: new Set(base),
    policy: new Set(policy),
    byRole: {
      AGENT: policy,
      HUMAN: appliedFor('HUMAN'),
      VERIFIER: appliedFor('VERIFIER'),
      VALIDATOR: appliedFor('VALIDATOR'),
      RUNTIME_PROVIDER: appliedFor('RUNTIME_PROVIDER'),
      AUDITOR: appliedFor('AUDITOR'),
      GOVERNOR: appliedFor('GOVERNOR'),
    },
    spending: new Set(names(({ spends }) => spends !== undefined)),
  };
}
