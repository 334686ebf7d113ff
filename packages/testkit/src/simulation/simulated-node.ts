/** A simulated node's answers: the real documents, from its own database. */
import { canonicalize, type ValidatorSet } from '@netd/protocol';
import { ApiError, type Snapshot, type Store } from '@netd/engine';
import { type BlockQuery, blockText, DOCUMENTS, networkStatus } from '@netd/documents';
import { HistoryNotHeldError } from '@netd/engine/testing';
import type { SimulatedAnswer } from './simulated-network.ts';

/** Lists that nearly every simulated block changes. */
const LISTS = ['NET-AGENT-REGISTRY/1', 'NET-AGENT-DISCOVERY/1', 'NET-TOKENOMICS/1'];

export function answerFrom(
  { store, url, validatorSet }: { store: Store; url: string; validatorSet: ValidatorSet },
  path: string,
): SimulatedAnswer {
  const read = <Result>(work: (snapshot: Snapshot) => Result): Result => {
    const snapshot = store.snapshot();
    try {
      return work(snapshot);
    } finally {
      snapshot.close();
    }
  };
  const [, height, query] = /^\/v1\/blocks\/(\d+)(\?events=none)?$/.exec(path) ?? [];
  if (height !== undefined) {
    const reading: BlockQuery = { height: Number(height), events: query ? 'none' : 'all' };
    try {
      return { status: 200, text: read((snapshot) => blockText(snapshot, reading)) };
    } catch (error) {
      if (error instanceof HistoryNotHeldError) return { status: 503, text: '{}' };
      if (!(error instanceof ApiError)) throw error;
      return { status: 404, text: '{}' };
    }
  }
  if (path === '/v1/genesis') {
    const genesis = store.genesis();
    return genesis ? { status: 200, text: canonicalize(genesis) } : { status: 503, text: '{}' };
  }
  if (path === '/v1/network') {
    const node = {
      chain: { validatorSetAt: () => validatorSet },
      blockTime: 0,
      idleBlockTime: 0,
    };
    const status = networkStatus.renderLocal({ read, node, options: { publicUrl: url } });
    return { status: 200, text: JSON.stringify(status) };
  }
  return { status: 404, text: '{}' };
}

/** Returns some documents of the newest block as one text; null if one needs missing blocks. */
export function documentsOf(store: Store): { height: number; text: string | null } {
  const snapshot = store.snapshot();
  const { height } = snapshot;
  // A restored node cannot add the times of blocks that it lacks.
  snapshot.timeAt = () => null;
  try {
    const documents = DOCUMENTS.filter(({ name }) => LISTS.includes(name));
    const texts = documents.map((document) => canonicalize(document.render(snapshot, {}) as never));
    return { height, text: texts.join('\n') };
  } catch (error) {
    if (!(error instanceof HistoryNotHeldError)) throw error;
    return { height, text: null };
  } finally {
    snapshot.close();
  }
}
