/** Boundary values of payload members. */
// oxlint-disable-next-line import/no-nodejs-modules -- nothing of this folder takes part in execution
import assert from 'node:assert/strict';
import type { JsonObject } from '@netd/protocol';
import { refused, verdictOf } from './expectations.ts';
import type { TestChain } from './test-chain.ts';

export interface Limits {
  fits: unknown[];
  breaks: unknown[];
}

const uriOf = (length: number): string => 'https://a.example/'.padEnd(length, 'x');

export const ID: Limits = {
  fits: ['a', 'a'.repeat(128), 'A.b_c:d-e'],
  breaks: ['', 'a'.repeat(129), '-a', 'a b', 'a/b', 'a\n', 1, null],
};
export const ACTOR: Limits = {
  fits: [],
  breaks: ['', 'a', 'a'.repeat(65), '-a', 'a:b', 'alice\n', null],
};
export const HASH: Limits = {
  fits: ['0123456789abcdef'.repeat(4)],
  breaks: ['a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), `${'a'.repeat(64)}\n`, null],
};
export const TITLE: Limits = { fits: ['a', 'é'.repeat(140)], breaks: ['', 'a'.repeat(141), null] };
export const URI: Limits = {
  fits: ['https://a.example', uriOf(512)],
  breaks: [uriOf(513), 'http://a.example', 'https://u@a.example/', 'https://a.example/#b', null],
};
/** Fitting amounts depend on the state. */
export const AMOUNT: Limits = {
  fits: [],
  breaks: [0, -1, 1.5, '1', [1], Number.MAX_SAFE_INTEGER + 1, null],
};

/** @param payload valid on this chain */
export function assertLimits(
  chain: TestChain,
  { actor, action, payload }: { actor: string; action: string; payload: JsonObject },
  member: string,
  { fits, breaks }: Limits,
): void {
  for (const value of fits) {
    // On dropped blocks, so that all meet the same state. First, because refusals advance heights.
    const good = { ...payload, [member]: value } as JsonObject;
    const outcome = chain.ledger.open().execute(chain.intent(actor, action, good));
    assert.equal(verdictOf(outcome), 'accepted', JSON.stringify(value));
  }
  for (const value of breaks) {
    const spoilt = { ...payload, [member]: value } as JsonObject;
    refused(chain, chain.intent(actor, action, spoilt), 'PAYLOAD_INVALID');
  }
}
