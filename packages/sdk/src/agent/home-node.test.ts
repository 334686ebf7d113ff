import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { tempDir } from '@netd/testkit/temp-dir';
import { defaultHome } from './home-node.ts';

describe('a home that cannot be used', () => {
  it('names its directory and the reason for every use', async (t) => {
    const file = join(tempDir(t), 'keys');
    writeFileSync(file, '');
    const refused = { name: 'AgentError', code: 'HOME_UNUSABLE', message: /keys.*: E[A-Z]+/ };
    const onFile = defaultHome('chain', 'ada', file);
    await assert.rejects(onFile.readSecret('ada'), refused);
    await assert.rejects(onFile.writeSecret('ada', '{}'), refused);
    const belowFile = defaultHome('chain', 'ada', join(file, 'keys'));
    await assert.rejects(belowFile.openState(), refused);
    // The directory of the state is beside the one of the keys.
    const beside = join(file, '..', 'agents');
    writeFileSync(beside, '');
    await assert.rejects(onFile.openState(), { code: 'HOME_UNUSABLE', message: /agents.*: E/ });
  });
});
