/**
 * Named places where a test can make the process die or the disk fail. In production there is no plan and `reach`
 * does nothing.
 */
export const FAILPOINTS = {
  'block.built': 'The block is executed in memory; nothing is written.',
  'block.certified': 'The certificate is signed; nothing is written.',
  'block.writing': 'The database transaction is about to begin.',
  'block.durable': 'The block is on disk; nobody has been answered.',
  'block.answered': 'The submitters have been answered.',
  'checkpoint.chunk': 'Some chunk files of a checkpoint are written, its manifest is not.',
  'checkpoint.finished': 'The checkpoint is complete on disk, not yet served.',
} as const;

export type Failpoint = keyof typeof FAILPOINTS;

export interface Failpoints {
  /** Throws, kills the process, or returns. */
  reach(name: Failpoint, height: number): void;
}

/** Thrown by `reach`: the chain is dead from there on, as if its process had been killed, and answers nobody. */
export class SimulatedCrash extends Error {
  override name = 'SimulatedCrash';
}

export const noFailpoints: Failpoints = { reach: () => {} };

/** `NET_FAILPOINT=block.durable@7`: kill this process, without any farewell, when it gets there at that height. */
export function failpointsFromEnvironment(plan: string | undefined): Failpoints {
  if (plan === undefined || plan === '') return noFailpoints;
  const [name, height] = plan.split('@');
  if (!name || !Object.hasOwn(FAILPOINTS, name)) throw new Error(`unknown failpoint ${plan}`);
  return {
    reach(reached, at) {
      if (reached === name && (height === undefined || Number(height) === at)) {
        process.kill(process.pid, 'SIGKILL');
      }
    },
  };
}
