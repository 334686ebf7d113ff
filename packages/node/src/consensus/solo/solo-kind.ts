/** The node of one validator: keys in its data directory, blocks of its own. */
import { SoloSigner } from '../../chain/signer.ts';
import { openDataDir, type ValidatorDir } from '../../data-dir.ts';
import { DEFAULT_MEMPOOL_LIMITS } from '../../mempool/mempool.ts';
import type { NodeKind, NodeOptions, NodeParts } from '../../node-kind.ts';
import { openSoloChain } from './open-solo-chain.ts';

const DEFAULT_BLOCK_TIME = 100;
const DEFAULT_IDLE_BLOCK_TIME = 10_000;

export function soloKind(options: NodeOptions): NodeKind<ValidatorDir, NodeParts> {
  const blockTime = options.blockTime ?? DEFAULT_BLOCK_TIME;
  const idleBlockTime = options.idleBlockTime ?? DEFAULT_IDLE_BLOCK_TIME;
  return {
    blockTime,
    idleBlockTime,
    openDataDir: (clock) =>
      openDataDir(options.dataDir, {
        ...(options.chainId === undefined ? {} : { chainId: options.chainId }),
        ...(options.open === undefined ? {} : { open: options.open }),
        ...(options.genesisTimes === undefined ? {} : { genesisTimes: options.genesisTimes }),
        now: () => clock.now(),
      }),
    parts(writing, { validator }) {
      const signer = new SoloSigner(validator.actorId, validator.privateKey);
      const parts = { signer, ...writing };
      return options.wrapParts?.(parts) ?? parts;
    },
    openChain: ({ signer, committer }, world) =>
      openSoloChain({
        ...world,
        genesis: world.dataDir.genesis,
        signer,
        committer,
        mempoolLimits: options.admission ?? DEFAULT_MEMPOOL_LIMITS,
        blockTime,
        idleBlockTime,
        onClockFault: (fault) => {
          world.metrics.clockFault = fault === null ? 0 : 1;
          options.onClockFault?.(fault);
        },
        onClockNotice: (notice) => options.onClockFault?.(notice),
      }),
  };
}
