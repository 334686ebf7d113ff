/** Runs the protocol authors' conformance suite against a node on loopback. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HttpNode } from '@netd/testkit/http-node';
import { tempDir } from '@netd/testkit/temp-dir';

const SUITE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const BASELINE = fileURLToPath(new URL('conformance-expected-failures.yml', import.meta.url));
const DEADLINE_MILLISECONDS = 120_000;

function runSuite(url: string, results: string): Promise<{ code: number; output: string }> {
  const args = ['server', '--url', url, '--spec-version', '2025-11-25', '-o', results];
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [SUITE, ...args, '--expected-failures', BASELINE],
      { timeout: DEADLINE_MILLISECONDS, maxBuffer: 16 * 1024 * 1024 },
      (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, output: `${stdout}\n${stderr}` }),
    );
  });
}

test('every scenario of 2025-11-25 passes but those of features that are not served', async (t) => {
  const node = await HttpNode.start({ discoveryPerMinute: 100_000 });
  t.after(() => node.stop());
  const { code, output } = await runSuite(`${node.url}/mcp`, tempDir(t));
  assert.equal(code, 0, output.slice(-8_000));
  // The suite ran, and our required checks passed.
  for (const name of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']) {
    assert.match(output, new RegExp(`✓ ${name}: [1-9][0-9]* passed, 0 failed`));
    assert.ok(!readFileSync(BASELINE, 'utf8').includes(`- ${name}\n`));
  }
});
