/** Every public method, called with arguments that it cannot take: each refuses them with an error of the SDK. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { hashValue, NetSdkError, type JsonObject } from '@netd/protocol';
import { Agent } from './agent/agent.ts';
import { Hired } from './agent/hired.ts';
import { memoryHome } from './agent/leased-home.ts';
import { AgentKey } from './agent-key.ts';
import { NetClient, type Actor } from './client.ts';
import { generateKeyPair } from './key-file.ts';

const HASH = 'a'.repeat(64);
const STATUS = { chainId: 'net-test', height: 5, blockHash: HASH, genesisHash: HASH };
/** Neither of them is any argument of a public method, as it stands. */
const WRONG = [undefined, null, 5, [5], {}];

/** Knows nothing, and commits whatever it is sent. */
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    if (request.url === '/v1/network') return response.end(JSON.stringify(STATUS));
    if (request.method === 'POST') {
      const envelope = JSON.parse(Buffer.concat(parts).toString()) as JsonObject;
      const receipt = { transitionHash: hashValue(envelope), height: 5, events: [] };
      return response.end(JSON.stringify({ receipt }));
    }
    if (!/agents\/|orders\//.test(request.url ?? '')) {
      const names =
        'agents beacons validators roles messages orders operators changes memories stores';
      const lists = Object.fromEntries(names.split(' ').map((name) => [name, []]));
      return response.end(JSON.stringify({ ...STATUS, ...lists, nextCursor: null, sets: [] }));
    }
    const problem = { code: 'NOT_FOUND', title: 't', detail: 'd' };
    return response.writeHead(404).end(JSON.stringify(problem));
  });
});
let url: string;
let agent: Agent;
let client: NetClient;
let ADA: Actor;
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  agent = await Agent.open('ada', { url, home: memoryHome(), beacon: false, log: false });
  ADA = { actorId: 'ada', key: await AgentKey.generate() };
  client = new NetClient({ url, actor: ADA });
});
after(async () => {
  await agent.stop();
  server.close().closeAllConnections();
});

/** Returns an error that the call throws within a few milliseconds, unless it is one of the SDK; else null. */
async function rawErrorOf(name: string, call: () => unknown): Promise<string | null> {
  try {
    const answer = call();
    const ends = (async () => {
      const result = (await answer) as { next?: () => Promise<unknown>; return?: () => unknown };
      // A feed of events without a filter is no mistake, and has no end.
      if (name !== 'events') await result?.next?.();
    })();
    const soon = new Promise((resolve) => setTimeout(resolve, 5));
    await Promise.race([ends, soon]);
    ends.catch(() => {});
    return null;
  } catch (error) {
    if (error instanceof NetSdkError) return null;
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

const methodsOf = (kind: { prototype: object }): string[] =>
  Object.entries(Object.getOwnPropertyDescriptors(kind.prototype))
    .filter(([, { value }]) => typeof value === 'function')
    .map(([name]) => name)
    .filter((name) => !UNBOUND.has(name) && !PRIVATE.has(name));

/** They run as long as they have work. `run` takes a signal, `tick` a timeout; the others end by themselves. */
const UNBOUND = new Set(['constructor', 'stop', 'run', 'tick', 'flush']);

/** Those that the compiler keeps from programs. */
const PRIVATE = new Set(
  'callOf sendFresh intent complete selfSigned submit within request bounded askUntil submitWorked rotated handedOver inTurn checkpointFor changed checkpointAfter commitQuietly commitNow save requireOpen tell tellChecked hear until checkType delivered resultUntil valueOf'.split(
    ' ',
  ),
);

const ID = 'o-1';
const SERVICE = { name: 'x', price: 1, ...typesOf() };
const FACTS = { messageId: 'm', conversationId: 'c', fromAgentId: 'bea', toAgentId: 'ada' };
const MESSAGE = { ...FACTS, sequence: 1, kind: 'EVENT', contentHash: HASH, status: 'PENDING' };
const APPLICATION = { applicationId: 'a', role: 'VERIFIER', capabilities: [], profile: {} };
const GRANT = { actions: ['transfer'], budget: 1 };

/** Sound arguments of each method that waits, before its bounds, or the options that have them. */
const WAITING: Record<string, Record<string, () => [...unknown[]]>> = {
  NetClient: {
    read: () => ['/v1/agents', {}],
    text: () => ['/llms.txt'],
    agentTrust: () => [],
    compareTrustReports: () => [[]],
    get: () => ['/v1/agents'],
    post: () => ['/v1/intents', {}],
    act: () => ['transfer', { to: 'bea', amount: 1 }],
    grantSession: () => [ADA, { ...GRANT, sessionId: 's', key: ADA.key }],
    rotateKey: () => [ADA, ADA.key],
    simulate: () => ['transfer', { to: 'bea', amount: 1 }],
    trace: () => [HASH],
    send: () => [{}],
    register: () => [ADA],
    apply: () => [ADA, APPLICATION],
    claim: () => [ADA, HASH],
    network: () => [],
    rules: () => [],
  },
  Agent: {
    call: () => [SERVICE, 1],
    findings: () => [ID],
    health: () => [],
    send: () => ['bea', 'hello'],
    ask: () => ['bea', 'hello?'],
    act: () => ['transfer', { to: 'bea', amount: 1 }],
    hire: () => [{ title: 't', instructions: 'i', funding: 1, acceptance: [{ kind: 'review' }] }],
    hired: () => [ID],
    release: () => [ID],
    dispute: () => [ID, 'why'],
    offer: () => [ID],
    accept: () => [ID],
    input: () => [{}, 'x'],
    deliver: () => [ID, 'x'],
    openMessage: () => [MESSAGE],
    acknowledge: () => [MESSAGE],
    store: () => ['x'],
    fetch: () => [HASH, []],
    grantSession: () => [GRANT],
    rotateEncryptionKey: () => [],
  },
  Memory: {
    commit: () => [],
    handOver: () => [{ providerId: 'bea', runtimeId: 'r' }],
    keep: () => [],
  },
  Hired: {
    order: () => [],
    result: () => [],
    accept: () => [],
    dispute: () => ['why'],
    cancel: () => [],
  },
};
/** Methods that take their bounds among the members of their last argument. */
const IN_OPTIONS = new Set(['Agent.hire', 'Agent.grantSession', 'Memory.handOver']);

function typesOf(): object {
  const jsonSchema = { input: () => ({}), output: () => ({}) };
  const validate = (value: unknown): object => ({ value });
  const type = { '~standard': { version: 1, vendor: 'test', validate, jsonSchema } };
  return { input: type, output: type, description: 'd' };
}

describe('a wrong argument', () => {
  it('of a key is refused by a code', async () => {
    const { privateKey, publicKey } = await generateKeyPair();
    assert.ok(await AgentKey.fromPem({ privateKey, publicKey }));
    for (const wrong of [...WRONG, 'x', '-----BEGIN PRIVATE KEY-----\nx\n', publicKey]) {
      for (const pair of [wrong, { privateKey: wrong, publicKey }]) {
        await assert.rejects(AgentKey.fromPem(pair as never), { code: 'ARGUMENT_INVALID' });
      }
    }
    const wrong = { privateKey, publicKey: 'x' };
    await assert.rejects(AgentKey.fromPem(wrong), { code: 'ARGUMENT_INVALID' });
  });

  for (const [title, kind, subject] of [
    ['NetClient', NetClient, () => client],
    ['Agent', Agent, () => agent],
    ['Memory', null, () => agent.memory],
  ] as const) {
    it(`of each method of ${title} is refused by a code`, async () => {
      const one = subject() as unknown as Record<string, (...given: unknown[]) => unknown>;
      const raw: string[] = [];
      for (const name of methodsOf(kind ?? subject().constructor)) {
        for (const wrong of WRONG) {
          for (const given of [[wrong], ['x', wrong], ['x', 'y', wrong]]) {
            const error = await rawErrorOf(name, () => one[name]?.(...given));
            if (error !== null) raw.push(`${name}(${given.map(String).join(', ')}): ${error}`);
          }
        }
      }
      assert.deepEqual(raw, []);
    });
  }
});

describe('a timeout and a signal', () => {
  const subjects: Record<string, () => object> = {
    NetClient: () => client,
    Agent: () => agent,
    Memory: () => agent.memory,
    Hired: () =>
      new Hired(agent['parts'], {
        orderId: ID,
        scope: {} as never,
        since: 1,
        receipt: null,
        returns: null,
      }),
  };
  const AsyncFunction = (async () => {}).constructor;

  for (const [title, calls] of Object.entries(WAITING)) {
    it(`bound each method of ${title} that waits`, async () => {
      const subject = (subjects[title] as () => object)();
      const one = subject as Record<string, (...given: unknown[]) => Promise<unknown>>;
      const waiting = methodsOf(subject.constructor).filter(
        (name) => one[name] instanceof AsyncFunction,
      );
      assert.deepEqual(waiting.toSorted(), Object.keys(calls).toSorted());
      for (const [name, makeArguments] of Object.entries(calls)) {
        const bound = async (bounds: object): Promise<unknown> => {
          const given = makeArguments();
          const last = IN_OPTIONS.has(`${title}.${name}`) ? (given.pop() as object) : {};
          return one[name]?.(...given, { ...last, ...bounds });
        };
        await assert.rejects(
          bound({ signal: AbortSignal.abort() }),
          { code: 'CALL_ABORTED' },
          name,
        );
        await assert.rejects(bound({ timeout: '5' }), { data: { path: '/timeout' } }, name);
        await assert.rejects(bound({ timout: 5 }), { code: 'OPTION_UNKNOWN' }, name);
      }
    });
  }

  it('bound opening', async () => {
    const options = { url, home: memoryHome(), signal: AbortSignal.abort() };
    await assert.rejects(Agent.open('ada', options), { code: 'CALL_ABORTED' });
  });
});
