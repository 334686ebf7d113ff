/** A bonded validator candidate, funded delegators and evidence. */
import { UNET_PER_NET, voteBytes, type JsonObject } from '@netd/protocol';
import { testKey } from '@netd/protocol/testing';
import type { TestChain } from './test-chain.ts';

export const VALIDATOR = 'alice';
export const SELF_BOND = 1_000 * UNET_PER_NET;
export const PURSE = 10_000 * UNET_PER_NET;

/** alice is the candidate; bob and carol may delegate. */
export function readyToStake(chain: TestChain): TestChain {
  chain.fund(VALIDATOR, SELF_BOND).install(VALIDATOR, 'VALIDATOR');
  for (const agentId of ['bob', 'carol']) {
    chain
      .fund(agentId, PURSE)
      .does(agentId, 'extendAgentCapabilities', { agentId, actions: ['delegate', 'undelegate'] });
  }
  return chain;
}

export function addCandidate(chain: TestChain, actorId: string): TestChain {
  return chain.join([actorId]).fund(actorId, SELF_BOND).install(actorId, 'VALIDATOR');
}

/**
 * @param block its hash repeats the digit
 * @param signedFor replaces the truth in the signed bytes
 */
export function voteOf(
  chain: TestChain,
  validatorId: string,
  { height, digit }: { height: number; digit: string },
  signedFor: { chainId?: string; epoch?: number; height?: number; validatorId?: string } = {},
): JsonObject {
  const { chainId, epoch } = chain.ledger.genesis;
  const blockHash = digit.repeat(64);
  const rest = { blockHash, stateRoot: '5'.repeat(64), validatorSetHash: '6'.repeat(64) };
  const { validatorId: signer = validatorId, ...members } = signedFor;
  const statement = { chainId, epoch, height, ...rest, ...members };
  const signature = testKey(`${chain.id(validatorId)} consensus`).sign(
    voteBytes(statement, chain.id(signer)),
  );
  return { ...rest, signature };
}

export function evidenceOf(
  chain: TestChain,
  validatorId = VALIDATOR,
  height = 7,
  members: JsonObject = {},
): JsonObject {
  return {
    validatorId,
    height,
    first: voteOf(chain, validatorId, { height, digit: 'a' }),
    second: voteOf(chain, validatorId, { height, digit: 'b' }),
    ...members,
  };
}

/** Names the last committed block. */
export function validatorHeartbeatOf(
  chain: TestChain,
  validatorId: string,
  members: JsonObject = {},
): JsonObject {
  return {
    validatorId,
    sequence: (chain.record('validator-heartbeat', validatorId)?.sequence ?? 0) + 1,
    observedHeight: chain.height,
    observedStateRoot: chain.ledger.tip.stateRoot,
    nodeVersion: 'netd/0.13.1',
    ...members,
  };
}
