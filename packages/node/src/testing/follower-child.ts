/**
 * A follower in a process of its own, to be killed: prints every height it has committed as `at <height>`, and `failure`
 * for a block that could not be written. Arguments: data directory, origin. The failpoint comes from NET_FAILPOINT.
 */
import { writeSync } from 'node:fs';
import { failpointsFromEnvironment } from '../failpoints.ts';
import { NetNode } from '../node.ts';
import type { WritingParts } from '../node-kind.ts';

const [dataDir = '', origin = ''] = process.argv.slice(2);
// Synchronously: a line that was printed is out, however the process ends.
const say = (line: string): void => void writeSync(1, `${line}\n`);
const around = failpointsFromEnvironment(process.env['NET_FAILPOINT']);

function withoutSigner(parts: WritingParts): WritingParts {
  const certify = (): never => {
    throw new Error('a follower certifies nothing');
  };
  return around?.({ ...parts, signer: { certify } }) ?? parts;
}

await NetNode.follow({
  dataDir,
  origins: [origin],
  wrapParts: withoutSigner,
  onProgress: ({ height }) => say(`at ${height}`),
  onBlockFailure: () => say('failure'),
});
