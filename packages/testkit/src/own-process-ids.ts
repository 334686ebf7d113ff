/** Runs a command as in a container: as process 1, without seeing other processes. */
import { spawnSync } from 'node:child_process';

export const OWN_PROCESS_IDS: readonly [string, ...string[]] = [
  'unshare',
  '--user',
  '--map-root-user',
  '--pid',
  '--fork',
  '--kill-child',
];

/** True if this machine allows it. */
export function hasProcessNamespaces(): boolean {
  const [command, ...args] = OWN_PROCESS_IDS;
  return spawnSync(command, [...args, 'true']).status === 0;
}
