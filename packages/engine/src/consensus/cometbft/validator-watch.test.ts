import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { ValidatorWatch } from './validator-watch.ts';
import { BlockIDFlag, RequestFinalizeBlockSchema } from './wire/abci_pb.js';

const NAMES = ['ada', 'bob', 'cleo', 'dora'];
const START = Date.parse('2026-01-01T00:00:00.000Z');

const addressOf = (name: string): Uint8Array => Buffer.from(name.padEnd(20));
const nameOf = (address: string): string => Buffer.from(address, 'hex').toString().trim();

class Heights {
  readonly watch = new ValidatorWatch();
  private height = 0;
  now = START;

  /** @param absent the validators that do not vote */
  decide(count: number, absent: readonly string[] = [], { seconds = 5, names = NAMES } = {}): this {
    for (let decided = 0; decided < count; decided++) {
      this.height += 1;
      this.now += seconds * 1_000;
      const votes = names.map((name) => ({
        validator: { address: addressOf(name), power: 10n },
        blockIdFlag: absent.includes(name)
          ? BlockIDFlag.BLOCK_ID_FLAG_ABSENT
          : BlockIDFlag.BLOCK_ID_FLAG_COMMIT,
      }));
      const request = create(RequestFinalizeBlockSchema, {
        height: BigInt(this.height),
        time: { seconds: BigInt(Math.floor(this.now / 1_000)), nanos: 0 },
        proposerAddress: addressOf(names[this.height % names.length]!),
        decidedLastCommit: { votes },
      });
      this.watch.note(request, nameOf);
    }
    return this;
  }

  get kinds(): string[] {
    return this.watch.issues(this.now).map(({ kind, subject = '' }) => `${kind} ${subject}`.trim());
  }
}

test('names the validator that stopped, since when, and that one more would stop the chain', () => {
  const heights = new Heights().decide(10);
  assert.deepEqual(heights.kinds, []);
  const lastVote = new Date(heights.now).toISOString();
  heights.decide(2, ['cleo']);
  assert.deepEqual(heights.kinds, [], 'two late votes say nothing');
  heights.decide(1, ['cleo']);
  const [down, thin] = heights.watch.issues(heights.now);
  assert.match(
    down!.text,
    new RegExp(`cleo has not voted since ${lastVote}, and missed 3 of the last 13`),
  );
  assert.match(thin!.text, /3 of 4 validators vote, .* bring back cleo/);
  assert.deepEqual(heights.kinds, ['validator-down cleo', 'quorum-thin']);
  assert.deepEqual(heights.decide(1).kinds, [], 'a validator that votes again is not down');
});

test('waits for time as well as heights, because a busy chain decides ten in a second', () => {
  const heights = new Heights().decide(10);
  assert.deepEqual(heights.decide(14, ['bob'], { seconds: 1 }).kinds, []);
  assert.deepEqual(heights.decide(1, ['bob'], { seconds: 1 }).kinds[0], 'validator-down bob');
});

test('says nothing about heights that are replayed', () => {
  const heights = new Heights().decide(5, ['dora']);
  assert.equal(heights.kinds.length, 2);
  heights.now += 61_000;
  assert.deepEqual(heights.kinds, []);
});

test('counts votes, proposals and the margin over the last 100 heights', () => {
  const { watch } = new Heights().decide(150).decide(40, ['ada']);
  const { validators, window, quorumMargin, engineHeight } = watch.figures()!;
  assert.deepEqual([window, quorumMargin, engineHeight], [100, 0, 190]);
  assert.deepEqual(
    validators.map(({ validatorId, signed, missed, proposed, isDown }) => [
      validatorId,
      signed,
      missed,
      proposed,
      isDown,
    ]),
    [
      ['ada', 60, 40, 25, true],
      ['bob', 100, 0, 25, false],
      ['cleo', 100, 0, 25, false],
      ['dora', 100, 0, 25, false],
    ],
  );
  assert.equal(new Heights().watch.figures(), null);
});

test('forgets a validator that left the set, and has a larger margin in a larger set', () => {
  const names = ['ada', 'bob', 'cleo', 'dora', 'eve', 'finn', 'gus'];
  const heights = new Heights().decide(5, ['gus'], { names });
  assert.equal(heights.watch.figures()!.quorumMargin, 1);
  assert.deepEqual(heights.kinds, ['validator-down gus'], 'the quorum is not thin yet');
  heights.decide(1, [], { names: names.slice(0, 4) });
  assert.deepEqual(
    heights.watch.figures()!.validators.map(({ validatorId }) => validatorId),
    names.slice(0, 4),
  );
  assert.equal(heights.watch.figures()!.quorumMargin, 1);
});

test('names the validators that a stopped chain lacks, however long it stops, until the next height', () => {
  const heights = new Heights().decide(10);
  const silent = ['cleo', 'dora'].map((name) => Buffer.from(addressOf(name)).toString('hex'));
  heights.watch.noteSilent(new Set(silent));
  heights.now += 3_600_000;
  assert.deepEqual(heights.kinds, ['validator-down cleo', 'validator-down dora']);
  assert.equal(heights.watch.figures()?.quorumMargin, 0);
  assert.deepEqual(heights.decide(1).kinds, []);
});

test('names a validator whose votes are dated ahead of the others, however old the chain looks', () => {
  const heights = new Heights().decide(10);
  const dated = (ahead: number): void =>
    heights.watch.noteTimes(
      NAMES.map((name, index) => ({
        address: Buffer.from(addressOf(name)).toString('hex'),
        timestamp: new Date(
          heights.now + index * 100 + (name === 'cleo' ? ahead : 0),
        ).toISOString(),
      })),
    );
  dated(9_000);
  assert.deepEqual(heights.kinds, []);
  dated(3_600_000);
  const [issue] = heights.watch.issues(heights.now + 3_600_000);
  assert.match(issue!.text, /the clock of the validator cleo is 3600 seconds ahead/);
  dated(0);
  assert.deepEqual(heights.kinds, []);
});

test('says that the clock of this machine is behind the time of blocks', () => {
  const { watch, now } = new Heights().decide(2);
  assert.deepEqual(watch.issues(now - 9_000), []);
  assert.match(watch.issues(now - 60_000)[0]!.text, /this machine is 60 seconds behind/);
});
