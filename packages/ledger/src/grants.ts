/**
 * Permissions gathered from the `grant` and `spends` of all actions, for registration, extension and
 * applications.
 */
import type { ApplicationRole } from './capability.ts';

export interface Grants {
  /** Actions that every agent may use for itself from registration on. */
  base: ReadonlySet<string>;
  /** Actions that an agent may add with extendAgentCapabilities, and the base set. */
  policy: ReadonlySet<string>;
  /** The most that each role may be given. AGENT alone carries something by itself, the base set. */
  byRole: Readonly<Record<ApplicationRole, readonly string[]>>;
  /** Actions that spend NET. Without a bound they need an operator's approval. */
  spending: ReadonlySet<string>;
}

/** Who may use an action: roles that apply for it, and roles that carry it. OPERATOR always may. */
export interface Grant extends Partial<
  Record<Exclude<ApplicationRole, 'AGENT'>, 'application' | 'role'>
> {
  /** `base`: from registration on. `policy`: once added with extendAgentCapabilities. */
  AGENT?: 'base' | 'policy';
}

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
