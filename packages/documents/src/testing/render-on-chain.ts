import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { TestChain } from '@netd/ledger/testing';
import { compileSchema, makeCertificate, type JsonObject } from '@netd/protocol';
import { EMPTY_SOURCE, genesisBlock, identityOf, StateTree, Store } from '@netd/engine';
import type { Snapshot } from '@netd/engine/reads';
import { statementOf } from '@netd/engine/testing';
import { tempDir } from '@netd/testkit/temp-dir';

interface Renderable {
  schema: Parameters<typeof compileSchema>[0];
  render: (snapshot: Snapshot, parameters: Record<string, unknown>) => JsonObject;
}

/** @returns the document, checked against its schema */
export async function renderOnChain(
  t: TestContext,
  { ledger }: TestChain,
  { schema, render }: Renderable,
  parameters: Record<string, unknown> = {},
): Promise<JsonObject> {
  const store = Store.open(join(tempDir(t), 'chain'), { scratch: true });
  const { write, hash } = genesisBlock(ledger.genesis, new StateTree(EMPTY_SOURCE));
  // Documents don't verify votes.
  const { genesisSet } = identityOf(ledger.genesis);
  const certificate = makeCertificate(statementOf(write.header, hash), genesisSet, []);
  await store.initialise(ledger.genesis, {
    ...write,
    certificate,
    changes: ledger.pairs(),
    after: (key) => ledger.get(key),
  });
  const snapshot = store.snapshot();
  try {
    const document = render(snapshot, parameters);
    assert.equal(compileSchema(schema, { isOwn: true })(document), null);
    return document;
  } finally {
    snapshot.close();
    await store.close();
  }
}
