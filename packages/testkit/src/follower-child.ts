/**
 * A follower process for tests to kill. Prints `at <height>` per committed height, and `failure` if a block cannot
 * be written. Arguments: data directory, origins. NET_FAILPOINT sets the failpoint.
 */
import { writeSync } from 'node:fs';
import { NetNode } from '@netd/node';

const [dataDir = '', ...origins] = process.argv.slice(2);
// Written synchronously, so that printed lines survive any end of the process.
const say = (line: string): void => void writeSync(1, `${line}\n`);

await NetNode.follow({
  dataDir,
  origins,
  failpoint: process.env['NET_FAILPOINT'],
  onProgress: ({ height }) => say(`at ${height}`),
  onBlockFailure: () => say('failure'),
});
