import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tempDir } from '@netd/testkit/temp-dir';
import {
  COMETBFT,
  cometbftPath,
  installCometbft,
  requireCometbft,
  type EngineBinaryError,
  type EngineBinaryProblem,
} from './cometbft-binary.ts';

function program(t: TestContext, text: string): string {
  const path = join(tempDir(t), 'program');
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

const refusal =
  (code: EngineBinaryProblem, words: RegExp) =>
  (error: EngineBinaryError): boolean => {
    assert.equal(error.code, code);
    assert.match(error.message, words);
    return true;
  };

const prints = (version: string): string => `echo ${version}`;
/** Acts like Go: prints the requested checksum first, then writes a program into GOBIN. */
const goThatBuilds = (sum: string, version: string): string =>
  `if [ "$1" = mod ]; then echo '{"Sum":"${sum}"}'; exit; fi
printf '#!/bin/sh\\necho ${version}\\n' > "$GOBIN/cometbft"; chmod +x "$GOBIN/cometbft"`;

test('a named binary is asked for its version', async (t) => {
  await requireCometbft(program(t, prints('0.38.25')));
  await requireCometbft(program(t, prints('v0.38.25+6e44ff1')));
  await assert.rejects(
    requireCometbft(program(t, prints('0.38.2'))),
    refusal('ENGINE_VERSION', /is CometBFT 0\.38\.2, and netd works with v0\.38\.25/),
  );
  await assert.rejects(
    requireCometbft(program(t, 'exit 1')),
    refusal('ENGINE_UNUSABLE', /does not run: run netd engine install/),
  );
  await assert.rejects(
    requireCometbft(join(tempDir(t), 'none')),
    refusal('ENGINE_UNUSABLE', /is not there/),
  );
});

test('installs a named binary, and keeps an installed one', async (t) => {
  const engineDir = join(tempDir(t), 'engines');
  const binary = program(t, prints('0.38.25'));
  const path = cometbftPath(engineDir);
  assert.deepEqual(await installCometbft({ engineDir, binary }), { path, kept: false });
  const go = join(engineDir, 'no-go');
  assert.deepEqual(await installCometbft({ engineDir, go }), { path, kept: true });
  assert.deepEqual(readdirSync(engineDir), [`cometbft-${COMETBFT.version}`], 'no draft is left');
});

test('a binary of another version replaces nothing', async (t) => {
  const engineDir = join(tempDir(t), 'engines');
  const binary = program(t, prints('1.0.1'));
  await assert.rejects(
    installCometbft({ engineDir, binary }),
    refusal('ENGINE_VERSION', /1\.0\.1/),
  );
  assert.ok(!existsSync(cometbftPath(engineDir)));
});

test('without Go a sentence says what to install', async (t) => {
  const engineDir = join(tempDir(t), 'engines');
  await assert.rejects(
    installCometbft({ engineDir, go: join(engineDir, 'no-go') }),
    refusal('GO_MISSING', /needs Go 1\.22 or newer.*https:\/\/go\.dev\/dl, or name a binary/),
  );
});

test('nothing is built of a module with another checksum, or when Go fails', async (t) => {
  const engineDir = join(tempDir(t), 'engines');
  const install = (go: string): Promise<unknown> =>
    installCometbft({ engineDir, go: program(t, go) });
  await assert.rejects(
    install(goThatBuilds('h1:other', '0.38.25')),
    refusal('ENGINE_CHECKSUM', /h1:other.*nothing was built/),
  );
  await assert.rejects(
    install('echo "dial tcp: no route" >&2; exit 1'),
    refusal('ENGINE_BUILD_FAILED', /no route/),
  );
  // A Go that builds something else.
  await assert.rejects(
    install(goThatBuilds(COMETBFT.sum, '1.0.1')),
    refusal('ENGINE_VERSION', /1\.0\.1/),
  );
  assert.deepEqual(readdirSync(engineDir), []);
  await install(goThatBuilds(COMETBFT.sum, '0.38.25'));
  await requireCometbft(cometbftPath(engineDir));
});
