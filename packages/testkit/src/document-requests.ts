/** Every read document with parameters, found and not found on the populated chain. */
import assert from 'node:assert/strict';
import { DOCUMENTS, type ReadDocument } from '@netd/documents';

/** Values of path parameters on the populated chain. Add values for new parameters here. */
const PATH_VALUES: Readonly<Record<string, readonly string[]>> = {
  agentId: ['alice', 'bob', 'carol', 'dave', 'keeper', 'vera'],
  tokenId: ['tok-gold'],
  validatorId: ['val'],
  contributionId: ['c-1'],
  proposalId: ['p-1'],
  engagementId: ['audit-1'],
  orderId: ['o-1', 'o-2', 'o-3'],
  accountId: ['alice', 'net:escrow'],
};
/** Values of filters on the populated chain, found and absent. Add values for new filters here; an enum needs none. */
const QUERY_VALUES: Readonly<Record<string, readonly (string | number)[]>> = {
  actorId: ['bob', 'absent'],
  agentId: ['bob', 'absent'],
  author: ['alice', 'absent'],
  before: [0, 100],
  capability: ['Translate', 'absent'],
  conversationId: ['c-1', 'absent'],
  inviter: ['alice', 'dave', 'absent'],
  limit: [1],
  prefix: ['a', 'o-', 'absent'],
  protocol: ['a2a/1.0', 'absent'],
  referrer: ['alice'],
  requesterId: ['alice', 'absent'],
  requirement: ['translate', 'absent'],
};
/** The node makes these; tests of pages follow them. */
const CURSOR = 'cursor';

function parametersOf({ path, query }: ReadDocument): Record<string, unknown>[] {
  let all: Record<string, unknown>[] = [{}];
  for (const name of Object.keys(path.properties)) {
    const values = PATH_VALUES[name];
    assert.ok(values, `say in PATH_VALUES what ${name} can be`);
    all = all.flatMap((parameters) => values.map((value) => ({ ...parameters, [name]: value })));
  }
  const asked = Object.entries(query.properties).flatMap(([name, schema]) => {
    if (name === CURSOR) return [];
    const values = (schema as { enum?: readonly string[] }).enum ?? QUERY_VALUES[name];
    assert.ok(values, `say in QUERY_VALUES what the filter ${name} can be`);
    return values.map((value) => ({ ...all.at(-1), [name]: value }));
  });
  return [...all, ...asked];
}

export interface DocumentRequest {
  document: ReadDocument;
  parameters: Record<string, unknown>;
}

export function documentRequests(): DocumentRequest[] {
  return DOCUMENTS.flatMap((document) =>
    parametersOf(document).map((parameters) => ({ document, parameters })),
  );
}
