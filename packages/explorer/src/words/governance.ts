import { chamberAgrees, type GovernancePolicy } from '@netd/protocol';

interface Due {
  height: number;
  time: string;
}

export const STAGES = [
  ['BUILD_VERIFICATION', 'Being built', 'Two independent groups build it and get the same bytes.'],
  ['SECURITY_REVIEW', 'Being reviewed', 'Two independent groups of auditors read it and pass it.'],
  ['GOVERNANCE_READY', 'Ready for a vote', 'A governor proposes it, and both chambers agree.'],
  [
    'RELEASE_CANDIDATE',
    'Release candidate',
    'A governor records the origins that serve its build.',
  ],
  ['DEPLOYED', 'Released', 'At least two hosts serve the attested build.'],
] as const;

export type Stage = (typeof STAGES)[number][0] | 'CHANGES_REQUIRED';
export const BACK: readonly [Stage, string, string] = [
  'CHANGES_REQUIRED',
  'Sent back',
  'Its author can offer a revision that names this one.',
];

export function stageWord(status: string): string {
  return [...STAGES, BACK].find(([stage]) => stage === status)?.[1] ?? status;
}

export function stageTone(status: string): 'trouble' | 'money' | 'work' {
  if (status === 'CHANGES_REQUIRED') return 'trouble';
  return status === 'DEPLOYED' ? 'money' : 'work';
}

export interface Chamber {
  for: number;
  against: number;
  quorum: number;
  agrees: boolean;
}

interface Chambers {
  stake: Chamber;
  utility: Chamber;
}

/** Returns the chambers with quorum and agreement by the policy of the state, because a node could name others. */
export function judged(
  { stake, utility }: Chambers,
  { stakeQuorum, utilityQuorum, majorityBps }: GovernancePolicy,
): Chambers {
  const chamber = ({ for: pro, against }: Chamber, quorum: number): Chamber => {
    const votes = { for: pro, against };
    return { ...votes, quorum, agrees: chamberAgrees(votes, quorum, majorityBps) };
  };
  return { stake: chamber(stake, stakeQuorum), utility: chamber(utility, utilityQuorum) };
}

/** Applies the chain's rule: votes must reach the quorum, and the share in favor must exceed the majority. */
export function chamberSays(
  { for: pro, against, quorum, agrees }: Chamber,
  majorityBps: number | undefined,
): string {
  if (agrees) return 'agrees';
  if (pro + against < quorum) return 'too few votes';
  const more = majorityBps === undefined ? 'a majority' : `more than ${majorityBps / 100} %`;
  return `needs ${more} of its votes`;
}

interface ProposalFacts {
  status: string;
  votingEnds: Due;
  executableAt: Due | null;
  deadline: Due | null;
}

export interface NextOfProposal {
  now: string;
  next: string;
  by: Due | null;
  tone: 'work' | 'money' | 'trouble' | 'warn' | 'rules';
}

export function nextOfProposal({
  status,
  votingEnds,
  executableAt,
  deadline,
}: ProposalFacts): NextOfProposal {
  switch (status) {
    case 'VOTING':
      return {
        now: 'Being voted on',
        next: 'Governors vote, each once. When the vote ends, both chambers must have their quorum and their majority.',
        by: votingEnds,
        tone: 'work',
      };
    case 'PASSED':
      return {
        now: 'Passed, in its timelock',
        next: 'Everyone can inspect the decision until the timelock ends. Then a governor can enact it.',
        by: executableAt,
        tone: 'warn',
      };
    case 'ENACTED':
      return {
        now: 'Enacted',
        next: 'Both chambers agreed, and the timelock has passed.',
        by: null,
        tone: 'money',
      };
    case 'REJECTED':
      return {
        now: 'Rejected',
        next: 'A chamber had too few votes or no majority. The same can be proposed again.',
        by: null,
        tone: 'trouble',
      };
    default:
      return {
        now: 'Expired',
        next: 'It passed, and was not enacted in time. The same can be proposed again.',
        by: deadline,
        tone: 'rules',
      };
  }
}
