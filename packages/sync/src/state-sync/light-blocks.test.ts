/** The answers for CometBFT's light client, from a scripted origin. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { systemClock } from '@netd/engine';
import { tempDir } from '@netd/testkit/temp-dir';
import { OriginUnavailableError, type Origin } from '../origin.ts';
import { LightBlocks } from './light-blocks.ts';

const BLOCK = { signedHeader: { header: 'h' }, validators: [{}, {}], consensusParams: {} };

function call(socketPath: string, method: string, height: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, method: 'POST' }, (answer) => {
      resolve(text(answer));
    });
    asked.on('error', reject);
    asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { height } }));
  });
}

test('requests a block again after a failure, and keeps the first answer', async (t) => {
  const answers: (object | Error)[] = [new OriginUnavailableError('down'), BLOCK];
  const paths: string[] = [];
  const get = (path: string): Promise<unknown> => {
    paths.push(path);
    const answer = answers.shift() ?? new OriginUnavailableError('unexpected');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const socket = join(tempDir(t), 's');
  const blocks = await LightBlocks.listen(socket, { get } as unknown as Origin, systemClock);
  t.after(() => blocks.close());
  assert.match(await call(socket, 'commit', '5'), /"error":.*"down"/);
  const commit = { signed_header: BLOCK.signedHeader, canonical: true };
  assert.deepEqual(JSON.parse(await call(socket, 'commit', '5')).result, commit);
  assert.match(await call(socket, 'validators', '5'), /"block_height":"5".*"total":"2"/);
  assert.deepEqual(paths, Array(2).fill('/v1/consensus/engine-blocks/5'));
  assert.match(await call(socket, 'block', '5'), /"error"/);
  assert.match(await call(socket, 'commit', '0'), /a height is needed/);
});
