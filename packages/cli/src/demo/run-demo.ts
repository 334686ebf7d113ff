import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { readKeyFile } from '@netd/node/keys';
import { genesisHash, type Genesis } from '@netd/protocol';
import { LostAnswerError, AgentKey, NetClient, type Actor, type NetworkStatus } from '@netd/sdk';
import { CommandError, isConnectionError } from '../command-error.ts';
import { controlTokenOf } from '../control-token.ts';
import { START_LINE } from '../installed.ts';
import { reachNode } from '../reach-node.ts';
import { DemoBlobs, type BlobStore } from './blobs.ts';
import { assemble, newPlayer } from './cast.ts';
import { arrivals, fund, newcomer, renewBeacons } from './scenes/arrivals.ts';
import { audit } from './scenes/audit.ts';
import { contribution } from './scenes/contribution.ts';
import { memory } from './scenes/memory.ts';
import { messages } from './scenes/messages.ts';
import { release } from './scenes/release.ts';
import { roles } from './scenes/roles.ts';
import { planOf } from './scenes/rounds.ts';
import { safety } from './scenes/safety.ts';
import { finishLeftovers } from './scenes/leftovers.ts';
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

const PAUSE_BETWEEN_ROUNDS_MILLISECONDS = 3_000;
/** Rounds between new beacons of the whole cast, far fewer than a beacon outlasts. */
const RENEWAL_ROUNDS = 5;

/**
 * Plays all scenes once, then with `loop` rounds of work until the signal.
 * @throws CommandError, NetError with a sentence for the user; the signal's reason once it is aborted
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const facts = readFacts(options);
  const controlToken = controlTokenOf(facts);
  const client = new NetClient({
    url: options.url ?? facts.url,
    ...(controlToken === undefined ? {} : { controlToken }),
  });
  try {
    await playAll(options, facts, client);
  } catch (error) {
    if (!isConnectionError(error) && !(error instanceof LostAnswerError)) throw error;
    throw new CommandError(`the node at ${client.url} has stopped answering; the demo ends here`);
  }
}

async function playAll(options: DemoOptions, facts: DevFacts, client: NetClient): Promise<void> {
  const { dataDir, print, signal } = options;
  const network = await reachNode(client);
  requireSameChain(facts, network, client.url);
  const operator = await operatorOf(facts);
  const cast = await assemble(join(dataDir, 'demo'), network);
  const links = new Map<string, string>();
  const stage: Stage = {
    client,
    cast,
    blobs: new DemoBlobs(facts.blobs ?? []),
    chainId: network.chainId,
    laboratory: network.laboratory,
    operator,
    runId: newRunId(),
    say: (line) => print(`     ${line}`),
    show: (what, path) => void links.set(what, path),
    signal,
  };
  let count = 0;
  const play = async <Result>(title: string, scene: () => Promise<Result>): Promise<Result> => {
    print(`\n${String(++count).padStart(3)}  ${styleText('bold', title)}`);
    return scene();
  };

  print(
    `\n  ${network.chainId} at ${client.url}, from height ${network.height}. Run ${stage.runId}.`,
  );
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

  for (let turn = 1; options.loop === true; turn++) {
    await pause(stage, PAUSE_BETWEEN_ROUNDS_MILLISECONDS);
    const plan = planOf(turn);
    // The summary is printed, so a link would only be kept for ever.
    const again: Stage = { ...stage, runId: newRunId(), show: () => {} };
    if (turn % RENEWAL_ROUNDS === 0) await renewBeacons(again);
    await fund(again, cast.requester);
    if (plan.isNewcomer) {
      const player = await newPlayer(turn, again.runId);
      await play('Arrival', () => newcomer(again, player));
      again.cast = {
        ...cast,
        workers: [...cast.workers, player],
        all: [...cast.all, player],
      };
    }
    const next = await play('Work', () => work(again, plan));
    await play('Messages', () => messages(again, next, plan));
    await play('Payment', () => settlement(again, next));
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
