/** Moments at which a test can kill the process. */
export const FAILPOINTS = {
  'upload.reserved': 'Room is set aside; no byte is taken.',
  'upload.receiving': 'Some bytes are in the temporary file.',
  'upload.received': 'The temporary file is whole and durable; nothing has its name.',
  'upload.adopted': 'The bytes have their name; the catalogue does not know.',
  'upload.recorded': 'The blob is there; no client has been answered.',
  'removal.recorded': 'The blob is gone for readers; its bytes are not.',
} as const;

type Failpoint = keyof typeof FAILPOINTS;
export type ReachFailpoint = (name: Failpoint) => void;

/** @param plan for example `upload.adopted` */
export function failpointFromEnvironment(plan: string | undefined): ReachFailpoint {
  if (plan === undefined || plan === '') return () => {};
  if (!Object.hasOwn(FAILPOINTS, plan)) throw new Error(`unknown failpoint ${plan}`);
  return (name) => {
    if (name === plan) process.kill(process.pid, 'SIGKILL');
  };
}
