/** Properties of all read documents, on a chain with some of everything. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { canonicalize, hashValue, type JsonObject, type JsonValue } from '@netd/protocol';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TObject } from '@netd/protocol/type';
import { ApiError, type Snapshot } from '@netd/engine';
import type { ChainHarness } from '@netd/testkit/chain-harness';
import { documentRequests, type DocumentRequest } from '@netd/testkit/document-requests';
import { openPopulated, PRIVATE_MARK } from '@netd/testkit/populated-chain';
import { tempDir } from '@netd/testkit/temp-dir';
import { LINK_NAMES } from './shared/links.ts';
import { FINGERPRINTS, type ReadDocument } from './shared/read-document.ts';
import { DOCUMENTS } from './registry.ts';

const requests = documentRequests();

let harness: ChainHarness;
let duplicate: ChainHarness;
before(async () => {
  harness = await openPopulated({ path: join(tempDir({ after }), 'chain') });
  duplicate = await openPopulated({ path: join(tempDir({ after }), 'chain') });
});
after(async () => {
  await harness.close();
  await duplicate.close();
});

function read<Result>(from: ChainHarness, work: (snapshot: Snapshot) => Result): Result {
  const snapshot = from.store.snapshot();
  try {
    return work(snapshot);
  } finally {
    snapshot.close();
  }
}

const render = ({ document, parameters }: DocumentRequest, from = harness): JsonObject =>
  read(from, (snapshot) => document.render(snapshot, parameters));

const nameOf = ({ document, parameters }: DocumentRequest): string =>
  `${document.name} ${JSON.stringify(parameters)}`;

test('the populated chain is as these tests expect', () => {
  read(harness, (snapshot) => {
    assert.equal(snapshot.get('order', 'o-1')?.status, 'PAID');
    assert.equal(snapshot.get('referral', 'bob')?.status, 'qualified');
    assert.equal(snapshot.get('agent', 'dave')?.status, 'retired');
    const texts = Array.from({ length: snapshot.height + 1 }, (_, height) =>
      snapshot.transitionsOf(height).map(({ text }) => text),
    ).flat();
    const marked = texts.filter((text) => text.includes(PRIVATE_MARK));
    assert.ok(marked.length >= 10, 'private marks are planted in envelopes of every kind');
  });
});

test('no two documents share a name, a route or an operation', () => {
  for (const member of ['name', 'route', 'operationId'] as const) {
    const values = DOCUMENTS.map((document) => document[member]);
    assert.equal(new Set(values).size, values.length, member);
  }
});

test('two nodes with the same chain answer the same bytes, in whatever order they are asked', () => {
  const mine = requests.map((request) => canonicalize(render(request)));
  const theirs = requests
    .toReversed()
    .map((request) => canonicalize(render(request, duplicate)))
    .toReversed();
  requests.forEach((request, i) => assert.equal(mine[i], theirs[i], nameOf(request)));
});

describe('every document', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  for (const request of requests) {
    test(nameOf(request), () => {
      const { document } = request;
      const content = render(request);
      const text = canonicalize(content);
      const plain = JSON.parse(text) as JsonObject;

      const validate = ajv.compile(JSON.parse(JSON.stringify(document.schema)) as object);
      assert.ok(validate(plain), JSON.stringify(validate.errors, null, 1));

      read(harness, ({ height, block }) => {
        assert.equal(plain['chainId'], block.header.chainId);
        assert.equal((plain['links'] as JsonObject)['conventions'], '/v1/conventions');
        if (!('height' in document.schema.properties)) return;
        assert.equal(plain['height'], height);
        assert.deepEqual(plain['snapshot'], {
          height,
          stateRoot: block.header.stateRoot,
          blockHash: block.certificate.blockHash,
          certificateHash: block.certificate.certificateHash,
        });
      });

      for (const name of linkNamesIn(plain)) assert.ok(Object.hasOwn(LINK_NAMES, name), name);
      assert.ok(!text.includes(PRIVATE_MARK), 'something private shows');
      assert.doesNotMatch(text, /PRIVATE KEY/);
      for (const { path, value } of stringsIn(plain)) {
        assert.doesNotMatch(value, /^https?:\/\/(127\.0\.0\.1|localhost)/, path);
      }
      if (text.length > 200_000) assert.fail(`${text.length} characters are not bounded`);
    });
  }
});

test('every filter changes an answer by one of its values', () => {
  const idle = new Set<string>();
  const effective = new Set<string>();
  for (const { document, parameters } of requests) {
    for (const name of Object.keys(document.query.properties)) {
      if (name === 'limit' || parameters[name] === undefined) continue;
      const { [name]: _, ...without } = parameters;
      const changes =
        canonicalize(render({ document, parameters })) !==
        canonicalize(render({ document, parameters: without }));
      (changes ? effective : idle).add(`${document.route}?${name}`);
    }
  }
  assert.deepEqual(
    [...idle].filter((filter) => !effective.has(filter)),
    [],
  );
});

test('a record has the time of each block that it names, and no other member changes', () => {
  const found = render(requests.find(({ document }) => document.name === 'NET-WORK-ORDER/1')!);
  const { times, ...order } = found['order'] as JsonObject & { times: Record<string, string> };
  read(harness, (snapshot) => {
    for (let height = 0; height <= snapshot.height; height++) {
      assert.equal(snapshot.timeAt(height), snapshot.blockAt(height)!.header.timestamp);
    }
    assert.equal(snapshot.timeAt(snapshot.height + 1), null);
    const paid = snapshot.get('order', order['orderId'] as string)!;
    const { votes } = paid.verification!;
    const timeOf = ({ height }: { height: number }): string =>
      snapshot.blockAt(height)!.header.timestamp;
    assert.deepEqual(times, {
      createdAt: timeOf(paid.createdAt),
      acceptedAt: timeOf(paid.acceptedAt!),
      'result.submittedAt': timeOf(paid.result!.submittedAt),
      'verification.votes.0.votedAt': timeOf(votes[0]!.votedAt),
      'verification.votes.1.votedAt': timeOf(votes[1]!.votedAt),
      endedAt: timeOf(paid.endedAt!),
    });
    // A reader compares both with the record that a proof covers.
    assert.deepEqual(order['acceptedAt'], paid.acceptedAt);
    assert.deepEqual(order['result'], paid.result);
    assert.deepEqual((order['verification'] as JsonObject)['votes'], votes);
  });
  for (const request of requests) {
    const hasOwnHash = fingerprintOf(request.document) !== undefined;
    if (hasOwnHash) assert.ok(!canonicalize(render(request)).includes('"times":'), nameOf(request));
  }
});

test('a record has no time of a block that the node does not have', () => {
  const request = requests.find(({ document }) => document.name === 'NET-AGENT-REGISTRY/1')!;
  const agentsOf = (timeAt: Snapshot['timeAt']): { times?: unknown }[] =>
    read(harness, (snapshot) => {
      snapshot.timeAt = timeAt;
      return request.document.render(snapshot, { limit: 3 })['agents'] as { times?: unknown }[];
    });
  const asked: number[] = [];
  const times = agentsOf((height) => (asked.push(height), null));
  assert.equal(times.length, 3);
  assert.ok(times.every((agent) => !('times' in agent)));
  assert.equal(new Set(asked).size, asked.length, 'each height is read once');
});

describe('fingerprints', () => {
  for (const request of requests) {
    const found = fingerprintOf(request.document);
    if (found === undefined) continue;
    test(`${nameOf(request)}: ${found} is the hash of all the rest`, () => {
      const content = JSON.parse(canonicalize(render(request))) as JsonObject;
      const [outer, inner] = found.split('.') as [string, string | undefined];
      const holder = inner === undefined ? content : (content[outer] as JsonObject);
      const name = inner ?? outer;
      const stated = holder[name];
      delete holder[name];
      if (name in content) {
        assert.equal(content[name], stated);
        delete content[name];
      }
      assert.equal(stated, hashValue(content));
    });
  }
});

/** Returns the path of the document's fingerprint. */
function fingerprintOf({ schema }: ReadDocument): string | undefined {
  return FINGERPRINTS.find((path) => {
    let at: unknown = schema;
    for (const name of path.split('.')) at = (at as TObject | undefined)?.properties?.[name];
    return at !== undefined;
  });
}

describe('missing records', () => {
  const missing: Readonly<Record<string, string>> = {
    agentId: 'nobody',
    tokenId: 'tok-nothing',
    validatorId: 'nobody',
    orderId: 'no-order',
  };
  for (const document of DOCUMENTS.filter(({ canMiss }) => canMiss)) {
    test(`${document.name} refuses with a code of 404`, () => {
      const parameters = Object.fromEntries(
        Object.keys(document.path.properties).map((name) => [name, missing[name] ?? 'nothing']),
      );
      assert.throws(
        () => read(harness, (snapshot) => document.render(snapshot, parameters)),
        (error) => error instanceof ApiError && error.code.endsWith('_NOT_FOUND'),
      );
    });
  }
});

function* linkNamesIn(value: JsonValue): Generator<string> {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value) && typeof value['links'] === 'object') {
    yield* Object.keys(value['links'] as JsonObject);
  }
  for (const member of Object.values(value)) yield* linkNamesIn(member);
}

function* stringsIn(value: JsonValue, path = ''): Generator<{ path: string; value: string }> {
  if (typeof value === 'string') yield { path, value };
  if (value === null || typeof value !== 'object') return;
  for (const [name, member] of Object.entries(value)) yield* stringsIn(member, `${path}/${name}`);
}
