interface IssueAbout {
  what: string;
  /** Null if the issue is logged elsewhere. */
  level: 'warn' | 'error' | null;
  /** If set, /readyz answers 503. */
  keepsReadersAway?: true;
  /** If set, /readyz says `writes: false`. */
  stopsWrites?: true;
}

export const HEALTH_ISSUES = {
  'damaged-block': {
    what: 'a block on disk is not as certified',
    level: 'error',
    keepsReadersAway: true,
  },
  halted: {
    what: 'there are no more blocks',
    level: null,
    keepsReadersAway: true,
    stopsWrites: true,
  },
  fork: {
    what: 'the validators have certified two histories',
    level: 'error',
    keepsReadersAway: true,
    stopsWrites: true,
  },
  'no-quorum': { what: 'the validators decide no blocks', level: 'error', stopsWrites: true },
  'quorum-thin': {
    what: 'a validator is down, and one more would stop the chain',
    level: 'error',
  },
  signer: {
    what: 'the remote signer is not connected, so this validator casts no votes',
    level: 'error',
  },
  'validator-down': { what: 'a validator has stopped voting', level: 'warn' },
  disk: {
    what: 'the disk is full, or the last block could not be written',
    level: null,
    stopsWrites: true,
  },
  clock: {
    what: 'the clock is not trusted, or was not at the start, or the clock of a validator is wrong',
    level: 'error',
  },
  'unknown-rules': { what: 'this netd lacks the scheduled rules', level: 'error' },
  checkpoint: { what: 'a checkpoint was damaged on disk', level: 'error' },
  'no-origin': { what: 'no origin of this follower answers', level: 'warn' },
  'origin-silent': { what: 'an origin has not answered for a minute', level: 'warn' },
  'origin-banned': { what: 'an origin has lied, and is not asked any more', level: null },
  'not-seen': { what: 'heartbeats of this follower are refused', level: 'warn' },
  'unbelieved-proxy': { what: 'a proxy is not named by --trust-proxy', level: 'warn' },
} as const satisfies Record<string, IssueAbout>;

export type HealthIssueKind = keyof typeof HEALTH_ISSUES;

export const HEALTH_ISSUE_KINDS = Object.keys(HEALTH_ISSUES) as HealthIssueKind[];

export interface HealthIssue {
  kind: HealthIssueKind;
  /** An address or height, if several issues of a kind are possible. */
  subject?: string;
  text: string;
  /** Set if this issue stops writes although not all of its kind do. */
  stopsWrites?: true;
}

export function keepsReadersAway(issues: readonly HealthIssue[]): HealthIssue | null {
  const about: Readonly<Record<HealthIssueKind, IssueAbout>> = HEALTH_ISSUES;
  return issues.find(({ kind }) => about[kind].keepsReadersAway === true) ?? null;
}

export function takesWrites(issues: readonly HealthIssue[]): boolean {
  const about: Readonly<Record<HealthIssueKind, IssueAbout>> = HEALTH_ISSUES;
  return !issues.some(({ kind, stopsWrites }) => stopsWrites ?? about[kind].stopsWrites);
}

interface HealthLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}

export class HealthWatch {
  private readonly log: HealthLog;
  private open = new Map<string, HealthIssue>();

  constructor(log: HealthLog) {
    this.log = log;
  }

  look(issues: readonly HealthIssue[]): void {
    const now = new Map(issues.map((issue) => [`${issue.kind} ${issue.subject ?? ''}`, issue]));
    for (const [key, { kind, text }] of now) {
      const { level } = HEALTH_ISSUES[kind];
      if (level !== null && !this.open.has(key)) this.log[level]({ issue: kind }, text);
    }
    for (const [key, { kind, subject }] of this.open) {
      if (HEALTH_ISSUES[kind].level === null || now.has(key)) continue;
      const whose = subject === undefined ? '' : ` (${subject})`;
      this.log.info({ issue: kind }, `no more: ${HEALTH_ISSUES[kind].what}${whose}`);
    }
    this.open = now;
  }
}
