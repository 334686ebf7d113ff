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
/** Queries for the documents that accept them, beside none. */
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
