/**
 * Rule versions. The state names the version that executes a block. A rule that differs asks
 * `rules.atLeast(n)`; actions, payload members and system transitions name the versions that have them.
 */
import { compileSchema, FREE_NAMES, GenesisPolicy, type JsonObject } from '@netd/protocol';
import type { PolicyRecord } from './chain-records.ts';
import { requireThat } from './rule-error.ts';
import type { ReadableState } from './state.ts';

export interface RulesVersion {
  name: string;
  changes: readonly string[];
  /**
   * Members of `GenesisPolicy` that the version adds, with defaults. A schedule or genesis may set other
   * values.
   */
  policy?: Partial<GenesisPolicy>;
}

/** Version 1 comes first. Released versions never change. */
export const RULES_VERSIONS: readonly RulesVersion[] = [
  { name: 'founding', changes: ['The rules of chains that never changed theirs.'] },
  {
    name: 'named-genesis',
    changes: [
      'Signed envelopes, key rotations and session keys may name the genesis hash of their chain; another one is refused.',
      'Names made of words of the network, such as network-admin and verifier-1, are reserved. Their holders keep them.',
      'Validators of a sealed genesis without terms get 1,000 votes each, and the genesis names its version of the rules.',
      'NET and UNET, in any case, are no symbols of tokens. Names, titles and labels have no characters that readers cannot see.',
      'Small orders that paid a worker as much in total as the minimum funding raise its limit of unfinished orders.',
      'The bond of a worker is held until the order ends, not only until the delivery.',
      'Delivered work that no jury decided about is paid, unless its requester contests it within verifyWithin.',
      'Orders that no jury could accept are refused at creation and at acceptance. Only signatures of a verifier make it related to a party.',
      'Orders may do without a jury.',
      'Orders may declare the kinds of their conditions. Only verifiers that judge all of them are drawn; declareConditionKinds says what a verifier judges.',
      'The side that loses can dispute any outcome, with half the funding as bond: a larger second jury decides, then an operator. If nobody decides, the first verdict holds; without one, or if a declared kind of few verifiers left no second jury, the funding is split.',
      'Juries of three and more commit to their votes and reveal them together, so that none can copy the first one; an order may say otherwise.',
      'Operators may publish the answer of an ended order that they knew; counters of its jurors show who voted so.',
      'Orders may name an acceptanceHash: then requester or worker can prove a verdict, which ends the order at once. Jurors whose votes it contradicts lose a tenth of their bond.',
      'A contribution may name the one version of the rules that its release can schedule; without it, the release schedules none.',
      'Names, by registration or by application, may cost a proof of work or a deposit that a sponsor gets back, as policy.names says. Names that did not pay it get no first draw of the faucet.',
    ],
    policy: { names: FREE_NAMES },
  },
];

export const NEWEST_RULES = RULES_VERSIONS.length;

/** First and last version that have a thing; without `since` version 1 has it. */
export interface RulesSpan {
  since?: number;
  until?: number;
}

export class Rules {
  readonly version: number;

  constructor(version: number) {
    this.version = version;
  }

  atLeast(version: number): boolean {
    return this.version >= version;
  }

  have({ since = 1, until = Infinity }: RulesSpan): boolean {
    return since <= this.version && this.version <= until;
  }
}

/**
 * @param height the state's own or the next
 */
export function rulesAt(state: ReadableState, height: number): Rules {
  const active = state.get('rules', 'active');
  if (!active) return new Rules(1);
  return new Rules(height >= active.fromHeight ? active.version : active.previousVersion);
}

/** @throws RuleError RULES_NOT_ACTIVE outside the span, with the missing version */
export function requireInRules(rules: Rules, span: RulesSpan, path: string): void {
  const { since = 1, until } = span;
  requireThat(rules.have(span), 'RULES_NOT_ACTIVE', path, () =>
    rules.atLeast(since)
      ? `version ${until} of the rules was the last with it, and the chain has version ${rules.version}`
      : `it needs version ${since} of the rules, and the chain has version ${rules.version}`,
  );
}

/** This code cannot execute a block, because it lacks the rules. The state is intact. */
export class UnknownRulesError extends Error {
  override name = 'UnknownRulesError';
  readonly height: number;

  constructor(height: number, version: number, artifactHash: string | null) {
    const release =
      artifactHash === null ? '' : `: install the release with the artifact hash ${artifactHash}`;
    super(
      `block ${height} has version ${version} of the rules, and this netd knows only those up to ${NEWEST_RULES}${release}`,
    );
    this.height = height;
  }
}

export function requireKnownRules(state: ReadableState, height: number): Rules {
  const rules = rulesAt(state, height);
  if (rules.version <= NEWEST_RULES) return rules;
  throw new UnknownRulesError(
    height,
    rules.version,
    state.get('rules', 'active')?.artifactHash ?? null,
  );
}

/** Returns the policy members, with defaults, that the versions after `from` up to `to` add. */
export const addedPolicy = (from: number, to: number): JsonObject =>
  Object.assign({}, ...RULES_VERSIONS.slice(from, to).map(({ policy }) => policy)) as JsonObject;

/**
 * Returns the policy with the members that the versions after `from` up to `to` add, in canonical order.
 * @param values by member; a value that breaks its schema, which an older node let pass, becomes the default
 */
export function grownPolicy(
  policy: PolicyRecord,
  { from, to, values }: { from: number; to: number; values: JsonObject },
): PolicyRecord {
  const added = Object.entries(addedPolicy(from, to));
  if (added.length === 0) return policy;
  const members = added.map(([name, fallback]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const schema = GenesisPolicy.properties[name as keyof GenesisPolicy];
    const isValid = value !== undefined && compileSchema(schema)(value) === null;
    return [name, isValid ? value : fallback] as const;
  });
  const grown = Object.entries({ ...policy, ...Object.fromEntries(members) });
  return Object.fromEntries(grown.toSorted(([a], [b]) => (a < b ? -1 : 1))) as PolicyRecord;
}

/** Returns the policy that a chain begins with. Absent members of its version get defaults. */
export const policyOf = (policy: GenesisPolicy, version: number): PolicyRecord =>
  grownPolicy(policy, { from: 1, to: version, values: policy });

/** Describes the first member of a policy that belongs to a later version; null if there is none. */
export function earlyMemberOf(policy: GenesisPolicy, version: number): string | null {
  for (const [i, { policy: added = {} }] of RULES_VERSIONS.entries()) {
    const early = i + 1 > version && Object.keys(added).find((name) => Object.hasOwn(policy, name));
    if (early) return `policy.${early} needs version ${i + 1} of the rules`;
  }
  return null;
}
