/** Messages between agents over a real node and real stores: opened, answered, acknowledged or refused. */
import assert from 'node:assert/strict';
import { once as listening } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import {
  agentMetadata,
  generateEncryptionKey,
  publicEncryptionKey,
  sealContent,
} from '@netd/formats';
import { sha256Hex, utf8Bytes } from '@netd/protocol';
import { inCampaign, until } from '@netd/protocol/testing';
import type { Actor } from '../client.ts';
import { Agent, type AgentOptions } from './agent.ts';
import { slowStore } from './testing/slow-store.ts';
import { once, stage } from './testing/staged.ts';

const staged = stage();

async function open(t: TestContext, agentId: string, options: AgentOptions = {}): Promise<Agent> {
  const agent = await Agent.open(agentId, staged.world.options(options));
  t.after(() => agent.stop());
  return agent;
}

async function messageAt(messageId: string) {
  const { messages } = await staged.world.client.read('/v1/agent-messages', { limit: 1_000 });
  return messages.find((one) => one.messageId === messageId);
}

interface Forged {
  to: string;
  content?: Uint8Array;
  contentHash?: string;
  /** Context that the content is sealed for, if it differs from the message. */
  sealedFor?: { conversationId?: string; sequence?: number; fromAgentId?: string };
  sealedTo?: Parameters<typeof sealContent>[1][number];
}
let forged = 0;

/** A message that no honest agent would send. */
async function forge(sender: Actor, { to, content, contentHash, ...how }: Forged): Promise<string> {
  const { world } = staged;
  const messageId = `forged-${++forged}`;
  const ids = {
    fromAgentId: sender.actorId,
    toAgentId: to,
    conversationId: `talk-${forged}`,
    messageId,
    sequence: 1,
  };
  let bytes = content;
  if (!bytes && how.sealedTo) {
    const facts = { chainId: 'net-devnet-1', ...ids, ...how.sealedFor };
    bytes = (await sealContent(utf8Bytes('Which one?'), [how.sealedTo], facts)).bytes;
  }
  if (bytes) await world.storeAs(sender, bytes);
  const { height } = await world.client.network();
  await world.act(sender, 'sendAgentMessage', {
    schema: 'NET-AGENT-MESSAGE/1',
    ...ids,
    agentId: sender.actorId,
    kind: 'REQUEST',
    contentEncoding: 'application/ael-encrypted+json',
    contentHash: contentHash ?? sha256Hex(bytes ?? 'nothing'),
    expiresAtHeight: height + 1_000,
  });
  return messageId;
}

/** The node, with lists of what waits that arrive late and tell what was so when they were asked for. */
async function withLateLists(t: TestContext): Promise<string> {
  const server = createServer((incoming, response) => {
    const { method, url = '', headers } = incoming;
    const outgoing = request(staged.world.node.url + url, { method, headers }, (answer) => {
      const answerNow = (): void => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      };
      setTimeout(answerNow, url.includes('status=PENDING') ? 250 : 0);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await listening(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a question is answered, and everything is acknowledged', async (t) => {
  const echo = await open(t, 'echo');
  const heard: string[] = [];
  echo.onMessage(({ text, fromAgentId, kind }) => {
    heard.push(`${kind} ${fromAgentId}: ${text}`);
    return { youSaid: text };
  });
  void echo.run();
  const ada = await open(t, 'ada');
  const answer = await ada.ask('echo', 'Which one? 📜');
  assert.deepEqual(answer.json(), { youSaid: 'Which one? 📜' });
  assert.deepEqual([answer.fromAgentId, answer.kind], ['echo', 'RESPONSE']);
  const again = await ada.ask('echo', { n: 1 }, { conversationId: answer.conversationId });
  assert.deepEqual(again.json(), { youSaid: '{"n":1}' });
  const told = await ada.send('echo', 'It was the fourth.');
  await until(async () => (await messageAt(told.messageId))?.status === 'DELIVERED');
  const { messages } = await staged.world.client.read('/v1/agent-messages', {});
  assert.equal(messages.length, 5);
  await until(async () => {
    const now = await staged.world.client.read('/v1/agent-messages', { status: 'DELIVERED' });
    return now.messages.length === 5;
  });
  assert.deepEqual(heard, [
    'REQUEST ada: Which one? 📜',
    'REQUEST ada: {"n":1}',
    'EVENT ada: It was the fourth.',
  ]);
  for (const { contentHash } of messages) {
    const blob = new TextDecoder().decode((await staged.world.fetch(contentHash)) ?? undefined);
    assert.ok(blob.includes('ciphertext') && !blob.includes('Which') && !blob.includes('fourth'));
  }
});

/** A place that says that it is busy, until it is let go. */
async function busyPlace(t: TestContext) {
  const place = { url: '', isBusy: true, asked: 0 };
  const server = createServer(({ url = '' }, response) => {
    place.asked++;
    if (place.isBusy) {
      response.writeHead(503, { 'retry-after': '1' }).end();
      return;
    }
    request(`${staged.world.origins[0]}${url}`, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    }).end();
  });
  server.listen(0, '127.0.0.1');
  await listening(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  place.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return place;
}

test(
  'content that a busy place does not give now is waited for, and not rejected as gone',
  inCampaign,
  async (t) => {
    const { world } = staged;
    const agent = await open(t, 'patient-reader');
    await agent.stop();
    const place = await busyPlace(t);
    const reader = await open(t, 'patient-reader', { blobs: [place.url] });
    reader.onMessage(() => 'Never.');
    const eve = await world.join('eve-of-the-busy');
    const messageId = await forge(eve, { to: 'patient-reader', content: utf8Bytes('in clear') });
    const refused = once(reader, 'refused');
    void reader.run();
    // More often than content that is gone is asked for.
    await until(() => place.asked > 20);
    assert.equal((await messageAt(messageId))?.status, 'PENDING');
    place.isBusy = false;
    assert.equal((await refused).code, 'DOCUMENT_NOT_JSON', 'it has been read');
  },
);

test('an answer waits for a busy place that has the key of who asked, and so does a message', async (t) => {
  // Its endpoint is elsewhere than its metadata, which lies at stores alone.
  const store = await slowStore(t, staged.world.origins[0]!);
  store.isSlow = false;
  const asker = await open(t, 'hidden-asker', {
    endpoint: 'https://asker.example/',
    trustedOrigins: [store.url],
  });
  const { beacon } = await staged.world.client.read('/v1/agents/{agentId}', {
    agentId: 'hidden-asker',
  });
  const metadata = `/blobs/${(beacon as { metadataHash: string }).metadataHash}`;
  const answerer = await open(t, 'patient-answerer', { blobs: [store.url] });
  answerer.onMessage(() => {
    store.busyAt.add(metadata);
    return 'Here.';
  });
  void answerer.run();
  const heard = once(asker, 'answer');
  void asker.run();
  // A broken agent would report the second code and would not retry the answer.
  const codes = ['BLOB_UNAVAILABLE', 'RECIPIENT_HAS_NO_KEY'];
  const later = once(answerer, 'warning', ({ code }) => codes.includes(code));
  await asker.send('patient-answerer', 'Where?', { kind: 'REQUEST' });
  assert.equal((await later).code, 'BLOB_UNAVAILABLE');
  await assert.rejects(answerer.send('hidden-asker', 'There.', { timeout: 2_000 }), {
    code: 'BLOB_UNAVAILABLE',
  });
  store.busyAt.delete(metadata);
  assert.equal((await heard).message.text, 'Here.');
});

test('a list that is late begins nothing anew', async (t) => {
  const url = await withLateLists(t);
  const slow = await open(t, 'slow-reader', { url });
  const heard: string[] = [];
  slow.onMessage(({ text }) => {
    heard.push(text);
    return 'Yes.';
  });
  void slow.run();
  const asker = await open(t, 'asker');
  const questions = ['One?', 'Two?', 'Three?', 'Four?'];
  await Promise.all(questions.map((question) => asker.ask('slow-reader', question)));
  await slow.stop();
  assert.deepEqual(heard.toSorted(), questions.toSorted());
});

describe('what cannot be opened is rejected, with a code:', () => {
  const refused = async (
    t: TestContext,
    name: string,
    how: (to: Agent) => Promise<Omit<Forged, 'to'>>,
  ) => {
    const { world } = staged;
    const agent = await open(t, name);
    let called = false;
    agent.onMessage(() => {
      called = true;
      return 'Never.';
    });
    void agent.run();
    const eve = await world.join(`eve-of-${name}`);
    const event = once(agent, 'refused');
    const messageId = await forge(eve, { to: name, ...(await how(agent)) });
    const { code } = await event;
    const record = await until(async () => {
      const found = await messageAt(messageId);
      return found?.acknowledgement ? found : null;
    });
    assert.deepEqual([record.status, called], ['REJECTED', false]);
    return code;
  };
  const keyOf = async (agent: Agent) => {
    const { beacon } = await staged.world.client.read('/v1/agents/{agentId}', {
      agentId: agent.agentId,
    });
    const { metadataHash } = beacon as { metadataHash: string };
    return agentMetadata.read((await staged.world.fetch(metadataHash))!, metadataHash)
      .encryptionKey;
  };

  test('sealed to another key', async (t) => {
    const stranger = publicEncryptionKey(await generateEncryptionKey());
    const code = await refused(t, 'other-key', async () => ({ sealedTo: stranger }));
    assert.equal(code, 'SEALED_NOT_FOR_KEY');
  });
  test('sealed for another place in the conversation', async (t) => {
    const code = await refused(t, 'other-place', async (agent) => ({
      sealedTo: await keyOf(agent),
      sealedFor: { sequence: 2 },
    }));
    assert.equal(code, 'SEALED_CONTEXT_MISMATCH');
  });
  test('sealed by another sender, and sent on', async (t) => {
    const code = await refused(t, 'other-sender', async (agent) => ({
      sealedTo: await keyOf(agent),
      sealedFor: { fromAgentId: 'ada' },
    }));
    assert.equal(code, 'SEALED_CONTEXT_MISMATCH');
  });
  test('no sealed content at all', async (t) => {
    const code = await refused(t, 'no-seal', async () => ({ content: utf8Bytes('in clear') }));
    assert.equal(code, 'DOCUMENT_NOT_JSON');
  });
});

test('an answer goes to the key that the sender publishes now', async (t) => {
  const { world } = staged;
  const slow = await open(t, 'slow');
  const asker = await open(t, 'turncoat');
  const sent = await asker.send('slow', 'And now?', { kind: 'REQUEST' });
  await asker.stop();
  // Another machine, another encryption key: the old one is lost.
  await world.forgetKey('turncoat.encryption');
  const lines: string[] = [];
  const again = await open(t, 'turncoat', { log: (line) => void lines.push(line) });
  // The log names the missing file, because content sealed to the old key cannot be opened.
  assert.match(lines.join('\n'), /code: ENCRYPTION_KEY_MISSING, .*turncoat\.encryption\.json/);
  slow.onMessage(() => 'Now this.');
  void slow.run();
  const heard = once(again, 'answer');
  // Without a handler: answers are heard all the same, and a question waits.
  const question = await slow.send('turncoat', 'And you?', { kind: 'REQUEST' });
  void again.run();
  const { message } = await heard;
  assert.deepEqual([message.text, message.replyTo], ['Now this.', sent.messageId]);
  const { messages } = await world.client.read('/v1/agent-messages', { agentId: 'turncoat' });
  const waiting = messages.find(({ messageId }) => messageId === question.messageId);
  assert.equal(waiting?.status, 'PENDING');
});

test('refuses to ask an agent without a beacon, and times out if the answer never comes', async (t) => {
  const ada = await open(t, 'ada');
  await staged.world.join('mute');
  // Longer than the search for a key, however long its last look takes.
  await assert.rejects(ada.ask('mute', 'Hello?', { timeout: 60_000 }), {
    code: 'RECIPIENT_HAS_NO_KEY',
  });
  await assert.rejects(ada.send('no-such-agent', 'Hello?'), { code: 'RECIPIENT_UNKNOWN' });
  await open(t, 'absent');
  await assert.rejects(ada.ask('absent', 'Hello?', { timeout: 300 }), { code: 'ANSWER_TIMEOUT' });
});

test('a handler that throws each time rejects the message', async (t) => {
  const bad = await open(t, 'bad');
  let calls = 0;
  bad.onMessage(() => {
    calls++;
    throw new Error('not today');
  });
  void bad.run();
  const ada = await open(t, 'ada');
  await assert.rejects(ada.ask('bad', 'Hello?'), { code: 'MESSAGE_REJECTED' });
  assert.equal(calls, 3);
});

test(
  'a node that goes away at each step of an answer is waited for',
  { timeout: 600_000 },
  async (t) => {
    const { world } = staged;
    const outages = world.outagesAt([
      'message.answered',
      'message.sealed',
      'act.signed',
      'act.recorded',
      'message.sent',
    ]);
    const patient = await open(t, 'patient', { reach: outages.reach });
    const ada = await open(t, 'ada');
    patient.onMessage(() => 'I have all the time in the world.');
    void patient.run();
    outages.arm();
    const answer = await ada.ask('patient', 'Hurry!');
    assert.equal(answer.text, 'I have all the time in the world.');
    await until(async () => {
      // The node may be away just now.
      const found = await messageAt(String(answer.replyTo)).catch(() => null);
      return found?.status === 'DELIVERED';
    });
    await outages.over();
    const sent = await world.events('AgentMessageSent');
    assert.equal(sent.filter((data) => data['fromAgentId'] === 'patient').length, 1);
  },
);
