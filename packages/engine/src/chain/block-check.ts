import { blockHash, merkleRoot, sha256Hex } from '@netd/protocol';
import type { ValidatorSetAt } from '../executor/chain-identity.ts';
import type { Snapshot, StoredBlock } from '../store/snapshot.ts';
import { certificateFault } from './certificate-check.ts';

export function validateBlock(
  snapshot: Snapshot,
  block: StoredBlock,
  previous: StoredBlock | null,
  validatorSetAt: ValidatorSetAt,
): string | null {
  const { header, certificate } = block;
  if (blockHash(header) !== certificate.blockHash) return 'the header does not hash to blockHash';
  if (previous) {
    if (header.height !== previous.header.height + 1) return 'the height does not follow';
    if (header.previousBlockHash !== blockHash(previous.header)) {
      return 'previousBlockHash is not the hash of the predecessor';
    }
    if (header.timestamp <= previous.header.timestamp) return 'time does not move on';
    if (header.transitionCount === 0 && header.stateRoot !== previous.header.stateRoot) {
      return 'the state moved without a transition';
    }
  }
  if (header.validatorSetHash !== certificate.validatorSetHash) {
    return 'header and certificate name different validator sets';
  }
  const fault = certificateFault(block, validatorSetAt);
  if (fault !== null) return fault;
  const transitions = snapshot.transitionsOf(header.height);
  if (transitions.length !== header.transitionCount) return 'transitions are missing';
  if (merkleRoot(transitions.map(({ text }) => sha256Hex(text))) !== header.transitionsRoot) {
    return 'the transitions do not hash to transitionsRoot';
  }
  const events = snapshot.eventTexts(header.height);
  if (merkleRoot(events.map(({ text }) => sha256Hex(text))) !== header.eventsRoot) {
    return 'the events do not hash to eventsRoot';
  }
  return null;
}
