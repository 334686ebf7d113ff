/** Compares messages, memory and tokens with small models. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { stateRoot, type JsonObject } from '@netd/protocol';
import { checkpointOf, hashOf, runs } from '@netd/protocol/testing';
import type { TokenHolderRecord } from './actions/tokens/records.ts';
import { verdictOf } from './testing/expectations.ts';
import { MemoryLedger } from './testing/memory-ledger.ts';
import { standardChain } from './testing/refusals/case.ts';
import { acknowledgementOf, messageOf } from './testing/refusals/messages.ts';
import { tokenOf, withTokens } from './testing/refusals/tokens.ts';
import type { TestChain } from './testing/test-chain.ts';

const AGENTS = ['alice', 'bob', 'carol'] as const;
const agent = fc.constantFrom(...AGENTS);
const RUNS = { numRuns: runs(60), verbose: true } as const;

/** Replays the recorded blocks. */
function assertReplays({ ledger }: TestChain): void {
  const replay = new MemoryLedger(ledger.genesis);
  for (const { context, submissions, stateRoot: root } of ledger.blocks) {
    replay.advance(context.height - replay.tip.height - 1, 0);
    replay.execute(submissions, context);
    assert.equal(replay.tip.stateRoot, root);
  }
  assert.equal(stateRoot(replay.pairs()), ledger.tip.stateRoot);
}

test('a message is accepted exactly if its sequence is the next, and answered once, in time', () => {
  const step = fc.record({
    from: agent,
    to: agent,
    conversation: fc.constantFrom('c-1', 'c-2'),
    skew: fc.constantFrom(0, 0, 0, 1, -1),
    lifetime: fc.integer({ min: 1, max: 6 }),
    idle: fc.nat(3),
    answer: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const chain = standardChain();
      const sequences = new Map<string, number>();
      const pending = new Map<string, { from: string; to: string; until: number }>();
      for (const [i, { from, to, conversation, skew, lifetime, idle, answer }] of steps.entries()) {
        if (idle > 0) chain.ledger.advance(idle);
        const key = `${conversation} ${from}`;
        const next = (sequences.get(key) ?? 0) + 1;
        const message = messageOf(chain, from, to, {
          messageId: `m-${i}`,
          conversationId: conversation,
          sequence: Math.max(1, next + skew),
          expiresAtHeight: chain.height + lifetime,
        });
        const fits = from !== to && message['sequence'] === next;
        const outcome = chain.act(from, 'sendAgentMessage', message);
        assert.equal(outcome.ok, fits, verdictOf(outcome));
        if (fits) {
          sequences.set(key, next);
          pending.set(`m-${i}`, { from, to, until: message['expiresAtHeight'] as number });
        }
        const [oldest] = pending;
        if (answer && oldest) {
          const [messageId, { to: recipient, until }] = oldest;
          const payload = acknowledgementOf(recipient, messageId);
          const verdict = verdictOf(chain.act(recipient, 'acknowledgeAgentMessage', payload));
          assert.equal(verdict, until >= chain.height ? 'accepted' : 'MESSAGE_EXPIRED');
          pending.delete(messageId);
        }
      }
      chain.does('alice', 'faucet', { amount: 1 });
      for (const name of AGENTS) {
        const live = [...pending.values()].filter(
          ({ from, until }) => from === name && until >= chain.height,
        );
        assert.equal(chain.record('live-messages', name) ?? 0, live.length, name);
      }
      assertReplays(chain);
    }),
    RUNS,
  );
});

test('holdings sum to the supply over any mints, transfers and burns', () => {
  const step = fc.record({
    action: fc.constantFrom('mintToken', 'transferToken', 'burnToken'),
    actor: agent,
    to: agent,
    amount: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(Number.MAX_SAFE_INTEGER)),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.array(step, { maxLength: 25 }),
      (cap, steps) => {
        const chain = withTokens(standardChain());
        const token = tokenOf({ supplyCap: cap, initialSupply: cap >> 1 });
        chain.does('alice', 'createToken', token);
        const held = new Map<string, number>([['alice', cap >> 1]]);
        const of = (name: string): number => held.get(name) ?? 0;
        for (const { action, actor, to, amount } of steps) {
          const supply = [...held.values()].reduce((sum, part) => sum + part, 0);
          const fits =
            action === 'mintToken'
              ? actor === 'alice' && amount <= cap - supply
              : amount <= of(actor) && (action === 'burnToken' || actor !== to);
          const payload: JsonObject = {
            tokenId: 'tok-gold',
            amount,
            ...(action === 'burnToken' ? {} : { to }),
          };
          const outcome = chain.act(actor, action, payload);
          assert.equal(outcome.ok, fits, `${action} ${verdictOf(outcome)}`);
          if (!fits) continue;
          if (action !== 'mintToken') held.set(actor, of(actor) - amount);
          if (action !== 'burnToken') held.set(to, of(to) + amount);
        }
        const holders = [...held].filter(([, amount]) => amount > 0);
        const records = [...chain.ledger.pairs()]
          .filter(([key]) => key.startsWith('token-holder/'))
          .map(([, text]) => JSON.parse(text) as TokenHolderRecord);
        assert.deepEqual(
          new Map(records.map(({ actorId, amount }) => [actorId, amount])),
          new Map(holders),
        );
        const record = chain.record('token', 'tok-gold');
        assert.equal(
          record?.supply,
          holders.reduce((sum, [, amount]) => sum + amount, 0),
        );
        assert.equal(record.holders, holders.length);
        assertReplays(chain);
      },
    ),
    RUNS,
  );
});

test('generations of a memory form one chain, whatever is tried', () => {
  const step = fc.record({
    who: fc.constantFrom('alice', 'bob'),
    skew: fc.constantFrom(0, 0, 0, 1, -1),
    orphan: fc.boolean(),
    hash: fc.integer({ min: 1, max: 200 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const chain = standardChain();
      const chains = new Map<string, string[]>();
      for (const [i, { who, skew, orphan, hash }] of steps.entries()) {
        const mine = chains.get(who) ?? [];
        const parent = mine.at(-1) ?? null;
        const checkpoint = checkpointOf(who, Math.max(1, mine.length + 1 + skew), {
          checkpointId: `checkpoint-${i}`,
          checkpointHash: hashOf(hash),
          parentCheckpointHash: orphan ? hashOf(0) : parent,
        });
        const fits = checkpoint['generation'] === mine.length + 1 && !orphan;
        const outcome = chain.act(who, 'commitMemoryCheckpoint', checkpoint);
        assert.equal(outcome.ok, fits, verdictOf(outcome));
        if (fits) chains.set(who, [...mine, hashOf(hash)]);
      }
      for (const [who, hashes] of chains) {
        const memory = chain.record('memory', who);
        assert.equal(memory?.generation, hashes.length);
        assert.equal(memory.checkpointHash, hashes.at(-1));
      }
      assertReplays(chain);
    }),
    RUNS,
  );
});
