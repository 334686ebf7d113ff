/** From executed transitions to a header, its certificate and everything the store writes. No I/O, no clock. */
import {
  BlockExecution,
  genesisState,
  genesisValidatorSet,
  StateOverlay,
  type BlockContext,
  type ExecutedBlock,
  type StateReader,
} from '@netd/ledger';
import {
  blockHash,
  GENESIS_PREVIOUS_HASH,
  merkleRoot,
  msToTimestamp,
  timestampToMs,
  type BlockHeader,
  type ChainEvent,
  type FinalityCertificate,
  type FinalityStatement,
  type Genesis,
  type ValidatorSet,
} from '@netd/protocol';
import type { SlotReader, StateTree } from '../store/state-tree.ts';
import type { BlockWrite } from '../store/store.ts';

/** What the next block stands on. */
export interface Tip {
  height: number;
  blockHash: string;
  stateRoot: string;
  timestamp: string;
}

export interface ChainIdentity {
  chainId: string;
  epoch: number;
  validatorSet: ValidatorSet;
  proposerId: string;
}

export function identityOf(genesis: Genesis): ChainIdentity {
  const validatorSet = genesisValidatorSet(genesis);
  return {
    chainId: genesis.chainId,
    epoch: genesis.epoch,
    validatorSet,
    proposerId: validatorSet.validators[0]?.validatorId ?? '',
  };
}

export const emptyReader: StateReader = {
  get: () => undefined,
  due: () => [],
  spentNonceExpiry: () => undefined,
};

/** The context in which the block after `tip` executes: time never stands still or runs back. */
export function nextContext(tip: Tip, now: number): BlockContext {
  const time = Math.max(now, timestampToMs(tip.timestamp) + 1);
  return {
    height: tip.height + 1,
    time,
    timestamp: msToTimestamp(time),
    previousBlockHash: tip.blockHash,
  };
}

export function openBlock(state: StateReader, context: BlockContext, tip: Tip): BlockExecution {
  return new BlockExecution(state, context, { stateRoot: tip.stateRoot });
}

/** The header over an executed block; updates the tree. */
export function sealBlock(
  identity: ChainIdentity,
  context: BlockContext,
  executed: ExecutedBlock,
  tree: StateTree,
  readSlot: SlotReader,
): { header: BlockHeader; hash: string; slots: BlockWrite['slots'] } {
  const slots = tree.update(executed.changes, readSlot, context.height);
  const header: BlockHeader = {
    schema: 'NET-BLOCK/1',
    chainId: identity.chainId,
    epoch: identity.epoch,
    height: context.height,
    timestamp: context.timestamp,
    previousBlockHash: context.previousBlockHash,
    stateRoot: tree.root,
    transitionsRoot: executed.transitionsRoot,
    eventsRoot: executed.eventsRoot,
    transitionCount: executed.transitionHashes.length,
    proposerId: identity.proposerId,
    validatorSetHash: identity.validatorSet.validatorSetHash,
  };
  return { header, hash: blockHash(header), slots };
}

export function statementOf(header: BlockHeader, hash: string): FinalityStatement {
  return {
    chainId: header.chainId,
    epoch: header.epoch,
    height: header.height,
    blockHash: hash,
    stateRoot: header.stateRoot,
    validatorSetHash: header.validatorSetHash,
  };
}

export function tipOf(header: BlockHeader, hash: string): Tip {
  return {
    height: header.height,
    blockHash: hash,
    stateRoot: header.stateRoot,
    timestamp: header.timestamp,
  };
}

/** What block 0 writes, apart from its certificate. */
export function genesisBlock(
  genesis: Genesis,
  tree: StateTree,
): { header: BlockHeader; hash: string; write: Omit<BlockWrite, 'certificate'> } {
  const changes = genesisState(genesis);
  const none: ChainEvent[] = [];
  const executed: ExecutedBlock = {
    changes,
    state: new StateOverlay(emptyReader),
    transitionHashes: [],
    events: none,
    transitionsRoot: merkleRoot([]),
    eventsRoot: merkleRoot([]),
    eventSubtrees: [],
  };
  const context: BlockContext = {
    height: 0,
    time: timestampToMs(genesis.genesisTime),
    timestamp: genesis.genesisTime,
    previousBlockHash: GENESIS_PREVIOUS_HASH,
  };
  tree.load([], -1);
  const { header, hash, slots } = sealBlock(
    identityOf(genesis),
    context,
    executed,
    tree,
    () => undefined,
  );
  return {
    header,
    hash,
    write: {
      header,
      transitions: [],
      events: none,
      eventSubtrees: [],
      changes,
      before: () => undefined,
      after: (key) => JSON.parse(changes.get(key) ?? 'null') as unknown,
      spentNonces: new Map(),
      slots,
    },
  };
}

/** What the store writes for an executed and certified block. */
export function blockWrite(
  sealed: { header: BlockHeader; slots: BlockWrite['slots'] },
  executed: ExecutedBlock,
  texts: readonly string[],
  certificate: FinalityCertificate,
): BlockWrite {
  const { state } = executed;
  return {
    header: sealed.header,
    certificate,
    transitions: executed.transitionHashes.map((hash, index) => ({
      hash,
      text: texts[index] ?? '',
    })),
    events: executed.events,
    eventSubtrees: executed.eventSubtrees,
    changes: executed.changes,
    before: (key) => state.original(key),
    after: (key) => state.get(key),
    spentNonces: state.spentNonces(),
    slots: sealed.slots,
  };
}
