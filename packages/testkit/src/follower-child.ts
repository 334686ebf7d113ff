/**
 * A follower in a process of its own, to be killed: prints every height it has committed as `at <height>`, and `failure`
 * for a block that could not be written. Arguments: data directory, origins. The failpoint comes from NET_FAILPOINT.
 */
import { writeSync } from 'node:fs';
import { NetNode } from '@netd/node';

const [dataDir = '', ...origins] = process.argv.slice(2);
// Synchronously: a line that was printed is out, however the process ends.
const say = (line: string): void => void writeSync(1, `${line}\n`);

await NetNode.follow({
  dataDir,
  origins,
  failpoint: process.env['NET_FAILPOINT'],
  onProgress: ({ height }) => say(`at ${height}`),
  onBlockFailure: () => say('failure'),
});
