/** Runs a command as a container does: it is process 1 of its own, and does not see the others. */
import { spawnSync } from 'node:child_process';

export const OWN_PROCESS_IDS: readonly [string, ...string[]] = [
  'unshare',
  '--user',
  '--map-root-user',
  '--pid',
  '--fork',
  '--kill-child',
];

/** Whether this machine allows it. */
export function hasProcessNamespaces(): boolean {
  const [command, ...args] = OWN_PROCESS_IDS;
  return spawnSync(command, [...args, 'true']).status === 0;
}
