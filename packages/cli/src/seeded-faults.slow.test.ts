/**
 * Four validators under seeded faults, three kinds in a build, and all for half an hour in the campaign: kills, pauses,
 * partitions, slow links, and kills of a remote signer, one after another and two at once, while payments run.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Store } from '@netd/engine';
import { verifyDatabase } from '@netd/node/verify';
import { plays } from '@netd/protocol/testing';
import { LostAnswerError, NetError } from '@netd/sdk';
import { freePort } from '@netd/testkit/free-port';
import { Random } from '@netd/testkit/simulation';
import { validateChain } from '@netd/testkit/validate-chain';
import { FourValidators } from './testing/four-validators.ts';
import { MovedSigner, signerProgram } from './testing/remote-signer.ts';

/** NET_FAULT_SEED replays the choices of a run; every run prints its seed. */
const seed = Number(process.env['NET_FAULT_SEED'] ?? Date.now() % 2 ** 31);
const MINUTES = plays(0, 30);
type Kind = 'kill' | 'engine' | 'pause' | 'cut' | 'halves' | 'slow' | 'signer';
const KINDS = plays<readonly Kind[]>(
  ['kill', 'halves', 'signer'],
  ['kill', 'engine', 'pause', 'cut', 'halves', 'slow', 'signer'],
);
const ALL = [0, 1, 2, 3];
const SIGNS_ELSEWHERE = 3;
const SHORT = ['--propose-timeout', '400', '--vote-timeout', '50'];
const LONGEST_SECONDS = plays(3, 8);
/** Longer than the health reports a signer that is connected again. */
const TENDING_SECONDS = 20;
const PAUSE_MILLISECONDS = 100;

class Faults {
  readonly counts = new Map<string, number>();
  isOver = false;
  /** The kinds that are due before one is due again. */
  private due: Kind[] = [];
  private isSignerStopped = false;
  private readonly it: FourValidators;
  private readonly signer: MovedSigner;
  private readonly random: Random;

  constructor(it: FourValidators, signer: MovedSigner, random: Random) {
    this.it = it;
    this.signer = signer;
    this.random = random;
  }

  /** One fault, or two at once. Everything runs again when it resolves. */
  async strike(): Promise<void> {
    const { random } = this;
    const first = random.below(4);
    const second = (first + 1 + random.below(3)) % 4;
    await Promise.all([this.fault(first), ...(random.chance(0.3) ? [this.fault(second)] : [])]);
  }

  private async fault(index: number): Promise<void> {
    const { it, random } = this;
    const { wires } = it.nodes;
    assert.ok(wires);
    if (this.due.length === 0) this.due = [...KINDS];
    const kind = random.pick(this.due);
    this.due = this.due.filter((each) => each !== kind);
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    const seconds = 1 + random.below(LONGEST_SECONDS);
    const { command } = it.at(index);
    const engine = it.nodes.engineOf(it.at(index));
    if (kind === 'kill') {
      command.child.kill('SIGKILL');
      await command.ended;
      await sleep(seconds);
      const hasSigner = index === SIGNS_ELSEWHERE;
      const node = it.up(index, [...SHORT, ...(hasSigner ? this.signer.flags : [])]);
      const signing = hasSigner && !this.isSignerStopped ? this.signer.sign(node) : null;
      await Promise.all([node, signing]);
    } else if (kind === 'engine') {
      if (engine) signal(engine, 'SIGKILL');
    } else if (kind === 'pause') {
      const { pid } = command.child;
      const both = [pid, engine].filter((each) => typeof each === 'number');
      for (const each of both) signal(each, 'SIGSTOP');
      await sleep(seconds);
      for (const each of both) signal(each, 'SIGCONT');
    } else if (kind === 'signer') {
      this.isSignerStopped = true;
      this.signer.stop();
      await sleep(seconds);
      this.isSignerStopped = false;
    } else {
      const nodes = kind === 'halves' ? [index, (index + 1) % 4] : [index];
      if (kind === 'slow') wires.slow(nodes, 20 + random.below(130));
      else wires.isolate(nodes);
      await sleep(seconds);
      wires.mend();
    }
    if (kind === 'signer') await this.signer.sign();
  }

  /** CometBFT's signer stays idle after it has lost its node. Its operator reads the health and restarts it. */
  async tendSigner(): Promise<void> {
    while (!this.isOver) {
      await sleep(1);
      const { faults } = await this.it
        .at(SIGNS_ELSEWHERE)
        .client.read('/health')
        .catch(() => ({ faults: [] }));
      if (!this.isSignerStopped && /remote signer is not connected/.test(faults.join())) {
        await this.signer.sign();
        this.counts.set('restart', (this.counts.get('restart') ?? 0) + 1);
        await sleep(TENDING_SECONDS);
      }
    }
  }
}

const sleep = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function begin(t: TestContext): Promise<{ it: FourValidators; signer: MovedSigner } | null> {
  const it = await FourValidators.begin(t, {
    wired: true,
    // A jailed validator would need its owner.
    genesis: (genesis) => {
      const { validatorSet } = genesis.policy;
      assert.ok(validatorSet?.downtime);
      const downtime = { ...validatorSet.downtime, window: 1_000_000, missed: 1_000_000 };
      return {
        ...genesis,
        policy: { ...genesis.policy, validatorSet: { ...validatorSet, downtime } },
      };
    },
  });
  if (!it) return null;
  const program = await signerProgram(t, it.nodes.home);
  if (program === null) return null;
  for (const index of ALL) await it.down(index);
  const signer = MovedSigner.move(program, {
    dataDir: it.place(SIGNS_ELSEWHERE).dataDir,
    vault: join(it.nodes.home, 'vault'),
    chainId: it.nodes.testnet.chainId,
    port: await freePort(),
  });
  t.after(() => signer.stop());
  const node = it.up(SIGNS_ELSEWHERE, [...SHORT, ...signer.flags, '--only-here']);
  await Promise.all([...[0, 1, 2].map((index) => it.up(index, SHORT)), node, signer.sign(node)]);
  return { it, signer };
}

test('four validators survive faults of every kind', { timeout: 3_300_000 }, async (t) => {
  t.diagnostic(`NET_FAULT_SEED=${seed}`);
  console.log(`NET_FAULT_SEED=${seed}`);
  const begun = await begin(t);
  if (!begun) return;
  const { it, signer } = begun;
  const faults = new Faults(it, signer, Random.named(seed, 'faults'));
  const payers = Random.named(seed, 'payers');
  const end = performance.now() + MINUTES * 60_000;
  let [acknowledged, refused, strikes] = [0, 0, 0];
  const over = new AbortController();

  const pay = async (): Promise<void> => {
    while (!over.signal.aborted) {
      try {
        await it.payOnce(payers.below(4));
        acknowledged += 1;
      } catch (error) {
        // The validator may be down, or have no quorum. Then the payment was not acknowledged.
        if (!(error instanceof NetError || error instanceof LostAnswerError)) throw error;
        refused += 1;
      }
      // Without it, the payers alone took a third of the CPU time.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
    }
  };
  const paying = Promise.all([pay(), pay(), pay(), pay()]);
  paying.catch(() => {});
  const tending = faults.tendSigner();
  tending.catch(() => {});
  let last = 0;
  try {
    while (performance.now() < end || KINDS.some((kind) => !faults.counts.has(kind))) {
      await faults.strike();
      strikes += 1;
      // Everything recovers by itself, except the signer.
      await it.pay(payers.below(4));
      if (strikes % 5 === 0) await it.agree();
    }
    over.abort();
    await paying;
    await it.pay(SIGNS_ELSEWHERE);
    last = await it.agree();
  } finally {
    over.abort();
    faults.isOver = true;
  }
  await tending;
  for (const index of ALL) await it.holdsWhatWasAnswered(index);
  const { events } = await it.at(0).client.read('/v1/events', { type: 'ValidatorDoubleSigned' });
  assert.deepEqual(events, []);
  const { genesisHash } = await it.at(0).client.network();
  for (const index of ALL) await it.down(index);
  for (const index of ALL) {
    const path = join(it.place(index).dataDir, 'chain');
    const report = await verifyDatabase(path, { genesisHash });
    assert.equal(report.fault, null);
    assert.ok(report.height >= last - 1);
    const store = Store.open(path);
    assert.deepEqual(validateChain(store), []);
    await store.close();
  }
  const kinds = [...faults.counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
  t.diagnostic(
    `${strikes} strikes (${kinds}), ${last} blocks, ${acknowledged} payments acknowledged, ${refused} not`,
  );
});
