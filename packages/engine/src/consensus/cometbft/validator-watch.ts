/** Counts the votes and proposals of each validator over the last heights, from CometBFT's FinalizeBlock. */
import { quorumOf } from '@netd/protocol';
import type { HealthIssue } from '../../health-issue.ts';
import type { ValidatorFigures, ValidatorVotes } from '../consensus.ts';
import { hexOf, isVote, millisecondsOf } from './validator-updates.ts';
import type { RequestFinalizeBlock } from './wire/abci_pb.js';

/** More than the spread of honest votes for one block. */
const CLOCK_MILLISECONDS = 10_000;
/** In decided heights. */
const WINDOW = 100;
/** A commit lacks late votes, so one missing vote says nothing. */
const DOWN_HEIGHTS = 3;
const DOWN_MILLISECONDS = 15_000;
/** Older heights are replays: a validator that missed them may be back. */
const RECENT_MILLISECONDS = 60_000;

type Decided = Pick<
  RequestFinalizeBlock,
  'height' | 'time' | 'proposerAddress' | 'decidedLastCommit'
>;

interface Watched {
  validatorId: string;
  votingPower: number;
  /** The newest is last; at most WINDOW. */
  outcomes: boolean[];
  /** Milliseconds of header time; null if no vote was seen yet. */
  lastVote: number | null;
  /** Milliseconds of header time of the first height that was seen. */
  since: number;
  /** Milliseconds by which its last vote was dated later than the median of all; 0 if it was near. */
  ahead: number;
}

export class ValidatorWatch {
  private readonly watched = new Map<string, Watched>();
  private proposers: string[] = [];
  private engineHeight = 0;
  private time = 0;
  /** Set while no height is decided: addresses of the validators that do not vote. */
  private silent: ReadonlySet<string> | null = null;

  /** @param nameOf returns undefined for an address that was never a validator's */
  note(request: Decided, nameOf: (address: string) => string | undefined): void {
    const votes = request.decidedLastCommit?.votes ?? [];
    this.silent = null;
    this.engineHeight = Number(request.height);
    this.time = millisecondsOf(request.time);
    this.proposers = [...this.proposers, hexOf(request.proposerAddress)].slice(-WINDOW);
    const members = new Set<string>();
    for (const vote of votes) {
      const { validator } = vote;
      if (!validator) continue;
      const address = hexOf(validator.address);
      members.add(address);
      const hasVoted = isVote(vote);
      const before = this.watched.get(address);
      this.watched.set(address, {
        validatorId: nameOf(address) ?? address,
        votingPower: Number(validator.power),
        outcomes: [...(before?.outcomes ?? []), hasVoted].slice(-WINDOW),
        lastVote: hasVoted ? this.time : (before?.lastVote ?? null),
        since: before?.since ?? this.time,
        ahead: before?.ahead ?? 0,
      });
    }
    for (const address of this.watched.keys()) {
      if (!members.has(address)) this.watched.delete(address);
    }
  }

  /** Compares the dates of votes for one block. CometBFT dates no vote before the block, so only late ones show. */
  noteTimes(votes: readonly { address: string; timestamp: string }[]): void {
    const dated = votes.map(({ address, timestamp }) => ({ address, at: Date.parse(timestamp) }));
    const times = dated.map(({ at }) => at).toSorted((a, b) => a - b);
    const median = times[Math.floor((times.length - 1) / 2)] ?? 0;
    for (const { address, at } of dated) {
      const watched = this.watched.get(address);
      if (watched) watched.ahead = at - median > CLOCK_MILLISECONDS ? at - median : 0;
    }
  }

  /** Until the next decided height, only validators without a vote in the running round are down. */
  noteSilent(addresses: ReadonlySet<string>): void {
    this.silent = addresses;
  }

  /** @returns null before the first commit */
  figures(): ValidatorFigures | null {
    if (this.watched.size === 0) return null;
    const validators = [...this.watched].map(([address, each]): ValidatorVotes => {
      const signed = each.outcomes.filter(Boolean).length;
      return {
        validatorId: each.validatorId,
        votingPower: each.votingPower,
        signed,
        missed: each.outcomes.length - signed,
        proposed: this.proposers.filter((proposer) => proposer === address).length,
        lastVote: each.lastVote === null ? null : new Date(each.lastVote).toISOString(),
        isDown: this.silent?.has(address) ?? this.isDown(each),
      };
    });
    const up = validators.filter(({ isDown }) => !isDown);
    return {
      engineHeight: this.engineHeight,
      window: this.proposers.length,
      quorumMargin: marginOf(
        up.map(({ votingPower }) => votingPower),
        sum(validators.map(({ votingPower }) => votingPower)),
      ),
      validators,
    };
  }

  /** @param now milliseconds since 1970 by this machine's clock */
  issues(now: number): HealthIssue[] {
    const clocks = this.clockIssues(now);
    const figures = this.figures();
    if (!figures || (!this.silent && now - this.time > RECENT_MILLISECONDS)) return clocks;
    const { validators, quorumMargin, window } = figures;
    const down = validators.filter(({ isDown }) => isDown);
    const issues = down.map(({ validatorId, lastVote, missed }): HealthIssue => {
      const since = lastVote === null ? 'since this node started' : `since ${lastVote}`;
      return {
        kind: 'validator-down',
        subject: validatorId,
        text: `the validator ${validatorId} has not voted ${since}, and missed ${missed} of the last ${window} heights: ask its operator, or see its log`,
      };
    });
    if (down.length > 0 && quorumMargin === 0 && !this.silent) {
      const up = validators.length - down.length;
      issues.push({
        kind: 'quorum-thin',
        text: `${up} of ${validators.length} validators vote, and if one more of them stops, no block is decided: bring back ${down.map(({ validatorId }) => validatorId).join(', ')}`,
      });
    }
    return [...clocks, ...issues];
  }

  private clockIssues(now: number): HealthIssue[] {
    const issues = [...this.watched.values()]
      .filter(({ ahead }) => ahead > 0)
      .map(({ validatorId, ahead }): HealthIssue => {
        const text = `the clock of the validator ${validatorId} is ${seconds(ahead)} ahead of the other clocks: ask its operator to set it. Blocks keep the right time while more than half of the voting power has it`;
        return { kind: 'clock', subject: validatorId, text };
      });
    const behind = this.time - now;
    if (behind > CLOCK_MILLISECONDS) issues.push(clockBehind(behind));
    return issues;
  }

  private isDown({ outcomes, lastVote, since }: Watched): boolean {
    const missed = outcomes.length - 1 - outcomes.lastIndexOf(true);
    return missed >= DOWN_HEIGHTS && this.time - (lastVote ?? since) >= DOWN_MILLISECONDS;
  }
}

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 1_000)} seconds`;

/** @param milliseconds between this machine's clock and a block that the validators have decided */
export const clockBehind = (milliseconds: number): HealthIssue => ({
  kind: 'clock',
  text: `the clock of this machine is ${seconds(milliseconds)} behind the time of blocks: set it. CometBFT refuses blocks that are a minute ahead of it`,
});

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

/** Returns how many of the largest validators that vote can stop while the others still decide blocks. */
function marginOf(votingPowers: readonly number[], total: number): number {
  const needed = quorumOf(total);
  let left = sum(votingPowers);
  let margin = 0;
  for (const power of votingPowers.toSorted((a, b) => b - a)) {
    left -= power;
    if (left < needed) break;
    margin += 1;
  }
  return margin;
}
