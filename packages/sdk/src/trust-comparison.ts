/** Compares trust reports, to see if origins tell the same history. */
import { blockHash, canonicalize, hashValue } from '@netd/protocol';
import { normalizeBaseUrl, requestText, requireBaseUrl } from './http.ts';
import { buildPath, type DocumentOf } from './reads.ts';

/** The trust report of an origin: evidence, never a permission score. */
export type TrustReport = DocumentOf<'/v1/agent-trust'>;

/** The report of one origin, or the reason that there is none. */
export type OriginAnswer =
  | { origin: string; status: 'answered'; report: TrustReport }
  | { origin: string; status: 'unreachable'; reason: string };

/** A contradiction between origins. */
export interface TrustConflict {
  /**
   * SELF: the report contradicts itself. NETWORK: two networks. HISTORY: two blocks at one height. REPORT:
   * one block with two reports. FORK: an origin halted with two certified blocks of one height.
   */
  kind: 'SELF' | 'NETWORK' | 'HISTORY' | 'REPORT' | 'FORK';
  /** The contradiction in a sentence. */
  meaning: string;
  /** Height of the conflict; null for SELF and NETWORK. */
  height: number | null;
  /** The statement of each origin. */
  evidence: { origin: string; says: string }[];
}

/** The reports of several origins beside each other. */
export interface TrustComparison {
  /**
   * `conflict`: at least one conflict. `agree`: two or more origins, all compared and equal. `incomplete`:
   * otherwise.
   */
  verdict: 'agree' | 'conflict' | 'incomplete';
  /** One answer for each origin. */
  origins: OriginAnswer[];
  /** All contradictions found. */
  conflicts: TrustConflict[];
  /** Pairs of origins that could not be compared, with the reason. */
  uncompared: { origins: [string, string]; height: number; reason: string }[];
}

/** How long a comparison waits. */
export interface ComparisonOptions {
  /** Milliseconds for each origin. */
  timeout?: number | undefined;
}

const MAX_ORIGINS = 32;

type Answered = { origin: string; report: TrustReport };
type Location = { blockHash: string; stateRoot: string };

/**
 * Verifies the reports' hashes, and compares networks and histories. Agreement is evidence only if the
 * origins are independent.
 * @param origins base addresses
 * @throws RangeError for more than 32 origins
 */
export async function compareTrustReports(
  origins: readonly string[],
  { timeout = 10_000 }: ComparisonOptions = {},
): Promise<TrustComparison> {
  const distinct = [...new Set(origins.map(normalizeBaseUrl))];
  if (distinct.length > MAX_ORIGINS) throw new RangeError(`at most ${MAX_ORIGINS} origins`);
  const answers = await Promise.all(distinct.map((origin) => reportOf(origin, timeout)));
  const answered = answers.filter((answer) => answer.status === 'answered');
  const conflicts: TrustConflict[] = [];
  const uncompared: TrustComparison['uncompared'] = [];
  const valid: Answered[] = [];
  for (const answer of answered) {
    const contradiction = contradictionIn(answer.report);
    if (contradiction === null) {
      valid.push(answer);
      conflicts.push(...forkIn(answer));
    } else conflicts.push(conflict('SELF', null, [[answer.origin, contradiction]]));
  }
  const pairs = valid.flatMap((one, index) =>
    valid.slice(index + 1).map((other) => [one, other] as const),
  );
  for (const [one, other] of pairs) {
    const [lower, higher] = one.report.height <= other.report.height ? [one, other] : [other, one];
    const networks = [lower, higher].map(({ report }) => networkOf(report));
    if (networks[0] !== networks[1]) {
      conflicts.push(
        conflict('NETWORK', null, [
          [lower.origin, networks[0] ?? ''],
          [higher.origin, networks[1] ?? ''],
        ]),
      );
      continue;
    }
    const found = await compareHistories(lower, higher, timeout);
    if (found === null) continue;
    if ('kind' in found) conflicts.push(found);
    else uncompared.push(found);
  }
  const complete =
    answered.length === answers.length && answers.length > 1 && uncompared.length === 0;
  const verdict = conflicts.length > 0 ? 'conflict' : complete ? 'agree' : 'incomplete';
  return { verdict, origins: answers, conflicts, uncompared };
}

async function reportOf(origin: string, timeout: number): Promise<OriginAnswer> {
  try {
    const report = JSON.parse(
      await requestText(`${requireBaseUrl(origin)}/v1/agent-trust`, { timeout }),
    ) as TrustReport;
    if (report?.schema === 'NET-AGENT-TRUST-REPORT/1')
      return { origin, status: 'answered', report };
    return {
      origin,
      status: 'unreachable',
      reason: 'what answers is not a NET-AGENT-TRUST-REPORT/1',
    };
  } catch (error) {
    return { origin, status: 'unreachable', reason: reasonOf(error) };
  }
}

function contradictionIn(report: TrustReport): string | null {
  try {
    const { reportHash, snapshot, comparison, height, ...rest } = report;
    forkIn({ origin: '', report });
    if (hashValue({ ...rest, snapshot, comparison, height }) !== reportHash) {
      return `reportHash is ${reportHash}, which is not the hash of the report`;
    }
    const [newest] = comparison.recentBlocks;
    const linked = comparison.recentBlocks.every((block, index) => block.height === height - index);
    if (
      !Number.isSafeInteger(height) ||
      !linked ||
      snapshot.height !== height ||
      newest?.blockHash !== snapshot.blockHash ||
      newest.stateRoot !== snapshot.stateRoot
    ) {
      return 'recentBlocks does not begin with the block of the report and go down from it';
    }
    return null;
  } catch {
    return 'the report does not have the shape of its schema';
  }
}

function forkIn({ origin, report }: Answered): TrustConflict[] {
  const { fork } = report as Partial<TrustReport>;
  if (!fork) return [];
  const { height, reason, ours, theirs } = fork;
  const blocks = [ours, theirs].flatMap((side) => (side ? [`block ${side.blockHash}`] : []));
  const says = `${reason}: ${blocks.join(' and ')}; headers and certificates at ${origin}/v1/fork-evidence`;
  return [conflict('FORK', height, [[origin, says]])];
}

function networkOf({ chainId, network }: TrustReport): string {
  const { genesisHash, genesisTime } = network;
  return canonicalize({ chainId, genesisHash, genesisTime });
}

/** Compares two blocks at one height, since equal blocks have equal histories below. */
async function compareHistories(
  lower: Answered,
  higher: Answered,
  timeout: number,
): Promise<TrustConflict | TrustComparison['uncompared'][number] | null> {
  const { height } = lower.report;
  const low = lower.report.snapshot;
  let high: Location | undefined = higher.report.comparison.recentBlocks.find(
    (block) => block.height === height,
  );
  try {
    high ??= await blockAt(higher.origin, height, timeout);
  } catch (error) {
    return { origins: [lower.origin, higher.origin], height, reason: reasonOf(error) };
  }
  const says = ({ blockHash: hash, stateRoot }: Location): string =>
    `block ${hash}, state ${stateRoot}`;
  if (low.blockHash !== high.blockHash || low.stateRoot !== high.stateRoot) {
    return conflict('HISTORY', height, [
      [lower.origin, says(low)],
      [higher.origin, says(high)],
    ]);
  }
  const hashes = [lower.report.reportHash, higher.report.reportHash] as const;
  const isKnown = [lower, higher].some((answer) => forkIn(answer).length > 0);
  if (higher.report.height === height && hashes[0] !== hashes[1] && !isKnown) {
    return conflict('REPORT', height, [
      [lower.origin, `report ${hashes[0]}`],
      [higher.origin, `report ${hashes[1]}`],
    ]);
  }
  return null;
}

async function blockAt(origin: string, height: number, timeout: number): Promise<Location> {
  const path = buildPath('/v1/blocks/{height}', { height });
  const { header } = JSON.parse(
    await requestText(origin + path, { timeout }),
  ) as DocumentOf<'/v1/blocks/{height}'>;
  if (header.height !== height) throw new Error(`it shows another block at height ${height}`);
  return { blockHash: blockHash(header), stateRoot: header.stateRoot };
}

const MEANINGS = {
  SELF: 'The report contradicts itself: do not rely on this origin.',
  NETWORK: 'These origins serve different networks.',
  HISTORY:
    'Two blocks stand at one height: at least one of these origins tells a history that is not the network’s. Fetch both blocks: two valid certificates prove that the validators certified both.',
  FORK: 'This origin keeps two blocks of one height that the validators have certified, and has halted: check both certificates, and rely on neither history before you know which is the network’s.',
  REPORT:
    'One block, two reports: at least one of these origins does not derive its report from the state, or runs another version.',
} as const;

function conflict(
  kind: TrustConflict['kind'],
  height: number | null,
  claims: [origin: string, says: string][],
): TrustConflict {
  const evidence = claims.map(([origin, says]) => ({ origin, says }));
  return { kind, meaning: MEANINGS[kind], height, evidence };
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
