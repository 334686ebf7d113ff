import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import { readKeyFile } from '@netd/node/keys';
import { genesisHash, type Genesis } from '@netd/protocol';
import {
  AgentError,
  AgentKey,
  LostAnswerError,
  NetClient,
  type Actor,
  type NetworkStatus,
} from '@netd/sdk';
import { takeStateLock } from '@netd/sdk/internal/state-lock';
import { CommandError, isConnectionError, sentenceOf, UnreachableError } from '../command-error.ts';
import { controlTokenOf } from '../control-token.ts';
import { START_LINE } from '../installed.ts';
import { reachNode } from '../reach-node.ts';
import { DemoBlobs, type BlobStore } from './blobs.ts';
import { assemble, newPlayer } from './cast.ts';
import { arrivals, BEACON_LIFETIME, fund, newcomer, renewBeacons } from './scenes/arrivals.ts';
import { audit } from './scenes/audit.ts';
import { contribution } from './scenes/contribution.ts';
import { memory } from './scenes/memory.ts';
import { messages } from './scenes/messages.ts';
import { release } from './scenes/release.ts';
import { restVerifiers, roles, wakeVerifiers } from './scenes/roles.ts';
import { planOf, type RoundPlan } from './scenes/rounds.ts';
import { safety } from './scenes/safety.ts';
import { closeOrders, finishLeftovers } from './scenes/leftovers.ts';
import { settlement } from './scenes/settlement.ts';
import { stake } from './scenes/stake.ts';
import { tokens } from './scenes/tokens.ts';
import { vote } from './scenes/vote.ts';
import { work, type Round } from './scenes/work.ts';
import { pause, type Stage } from './stage.ts';

export interface DemoOptions {
  dataDir: string;
  url?: string;
  loop?: boolean;
  signal: AbortSignal;
  print: (text: string) => void;
}

type Scene = readonly [title: string, scene: (stage: Stage, round: Round) => Promise<void>];

const INTERLUDES: readonly Scene[] = [
  ['Messages', messages],
  ['Memory', memory],
  ['Tokens', tokens],
  ['Stake', stake],
  ['Contribution', contribution],
];

const GOVERNANCE: readonly Scene[] = [
  ['Vote', vote],
  ['Safety', safety],
  ['Release', release],
];

const CHAIN_REPLACED = 'CHAIN_REPLACED';

const PAUSE_BETWEEN_ROUNDS_MILLISECONDS = 3_000;
/** Blocks between new beacons of the whole cast: a quarter of their life, so that none expires in a long round. */
const RENEWAL_BLOCKS = BEACON_LIFETIME / 4;

/** Failures in a row after which a loop ends. */
const MOST_FAILURES = 3;
const LOOK_MILLISECONDS = 2_000;
/** A minute, in which a node starts again. */
const LOOKS = 30;
/** Limits the end after Ctrl-C if the node does not answer. */
const CLOSING_MILLISECONDS = 5_000;

/**
 * Plays all scenes once, then with `loop` rounds of work until the signal. A loop goes on after a failure,
 * up to MOST_FAILURES in a row.
 * @throws CommandError, NetError with a sentence for the user; the signal's reason once it is aborted
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { loop = false, signal, print } = options;
  const home = join(options.dataDir, 'demo');
  let connection = await connect(options);
  const operator = await operatorOf(connection.facts);
  const cast = await assemble(home, connection.network);
  const unlock = await lockCast(home);
  const stageOf = ({ client, facts, network }: Connection): Stage => ({
    client,
    cast,
    blobs: new DemoBlobs(facts.blobs ?? []),
    chainId: network.chainId,
    laboratory: network.laboratory,
    operator,
    runId: newRunId(),
    say: (line) => print(`     ${line}`),
    show: () => {},
    signal,
  });
  let stage = stageOf(connection);
  let count = 0;
  const play: Play = (title, scene) => {
    print(`\n${String(++count).padStart(3)}  ${styleText('bold', title)}`);
    return scene();
  };
  const closing = (): Stage => ({ ...stage, signal: AbortSignal.timeout(CLOSING_MILLISECONDS) });
  let failures = 0;
  let renewedAt = connection.network.height;
  try {
    for (let turn = 0; ;) {
      try {
        if (turn === 0) await playAll(stage, connection, { play, print });
        else {
          await pause(stage, PAUSE_BETWEEN_ROUNDS_MILLISECONDS);
          const plan = planOf(turn);
          stage = { ...stage, cast, runId: newRunId() };
          const { height } = await stage.client.network();
          if (failures > 0) await finishLeftovers(stage);
          if (failures > 0 || height >= renewedAt + RENEWAL_BLOCKS) {
            await renewBeacons(stage);
            renewedAt = height;
          }
          await fund(stage, cast.requester);
          if (plan.newcomer) {
            const player = await newPlayer(plan.newcomer, stage.runId);
            await play('Arrival', () => newcomer(stage, player));
            const workers = [...cast.workers, player];
            stage = { ...stage, cast: { ...cast, workers, all: [...cast.all, player] } };
          }
          await playRound(stage, plan, play);
        }
        if (!loop) return;
        turn++;
        failures = 0;
      } catch (error) {
        signal.throwIfAborted();
        const sentence = reasonOf(error, connection);
        if (sentence === null) throw error;
        if (!loop)
          throw isLost(error) ? new UnreachableError(`${sentence}; the demo ends here`) : error;
        if (++failures > MOST_FAILURES) throw error;
        print(`\n  This round failed (${failures} of ${MOST_FAILURES} in a row): ${sentence}.`);
        connection = await connectAgain(options, connection);
        print(
          `  The loop goes on at ${connection.client.url}, height ${connection.network.height}.`,
        );
        stage = stageOf(connection);
      }
    }
  } catch (error) {
    if (signal.aborted) print(await closeOrders(closing()));
    throw error;
  } finally {
    try {
      const failure = await restVerifiers(closing());
      if (failure !== '') print(failure);
    } finally {
      await unlock();
    }
  }
}

type Play = <Result>(title: string, scene: () => Promise<Result>) => Promise<Result>;

async function playAll(
  acted: Stage,
  { client, network }: Connection,
  { play, print }: { play: Play; print: (text: string) => void },
): Promise<void> {
  const links = new Map<string, string>();
  const stage: Stage = { ...acted, show: (what, path) => void links.set(what, path) };
  print(
    `\n  ${network.chainId} at ${client.url}, from height ${network.height}. Run ${stage.runId}.`,
  );
  await wakeVerifiers(stage);
  await play('Arrivals', () => arrivals(stage));
  await play('Roles', () => roles(stage));
  const round = await play('Work', async () => {
    await finishLeftovers(stage);
    return work(stage);
  });
  for (const [title, scene] of INTERLUDES) await play(title, () => scene(stage, round));
  await play('Payment', () => settlement(stage, round));
  for (const [title, scene] of GOVERNANCE) await play(title, () => scene(stage, round));
  await play('Audit', () => audit(stage, round));
  print(summary(await client.network(), network, links, client.url));
}

async function playRound(stage: Stage, plan: RoundPlan, play: Play): Promise<void> {
  const round = await play('Work', () => work(stage, plan));
  await play('Messages', () => messages(stage, round, plan));
  await play('Payment', () => settlement(stage, round));
}

const isLost = (error: unknown): boolean =>
  isConnectionError(error) || error instanceof LostAnswerError;

/** Returns the sentence of a failure that another try may mend; null for a defect. */
function reasonOf(error: unknown, { client }: Connection): string | null {
  return isLost(error) ? `the node at ${client.url} has stopped answering` : sentenceOf(error);
}

async function lockCast(directory: string): Promise<() => Promise<void>> {
  try {
    return await takeStateLock(directory);
  } catch (error) {
    if (!(error instanceof AgentError) || error.code !== 'AGENT_RUNNING') throw error;
    throw new CommandError(
      `another demo is playing with the cast in ${directory}; stop it first, or wait for its end`,
      'DEMO_RUNNING',
    );
  }
}

interface Connection {
  client: NetClient;
  facts: DevFacts;
  network: NetworkStatus;
}

async function connect(options: DemoOptions): Promise<Connection> {
  const facts = readFacts(options);
  const controlToken = controlTokenOf(facts);
  const client = new NetClient({
    url: options.url ?? facts.url,
    ...(controlToken === undefined ? {} : { controlToken }),
  });
  const network = await reachNode(client);
  requireSameChain(facts, network, client.url);
  return { client, facts, network };
}

/** Waits for a node that starts again, which may have another port. */
async function connectAgain(options: DemoOptions, before: Connection): Promise<Connection> {
  for (let look = 1; ; look++) {
    try {
      const connection = await connect(options);
      // A node that starts lists its stores a moment later.
      const hasStores = (connection.facts.blobs ?? []).length >= (before.facts.blobs ?? []).length;
      if (hasStores || look === LOOKS) return connection;
    } catch (error) {
      const isOther = error instanceof CommandError && error.code === CHAIN_REPLACED;
      if (isOther || sentenceOf(error) === null || look === LOOKS) throw error;
    }
    await sleep(LOOK_MILLISECONDS, undefined, { signal: options.signal });
  }
}

interface DevFacts {
  controlPath?: string | null;
  url: string;
  chainId: string;
  genesisPath: string;
  operatorActorId: string;
  operatorKeyPath: string;
  /** Absent in files of older versions. */
  blobs?: BlobStore[];
}

function readFacts({ dataDir, url }: DemoOptions): DevFacts {
  const path = join(dataDir, 'dev.json');
  let facts: Partial<DevFacts> & { schema?: string };
  try {
    facts = JSON.parse(readFileSync(path, 'utf8')) as Partial<DevFacts>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new CommandError(`${path} cannot be read; start the node again, which writes it again`);
    }
    throw new CommandError(
      url === undefined
        ? `there is no ${path}: start the node with ${START_LINE}, or name its data directory with --data-dir`
        : `there is no ${path}: the demo needs the operator's key of the node at ${url}, so run it on the machine of that node and name its data directory with --data-dir`,
    );
  }
  if (facts.schema !== 'NET-DEV/1') {
    throw new CommandError(`${path} is not what netd dev writes; name another --data-dir`);
  }
  return facts as DevFacts;
}

/** Fails early if the node serves another chain, which would refuse every approval of this operator. */
function requireSameChain(facts: DevFacts, network: NetworkStatus, url: string): void {
  let genesis: Genesis;
  try {
    genesis = JSON.parse(readFileSync(facts.genesisPath, 'utf8')) as Genesis;
  } catch {
    throw new CommandError(`${facts.genesisPath} cannot be read; is --data-dir that of the node?`);
  }
  if (genesisHash(genesis) === network.genesisHash) return;
  throw new CommandError(
    `the node at ${url} serves another chain (${network.chainId}) than the data directory holds (${facts.chainId}); name the node's own --data-dir`,
    CHAIN_REPLACED,
  );
}

async function operatorOf({ operatorActorId, operatorKeyPath }: DevFacts): Promise<Actor> {
  try {
    const key = await AgentKey.fromPem(readKeyFile(operatorKeyPath));
    return { actorId: operatorActorId, key };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      `the demo needs the operator's key, to approve and to decide, and ${operatorKeyPath} cannot be used: ${reason}`,
    );
  }
}

function newRunId(): string {
  return randomBytes(3).toString('hex');
}

function summary(
  now: NetworkStatus,
  before: NetworkStatus,
  links: ReadonlyMap<string, string>,
  url: string,
): string {
  const width = Math.max(...[...links.keys()].map((what) => what.length));
  return [
    `\n  ${now.height - before.height} blocks later, at height ${now.height}. See for yourself:\n`,
    ...[...links].map(([what, path]) => `     ${what.padEnd(width)}  ${url}${path}`),
    `\n  Or replay it all: npx netd verify --url ${url}\n`,
  ].join('\n');
}
