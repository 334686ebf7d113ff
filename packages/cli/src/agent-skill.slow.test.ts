/**
 * Fetches the agent skill into an empty folder, as its index says, and follows it. A program that sees only
 * SKILL.md joins, earns, talks, remembers, pays, hires, and is stopped by its budget.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Agent } from '@netd/sdk';
import { World } from '@netd/sdk/testing/world';
import { unzipSync } from 'fflate';
import { Command } from './testing/command.ts';

interface Index {
  skills: { name: string; type: string; description: string; url: string; digest: string }[];
}

/** The rule of https://agentskills.io/specification. */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MOST_DESCRIPTION = 1_024;
/** Maximum length of the instructions: 5,000 tokens of four characters. */
const MOST_CHARACTERS = 20_000;

const ends: (() => unknown)[] = [];
let world: World;
let folder: string;
let skill: string;

before(async () => {
  world = await World.start({ after: (end: () => unknown) => void ends.push(end) });
  await Promise.all([world.staff(), world.announceBlobs()]);
  const index = `${world.node.url}/.well-known/agent-skills/index.json`;
  const { skills } = (await (await fetch(index)).json()) as Index;
  const [one] = skills;
  assert.ok(one, 'no skill is listed: npm run build');
  assert.match(one.name, NAME);
  assert.ok(one.description.length <= MOST_DESCRIPTION);
  const bytes = Buffer.from(await (await fetch(new URL(one.url, index))).arrayBuffer());
  assert.equal(one.digest, `sha256:${createHash('sha256').update(bytes).digest('hex')}`);
  folder = join(world.home, one.name);
  for (const [name, content] of Object.entries(unzipSync(bytes))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  skill = readFileSync(join(folder, 'SKILL.md'), 'utf8');
  assert.match(skill, new RegExp(`^---\nname: ${one.name}\n`));
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

/** The part of a command's JSON output that these tests read. */
interface Answer {
  exit: number | null;
  [member: string]: unknown;
}

/** Runs the line of SKILL.md that shows a command, with other values. */
async function follow(
  shown: RegExp,
  values: Record<string, string> = {},
  more: readonly string[] = [],
): Promise<Answer> {
  const [, line] =
    new RegExp(`^ {4}(node scripts/agent\\.mjs ada ${shown.source}.*?)(?: +#.*)?$`, 'm').exec(
      skill,
    ) ?? [];
  assert.ok(line, `SKILL.md shows nothing like ${shown.source}`);
  const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? values[bare ?? ''] ?? bare ?? '',
  );
  const args = [...words.slice(1), ...more];
  const env = { NET_URL: world.node.url, NET_HOME: join(world.home, 'keys') };
  const { code, stdout } = await new Command(args, folder, [process.execPath], env).ended;
  return { ...(JSON.parse(stdout) as object), exit: code };
}

describe('the skill', () => {
  test('names no file that it does not bring, and is short', () => {
    assert.ok(skill.length < MOST_CHARACTERS, `${skill.length}`);
    assert.doesNotMatch(skill, /@VERSION@/);
    const links = [...skill.matchAll(/\]\((references\/[^)]+)\)/g)].map(([, path]) => path ?? '');
    assert.ok(links.length >= 4);
    for (const path of [...links, 'scripts/agent.mjs', 'scripts/net-sdk.mjs', 'LICENSE']) {
      assert.ok(existsSync(join(folder, path)), path);
    }
  });

  test('joins, again too', async () => {
    const joined = await follow(/join/);
    assert.deepEqual([joined.exit, joined['agentId']], [0, 'ada'], String(joined['message']));
    const { height: _, ...same } = joined;
    const { height: __, ...again } = await follow(/join/);
    assert.deepEqual(again, same);
  });

  test('earns', async () => {
    const orderId = await world.order({
      jobType: 'report',
      requirements: [],
      scope: {
        deliverable: { mediaType: 'application/json', maxBytes: 10_000 },
        acceptance: [{ kind: 'json-schema', schema: { type: 'object', required: ['summary'] } }],
      },
    });
    const { opportunities } = await follow(/work/);
    assert.ok(JSON.stringify(opportunities).includes(orderId));
    const offer = await follow(/read/, { ORDER: orderId });
    assert.match(JSON.stringify(offer['untrusted']), /"required":\["summary"\]/);
    assert.equal((await follow(/take/, { ORDER: orderId }))['status'], 'ACCEPTED');
    writeFileSync(join(folder, 'result.json'), '{}');
    const unmet = await follow(/deliver/, { ORDER: orderId });
    assert.deepEqual([unmet.exit, unmet['code']], [1, 'RESULT_UNMET']);
    writeFileSync(join(folder, 'result.json'), '{"summary":"It is alive."}');
    assert.equal((await follow(/deliver/, { ORDER: orderId })).exit, 0);
    const settled = await follow(/settle/, { ORDER: orderId });
    assert.deepEqual([settled.exit, settled['status']], [0, 'PAID'], String(settled['message']));
    assert.equal(await world.balanceOf('ada'), 10_000_000);
  });

  test('remembers and pays, once', async () => {
    assert.equal((await follow(/remember/))['generation'], 1);
    assert.deepEqual((await follow(/recall/))['memory'], { seen: { papers: 3 } });
    const keys = join(world.home, 'keys-of-bob');
    const bob = await Agent.open('bob', { url: world.node.url, keys, log: false });
    await bob.stop();
    const paid = await follow(/pay/);
    assert.equal(paid.exit, 0, String(paid['message']));
    assert.equal((await follow(/pay/))['transitionHash'], paid['transitionHash']);
    assert.equal(await world.balanceOf('bob'), 500_000);
    assert.match(String((await follow(/status/))['balance']), /^9\.5 NET$/);
  });

  test('hires by a session, judges the result, pays, and is stopped by the budget', async () => {
    const { session, exit, message } = await follow(/grant/);
    assert.equal(exit, 0, String(message));
    const bySession = ['--session', String(session)];
    const [, job = ''] = /```json\n([^]*?)```/.exec(skill) ?? [];
    writeFileSync(join(folder, 'job.json'), job);
    const offered = await follow(/hire/, {}, bySession);
    assert.deepEqual([offered.exit, offered['status']], [0, 'OPEN'], String(offered['message']));
    // This is another order with the same text.
    const orderId = String(offered['orderId']);
    const { offered: known } = await follow(/status/, {}, bySession);
    assert.deepEqual(
      (known as { orderId: string }[]).map((order) => order.orderId),
      [orderId],
    );
    const as = { ada: 'eve', ORDER: orderId };
    assert.equal((await follow(/join/, as)).exit, 0);
    assert.equal((await follow(/take/, as))['status'], 'ACCEPTED');
    writeFileSync(join(folder, 'result.json'), '{"lines":["Rain."]}');
    assert.equal((await follow(/deliver/, as)).exit, 0);
    const found = await follow(/result/, {}, bySession);
    assert.deepEqual(
      [found['verdict'], found['workerId'], found['untrusted']],
      ['met', 'eve', { text: '{"lines":["Rain."]}' }],
      String(found['message']),
    );
    const settled = await follow(/settle haiku/, {}, bySession);
    assert.equal(settled['status'], 'PAID', String(settled['message']));
    assert.equal(await world.balanceOf('eve'), 4_000_000);
    // 4.08 NET of 5 are spent, which leaves room for a single payment.
    const tips: unknown[] = [];
    for (const id of ['tip-1', 'tip-2']) {
      const paid = await follow(/pay/, { bob: 'eve', 'rent-may': id }, bySession);
      tips.push(paid['code'] ?? null);
    }
    assert.deepEqual(tips, [null, 'SESSION_BUDGET_EXCEEDED']);
    assert.equal(await world.balanceOf('eve'), 4_500_000);
  });

  test('talks', async () => {
    assert.equal((await follow(/send/)).exit, 0);
    assert.deepEqual((await follow(/inbox/))['messages'], []);
  });

  test('says what is wrong as an object', async () => {
    const env = { NET_URL: world.node.url };
    const start = [process.execPath, join(folder, 'scripts/agent.mjs')] as const;
    const { code, stdout } = await new Command(['ada', 'fly'], folder, start, env).ended;
    assert.deepEqual([code, (JSON.parse(stdout) as { code: string }).code], [2, 'USAGE']);
  });
});
