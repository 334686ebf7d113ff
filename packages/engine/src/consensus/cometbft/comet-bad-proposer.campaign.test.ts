/**
 * A dishonest proposer beside three honest validators, each with a real CometBFT. It costs rounds.
 * It halts only itself, and only if its own ledger lies to its CometBFT. Decision 119.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Submission } from '@netd/ledger';
import { cometbftAddress } from '@netd/protocol';
import { testKey } from '@netd/protocol/testing';
import { validateChain } from '@netd/testkit/validate-chain';
import { BATCH_LIMITS } from '../consensus.ts';
import type { AbciApplication } from './abci-server.ts';
import type { CometLedger } from './comet-ledger.ts';
import { CometbftRpc, type SignedHeader } from './cometbft-rpc.ts';
import { CometNetwork, type CometValidator } from './testing/comet-network.ts';
import { cometbftHere } from './testing/cometbft-here.ts';
import { ResponseProcessProposal_ProposalStatus as Proposal } from './wire/abci_pb.js';

const LIAR = 1;
/** Heights at which the proposer cheats in each way. */
const TURNS = 2;
const MOST_PAYMENTS = 100;
/** Longer than the others wait for a proposal. */
const LATE_MILLISECONDS = 4_000;

type Way = (honest: Uint8Array[]) => Uint8Array[] | Promise<Uint8Array[]>;

class BadProposer {
  way: Way | null = null;
  /** CometBFT heights at which it should propose, since the current way began. */
  proposed = new Set<bigint>();
  /** Returns true if its ledger lies to its own CometBFT about the app hash of that height. */
  liesToItself: ((engineHeight: number) => boolean) | null = null;

  readonly between = (ledger: CometLedger): AbciApplication => ({
    info: () => ledger.info(),
    initChain: (request) => ledger.initChain(request),
    checkTx: (request) => ledger.checkTx(request),
    prepareProposal: async (request) => {
      const { txs } = ledger.prepareProposal(request);
      if (!this.way) return { txs };
      this.proposed.add(request.height);
      return { txs: await this.way(txs) };
    },
    processProposal: (request) =>
      this.way ? { status: Proposal.ACCEPT } : ledger.processProposal(request),
    finalizeBlock: async (request) => {
      const answer = await ledger.finalizeBlock(request);
      if (this.liesToItself?.(Number(request.height)) !== true) return answer;
      this.proposed.add(request.height + 1n);
      return { ...answer, appHash: Buffer.alloc(32, 0xee) };
    },
    commit: () => ledger.commit(),
  });
}

const bytesOf = ({ encoded }: Submission): Buffer => Buffer.from(encoded.text);

const rootsAt = (validator: CometValidator, height: number): string =>
  validator.read((snapshot) => {
    const block = snapshot.blockAt(height);
    return `${block?.certificate.blockHash} ${block?.header.stateRoot}`;
  });

test('a proposer that sends what no honest one would', async (t) => {
  const binary = await cometbftHere(t);
  if (binary === null) return;
  const liar = new BadProposer();
  const it = await CometNetwork.start(t, binary, 4, {
    worlds: [undefined, { between: liar.between }],
  });
  const honest = [0, 2, 3].map((index) => it.at(index));
  const [one, two, three] = honest as [CometValidator, CometValidator, CometValidator];
  const all = [...honest, it.at(LIAR)];
  const agree = async (validators: readonly CometValidator[], height: number): Promise<void> => {
    await Promise.all(validators.map((validator) => validator.reached(height)));
    const seen = new Set(validators.map((validator) => rootsAt(validator, height)));
    assert.equal(seen.size, 1, [...seen].join('\n'));
  };
  const rpc = new CometbftRpc(join(it.socketsOf(0), 'rpc'));
  const headerAt = async (height: bigint): Promise<SignedHeader> => {
    for (;;) {
      const header = await rpc.signedHeader(Number(height)).catch(() => null);
      if (header) return header;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const addresses = [0, 1, 2, 3].map((index) =>
    cometbftAddress(testKey(`validator-${index + 1}`).raw),
  );
  const liarAddress = addresses[LIAR] ?? '';
  const joined = await one.insist(it.registration('ada'));
  await agree(all, joined.height);

  const many = Array.from({ length: BATCH_LIMITS.count + 1 }, (_, index) =>
    bytesOf(it.registration(`many-${index}`)),
  );
  const forged = bytesOf(it.gift('ada', 1));
  forged.write('AAAA', forged.indexOf('"signature":"') + '"signature":"'.length);
  const ways: Record<string, { way: Way; isTaken?: boolean; turns?: number }> = {
    garbage: { way: (txs) => [...txs, Buffer.alloc(1_000, 0xff)] },
    'an envelope that is not canonical': {
      way: (txs) => [...txs, Buffer.concat([Buffer.from(' '), bytesOf(it.gift('ada', 1))])],
    },
    'an envelope twice': {
      way: () => {
        const twice = bytesOf(it.gift('ada', 1));
        return [twice, twice];
      },
    },
    'more than a block takes': { way: () => many },
    // Its own CometBFT ends at that, and may do so at this height until it does otherwise.
    'more bytes than CometBFT takes': { way: () => [Buffer.alloc(6_000_000, 0x20)], turns: 1 },
    'too late': {
      way: async (txs) => {
        await new Promise((resolve) => setTimeout(resolve, LATE_MILLISECONDS));
        return txs;
      },
    },
    'a signature that is none': { way: () => [forged], isTaken: true },
    'what is refused': {
      way: () => [bytesOf(it.gift('nobody-here', 1))],
      isTaken: true,
    },
    'nothing, whatever waits': { way: () => [], isTaken: true },
  };
  for (const [name, { way, isTaken = false, turns = TURNS }] of Object.entries(ways)) {
    await t.test(name, async () => {
      liar.proposed = new Set();
      liar.way = way;
      const began = performance.now();
      let paid = 0;
      let last = joined;
      for (; liar.proposed.size < turns; paid++) {
        assert.ok(paid < MOST_PAYMENTS, 'it was never to propose');
        last = await one.insist(it.gift('ada', 1));
      }
      liar.way = null;
      const seconds = (performance.now() - began) / 1_000;
      const rounds: number[] = [];
      for (const height of liar.proposed) {
        const { commit } = await headerAt(height);
        rounds.push(commit.round);
        if (!isTaken) assert.notEqual(commit.header.proposerAddress, liarAddress);
      }
      if (!isTaken) assert.ok(rounds.every((round) => round > 0));
      await agree(all, last.height);
      assert.deepEqual(
        all.map(({ halts }) => halts),
        [[], [], [], []],
      );
      t.diagnostic(
        `${name}: ${paid} payments in ${seconds.toFixed(1)} s; its ${rounds.length} proposals were ${isTaken ? 'taken' : 'left'}, decided in round ${rounds.join()}; ends of its CometBFT ${it.at(LIAR).engineEnds.length}`,
      );
    });
  }

  await t.test('a false app hash, that of its own ledger', async () => {
    const turn = addresses.toSorted().indexOf(liarAddress);
    liar.proposed = new Set();
    // Those of one power take turns, in the order of their addresses: it lies when the next one is its own.
    liar.liesToItself = (height) => height % addresses.length === turn;
    const wrong = it.at(LIAR);
    let last = await one.insist(it.gift('ada', 1));
    while (wrong.halts.length === 0) last = await two.insist(it.gift('ada', 1));
    const [lied = 0n] = liar.proposed;
    const { commit } = await headerAt(lied);
    assert.notEqual(commit.header.proposerAddress, liarAddress);
    assert.ok(commit.round > 0, 'its proposal was not taken');
    assert.match(wrong.halts.join(), /have certified something else/);
    last = await three.insist(it.gift('ada', 1));
    await agree(honest, last.height);
    t.diagnostic(`halted: ${wrong.halts.join()}`);
    // Our certified database contains nothing of the lie; its CometBFT keeps it.
    liar.liesToItself = null;
    await it.down(LIAR);
    const again = await it.up(LIAR);
    while (again.halts.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.match(again.halts.join(), /begin anew/);
    await it.down(LIAR);
    it.forget(LIAR);
    const anew = await it.up(LIAR);
    await anew.reached(last.height);
    last = await anew.insist(it.gift('ada', 1));
    await agree([...honest, anew], last.height);
    assert.deepEqual(anew.halts, []);
  });

  for (const validator of honest) {
    assert.deepEqual(validator.halts, []);
    assert.deepEqual(validateChain(validator.store), []);
  }
});
