/** Every read document with parameters that find something on the populated chain, and some that find nothing. */
import assert from 'node:assert/strict';
import { DOCUMENTS, type ReadDocument } from '@netd/documents';

/** What the path of a document can name on the populated chain. A new parameter gets its values here. */
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
/** Queries worth asking beside none at all, for the documents that take them. */
const QUERY_VALUES: Readonly<Record<string, readonly (string | number)[]>> = {
  inviter: ['alice', 'dave', 'absent'],
  limit: [1],
  agentId: ['bob', 'absent'],
  capability: ['Translate'],
  protocol: ['a2a/1.0'],
  requirement: ['translate'],
  status: ['OPEN', 'PENDING', 'EXPIRED'],
  referrer: ['alice'],
};

function parametersOf({ path, query }: ReadDocument): Record<string, unknown>[] {
  let all: Record<string, unknown>[] = [{}];
  for (const name of Object.keys(path.properties)) {
    const values = PATH_VALUES[name];
    assert.ok(values, `say in PATH_VALUES what ${name} can be`);
    all = all.flatMap((parameters) => values.map((value) => ({ ...parameters, [name]: value })));
  }
  const asked = Object.keys(query.properties).flatMap((name) =>
    (QUERY_VALUES[name] ?? []).map((value) => ({ ...all[0], [name]: value })),
  );
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
