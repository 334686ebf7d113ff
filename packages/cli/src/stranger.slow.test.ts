/**
 * A stranger uses the commands to join, get money, verify, find work, deliver, be paid, talk and remember.
 */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { workScope } from '@netd/formats';
import { BlobClient } from '@netd/blobs/client';
import { AgentKey } from '@netd/sdk';
import { readKeyFile } from '@netd/node/keys';
import { until } from '@netd/protocol/testing';
import { Command } from './testing/command.ts';
import { startDevnet, writeDevJson, type Devnet } from './testing/devnet.ts';
import { done, runHere } from './testing/run-here.ts';

let devnet: Devnet;

before(async () => {
  devnet = await startDevnet({ stores: 2 });
  writeDevJson(devnet);
  process.env['NET_HOME'] = join(devnet.home, 'keys');
  process.env['NET_DATA_DIR'] = devnet.dataDir;
});
after(() => devnet.stop());

/** The join client is a separate program. */
async function joined(name: string): Promise<void> {
  const { home, node } = devnet;
  const keys = ['--key-dir', join(home, 'keys'), '--url', node.url];
  const { code, stderr } = await new Command(['join', name, ...keys], home).ended;
  assert.equal(code, 0, stderr);
}

const idOf = (stdout: string): string => /as (\S+)\.\n/.exec(stdout)?.[1] ?? '';

test('agents join, fund themselves, and announce the stores', async () => {
  for (const name of ['ada', 'rita', 'vera', 'vito', 'store-a', 'store-b']) await joined(name);
  for (const name of ['rita', 'vera', 'vito']) {
    await done(`act ${name} extendAgentCapabilities actions=faucet,createWorkOrder`);
    await done(`act ${name} faucet amount=900NET`);
  }
  assert.match(await done('balance rita'), /^rita {2}900 NET$/m);
  for (const [i, name] of ['store-a', 'store-b'].entries()) {
    const { port } = new URL(devnet.blobs[i]?.url ?? '');
    await done(
      `act ${name} publishBeacon endpoint=https://127.0.0.1:${port} capabilities=blobs protocols=netd-blobs/1`,
    );
  }
  // Stores on this machine must be named, because announcements do not suffice for local addresses.
  process.env['NET_BLOBS'] = devnet.blobs.map(({ url }) => url).join(',');
  assert.match(await done('agents'), /^ {2}ada +active/m);
  assert.match(await done('agents --capability blobs'), /store-b/);
  assert.match(await done('status'), /^ {2}takes part +6 active agents/m);
});

test('verifiers apply, the operator approves, they claim', async () => {
  const { dataDir } = devnet;
  for (const name of ['vera', 'vito']) {
    const applied = await done(`apply verifier bond=100NET --as ${name}`);
    const id = idOf(applied);
    assert.match(await done('approve'), new RegExp(`^ {2}${id} +${name} +VERIFIER`, 'm'));
    assert.match(await done(`apply verifier --as ${name}`), /waits for an operator/);
    const ungrouped = await runHere(['approve', id]);
    assert.equal(ungrouped.code, 1);
    assert.match(ungrouped.stderr, new RegExp(`Try: .*approve ${id} --group ${name}`));
    // The default agent is no operator.
    process.env['NET_AGENT'] = name;
    // Runs the printed line in another folder. The environment has what it omits.
    delete process.env['NET_DATA_DIR'];
    const [, line = ''] =
      /Next: .*?netd (approve .*)$/m.exec(await done(`approve -d ${dataDir}`)) ?? [];
    assert.equal(line, `approve ${id} --group ${name} --data-dir ${dataDir}`);
    await done(line);
    process.env['NET_DATA_DIR'] = dataDir;
    delete process.env['NET_AGENT'];
    assert.match(await done(`apply verifier --as ${name}`), new RegExp(`${name} is VERIFIER`));
  }
});

test('an order is found, taken, delivered, verified and paid', async () => {
  const scope = workScope.make({
    schema: 'NET-WORK-SCOPE/1',
    title: 'Say what it is',
    instructions: 'Three words.\u001B[2J',
    inputs: [],
    deliverable: { mediaType: 'text/plain', maxBytes: 20 },
    acceptance: [{ kind: 'review', question: 'Are these three words?' }],
  });
  const rita = await AgentKey.fromPem(
    readKeyFile(join(devnet.home, 'keys/net-devnet-1/rita.json')),
  );
  const signer = { keyId: 'rita', sign: (bytes: Uint8Array) => rita.signBytes(bytes) };
  await new BlobClient(devnet.blobs[0]?.url ?? '').put(scope.bytes, signer);
  writeFileSync(join(devnet.home, 'terms.json'), JSON.stringify({ scopeHash: scope.hash }));
  const terms = `@${join(devnet.home, 'terms.json')}`;
  const policy =
    'validationPolicy={"schema":"NET-WORK-VALIDATION-POLICY/1","mode":"INDEPENDENT_REVIEW","proofTypes":["ARTIFACT_HASH","CONSENSUS_REVIEW"],"requiredAccepts":2,"minIndependentGroups":2,"committeeSize":2,"sampleRateBps":0}';
  await done([
    'act',
    'rita',
    'createWorkOrder',
    terms,
    'orderId=order-1',
    'title=Three words',
    'jobType=research',
    'funding=12.5NET',
    policy,
  ]);

  assert.match(
    await done('work list'),
    /^ {2}order-1 +12\.5 NET .*Three words\n {2}Next: .* work show order-1$/m,
  );
  const shown = await done('work show order-1');
  assert.match(shown, /^ {4}Three words\.$/m, 'the scope, and nothing that steers the terminal');
  assert.match(shown, /verifiers say yes to: Are these three words\?/);
  assert.match(await done('work brief order-1 --as ada'), /for +any agent: ANY_AGENT/);

  const early = await runHere(['work', 'submit', 'order-1', '-', '--as', 'ada'], { input: 'x' });
  assert.equal(early.code, 1);
  assert.match(early.stderr, /it has not been accepted: .* work accept order-1 --as ada/);
  assert.match(
    await done('work accept order-1 --as ada'),
    /Next: .* work submit order-1 FILE --as ada/,
  );
  assert.match(await done('work list --mine --as ada'), /order-1 +ACCEPTED/);

  const long = await runHere(['work', 'submit', 'order-1', '-', '--as', 'ada'], {
    input: 'x'.repeat(21),
  });
  assert.equal(long.code, 1);
  assert.match(long.stderr, /does not meet the acceptance/);
  writeFileSync(join(devnet.home, 'result.md'), 'Just three words');
  const file = join(devnet.home, 'result.md');
  const submitted = JSON.parse(await done(`work submit order-1 ${file} --as ada --json`)) as {
    deliverableHash: string;
  };
  for (const { url } of devnet.blobs) {
    const bytes = await new BlobClient(url).get(submitted.deliverableHash);
    assert.equal(new TextDecoder().decode(bytes ?? undefined), 'Just three words');
  }
  const again = JSON.parse(await done(`work submit order-1 ${file} --as ada --json`)) as unknown;
  assert.deepEqual(again, submitted, 'as it stands on the chain');
  const other = ['work', 'submit', 'order-1', '-', '--as', 'ada'];
  const twice = await runHere(other, { input: 'Other three words' });
  assert.match(twice.stderr, /it is VERIFYING, and its worker is ada/);

  await until(async () => (await done('work show order-1')).includes('verifiers must accept'));
  const reason = Buffer.from(JSON.stringify({ reason: 'These are three.\u001B[2J' }));
  const evidenceHash = await new BlobClient(devnet.blobs[0]?.url ?? '').put(reason, signer);
  for (const name of ['vera', 'vito']) {
    await done(
      `act ${name} voteWork orderId=order-1 vote=ACCEPT evidenceHash=${evidenceHash} reExecutionHash=${submitted.deliverableHash}`,
    );
  }
  assert.match(await done('work settle order-1 --as ada --wait'), /ada has 12\.5 NET more/);
  assert.match(await done('work settle order-1 --as ada --wait'), /settled by another agent/);
  const paid = await done('work show order-1');
  assert.match(paid, /PAID: The worker was paid/);
  assert.match(paid, /in their words \(content, not instructions\)/);
  for (const name of ['vera', 'vito'])
    assert.match(paid, new RegExp(`${name} +ACCEPT: These are three\\. \\[2J$`, 'm'));
  assert.match(await done('balance ada'), /^ada {2}12\.5 NET$/m);
  assert.match(
    await done('events --order order-1 --type WorkOrderPaid'),
    /WorkOrderPaid +.*orderId=order-1/,
  );
});

test('a message is sealed, read once, answered', async () => {
  const none = await runHere(['message', 'rita', 'Hello?', '--as', 'ada']);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /The recipient has published no key to seal to \(rita\)/);
  assert.match(none.stderr, /published the beacon of ada/);
  assert.match(await done('message --read --as rita'), /no message waits/);
  const sent = await done(['message', 'rita', 'Hello\u001B[2J?', '--as', 'ada']);
  const id = idOf(sent);
  assert.match(
    await done('message --read --as rita'),
    new RegExp(`^ada {2}REQUEST ${id} .*\n {2}Hello\\?$`, 'm'),
  );
  assert.match(await done('message --read --as rita'), /no message waits/);
  await done(['message', 'ada', '-', '--reply-to', id, '--as', 'rita'], { input: 'Hello!' });
  const answered = JSON.parse(await done('message --read --json --as ada')) as {
    messages: { text: string; replyTo: string }[];
  };
  assert.deepEqual(
    answered.messages.map(({ text, replyTo }) => [text, replyTo]),
    [['Hello!', id]],
  );
  const chain = JSON.stringify(await (await fetch(`${devnet.node.url}/v1/agent-messages`)).json());
  assert.ok(!chain.includes('Hello'));
});

test('another machine reads the same memory', async () => {
  assert.match(await done('remember seen 42 --as ada'), /generation 1/);
  await done(['remember', 'name', 'a name', '--as', 'ada']);
  assert.equal(await done('remember seen --as ada'), '42\n');
  assert.match(await done('memory ada'), /^ {2}2 +\d+ /m);
  // Only the keys come from this machine.
  const keys = join(devnet.home, 'elsewhere', 'keys');
  cpSync(join(devnet.home, 'keys'), keys, { recursive: true });
  const elsewhere = await done(`remember --as ada --json --key-dir ${keys}`);
  assert.deepEqual(JSON.parse(elsewhere), { name: 'a name', seen: 42 });
  assert.deepEqual(JSON.parse(await done('remember --as ada --json')), {
    name: 'a name',
    seen: 42,
  });
  await done('remember seen --forget --as ada');
  const gone = await runHere(['remember', 'seen', '--as', 'ada', '--json']);
  assert.equal(gone.code, 1);
  assert.equal((JSON.parse(gone.stdout) as { code: string }).code, 'NOT_REMEMBERED');
});

test('a session does what it may, and no more', async () => {
  await done('act ada extendAgentCapabilities actions=transfer');
  const granted = JSON.parse(
    await done('sessions grant shop --actions transfer --budget 5NET --as ada --json'),
  ) as { path: string };
  assert.equal(
    (JSON.parse(readFileSync(granted.path, 'utf8')) as { sessionId: string }).sessionId,
    'shop',
  );
  await done(`act ada transfer to=rita amount=2NET --key ${granted.path}`);
  const wide = await runHere([
    'act',
    'ada',
    'transfer',
    'to=rita',
    'amount=4NET',
    '--key',
    granted.path,
    '--json',
  ]);
  assert.equal(wide.code, 1);
  assert.equal((JSON.parse(wide.stdout) as { code: string }).code, 'SESSION_BUDGET_EXCEEDED');
  assert.match(await done('sessions list --as ada'), /^ {2}shop +2 NET +5 NET +\d+ +transfer/m);
  const again = await runHere(
    'sessions grant shop --actions transfer --budget 5NET --as ada'.split(' '),
  );
  assert.match(again.stderr, /is there already/);
  await done('sessions revoke shop --as ada');
  const ended = await runHere([
    'act',
    'ada',
    'transfer',
    'to=rita',
    'amount=1NET',
    '--key',
    granted.path,
  ]);
  assert.equal(ended.code, 1);
  assert.match(await done('sessions list --as ada'), /no session that lives/);
});
