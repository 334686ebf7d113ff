/** Permissions, gathered from the `grant` and `spends` of all actions. */
import type { ApplicationRole } from './capability.ts';

export interface Grants {
  /** Actions that an agent may use for itself from registration on. */
  base: ReadonlySet<string>;
  /** Actions of the base set, and those that an agent may add with extendAgentCapabilities. */
  policy: ReadonlySet<string>;
  /** All actions that each role may be given. */
  byRole: Readonly<Record<ApplicationRole, readonly string[]>>;
  /** Actions that need an operator's approval unless an amount bounds them. */
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
