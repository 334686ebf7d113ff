/** Checks the examples of docs/formats.md. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { canonicalize, utf8Bytes } from '@netd/protocol';
import { agentMetadata } from './agent-metadata.ts';
import { workScope } from './work-scope.ts';

const page = readFileSync(new URL('../../../docs/formats.md', import.meta.url), 'utf8');
const vectors = new URL('../../../vectors/formats/sealed-content.json', import.meta.url);

/** Returns the example as canonical bytes. */
function example(heading: string): Uint8Array {
  const section = page.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';
  const [, json = ''] = /```json\n([^]*?)```/.exec(section) ?? [];
  return utf8Bytes(canonicalize(JSON.parse(json)));
}

test('scope and metadata are valid documents', () => {
  assert.equal(workScope.read(example('NET-WORK-SCOPE/1')).acceptance.length, 2);
  assert.equal(agentMetadata.read(example('NET-AGENT-METADATA/1')).agentId, 'ada');
});

test('sealed content is one of the vectors, which are opened', () => {
  const { valid } = JSON.parse(readFileSync(vectors, 'utf8')) as { valid: { content: string }[] };
  const shown = new TextDecoder().decode(example('Sealed content'));
  assert.ok(valid.some(({ content }) => content === shown));
});
