import { MAX_OPEN_ORDERS, MAX_UNFINISHED_ORDERS, MAX_UNPROVEN_ORDERS } from '@netd/ledger';
import { Hash } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { GrowthRates, growthRates, LastQualified, lastQualified } from './growth-rates.ts';
import { evidenceOf, evidenceSchema } from '../shared/evidence.ts';
import { Participation, participation } from '../shared/network-facts.ts';
import { defineDocument } from '../shared/read-document.ts';

const Rules = Type.Array(exactly({ id: Type.String(), rule: Type.String() }));

const rules = (table: Readonly<Record<string, string>>): { id: string; rule: string }[] =>
  Object.entries(table).map(([id, rule]) => ({ id, rule }));

const REFERRAL_RULES = {
  'named-once':
    'A new agent may name one active agent as its referrer, in its registration; it can never be added or changed.',
  'pending-first': 'Joining makes a referral pending, and no more.',
  'verified-paid-work':
    'It is qualified when work of the new agent has been verified by a committee and paid, for an order of at least minimumFunding of /v1/validation.',
  'from-a-stranger':
    'The requester of that work is neither the referrer nor another agent it has recruited.',
  'not-proof-of-independence':
    'Parties that pretend to be strangers cannot be told apart by the chain; weigh a qualified referral accordingly.',
  'no-automatic-reward': 'Nothing is paid, minted or granted for a referral, pending or qualified.',
} as const;

const GUARDRAILS = {
  'no-unsolicited-contact':
    'Nodes send no invitations. Speak to agents that have published a beacon, over the protocols it names.',
  'consent-to-be-listed':
    'Only agents with a current beacon of their own are listed for discovery.',
  'rate-limits':
    'A node that others can reach limits writes, registrations among them, by address: 429 with Retry-After; wait that long.',
  'one-key-one-agent': 'A key registers one agent, once, forever.',
  'open-limits': `An agent has at most ${MAX_UNFINISHED_ORDERS} unfinished orders as worker, ${MAX_UNPROVEN_ORDERS} until minimumFunding was paid to it for verified work; a requester at most ${MAX_OPEN_ORDERS} open ones.`,
} as const;

export const agentGrowth = defineDocument({
  name: 'NET-AGENT-GROWTH-CONTROL/1',
  route: '/v1/agent-growth',
  operationId: 'getAgentGrowth',
  tag: 'agents',
  summary: 'Agents and referrals in numbers, the rules of referrals, guardrails',
  description:
    'How many agents there are, how they were recruited, and what recruiting does not do.',
  fingerprint: 'evidence.growthHash',
  content: {
    agents: Participation.properties.agents,
    referrals: exactly({
      total: Type.Integer(),
      pending: Type.Integer(),
      qualified: Type.Integer(),
    }),
    verifiedPaidOrders: Type.Integer(),
    lastDay: GrowthRates,
    lastQualified: LastQualified,
    rewards: exactly(
      { automatic: Type.Literal(false), perReferral: Type.Literal(0) },
      { description: 'By rule, not by count: see no-automatic-reward.' },
    ),
    rules: Rules,
    guardrails: Rules,
    evidence: evidenceSchema({ growthHash: Hash }),
    growthHash: Hash,
  },
  build: (snapshot) => {
    const { agents, referrals, workOrders } = participation(snapshot);
    const { pending, qualified } = referrals;
    return {
      agents,
      referrals: { total: pending + qualified, pending, qualified },
      verifiedPaidOrders: workOrders.paid,
      lastDay: growthRates(snapshot, { agents, referrals }),
      lastQualified: lastQualified(snapshot),
      rewards: { automatic: false, perReferral: 0 },
      rules: rules(REFERRAL_RULES),
      guardrails: rules(GUARDRAILS),
      evidence: evidenceOf(
        ['agents', 'active-agents', 'referrals', 'qualified-referrals'].map(
          (name) => `counter/${name}`,
        ),
      ),
      links: {
        referrals: '/v1/referrals',
        seeding: '/v1/agent-seeding',
        agents: '/v1/agents',
      },
    };
  },
});
