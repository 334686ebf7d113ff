/** Permissions, gathered from the `grant` and `spends` of all actions. */
import type { ApplicationRole } from './capability.ts';

export interface Grants {
  /** From registration on, for itself. */
  base: ReadonlySet<string>;
  /** What an agent may add with extendAgentCapabilities, and the base set. */
  policy: ReadonlySet<string>;
  /** The most that each role may be given. */
  byRole: Readonly<Record<ApplicationRole, readonly string[]>>;
  /** Without a bound these need an operator's approval. */
  spending: ReadonlySet<string>;
}

/** Roles that may use an action, by application or by themselves. OPERATOR always may. */
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
