import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { plainText } from '@netd/protocol/sentences';
import {
  layoutOf,
  lineWidth,
  moveOf,
  nameOf,
  partyWords,
  pathOf,
  pictureOf,
  placeFault,
} from './picture.ts';
import { latestFinished, stepsOf, storyOf } from './story.ts';
import type { ChainEvent } from './stream.ts';

const NET = 1_000_000;
let at = 0;
const event = (type: string, data: Record<string, unknown>): ChainEvent => {
  at++;
  return { id: `${at}.0`, height: at, type, data };
};
const created = (orderId: string, requesterId: string, net: number): ChainEvent =>
  event('WorkOrderCreated', { orderId, requesterId, funding: net * NET, verificationFee: 0 });
const paid = (orderId: string, workerId: string, net: number): ChainEvent =>
  event('WorkOrderPaid', { orderId, workerId, requesterId: 'rita', paid: net * NET });

describe('the frames of the picture', () => {
  const frame = (from: number, to = from + 99) => ({ from, to });

  test('have places of their own, perhaps with gaps', () => {
    assert.equal(placeFault([]), null);
    assert.equal(placeFault([frame(300), frame(100), frame(0)]), null);
  });

  for (const [name, frames] of Object.entries({
    'between two others': [frame(100), frame(50), frame(0)],
    'that is there twice': [frame(100), frame(100)],
    'in the wrong order': [frame(0), frame(100)],
    'of another length': [frame(100, 149), frame(0)],
    'without blocks': [frame(200, 199)],
  })) {
    test(`are refused with one ${name}`, () => {
      assert.match(placeFault(frames) ?? '', /overlap/);
    });
  }
});

describe('the picture', () => {
  test('sums what each party locked, earned, lost and voted', () => {
    const picture = pictureOf([
      created('a', 'rita', 25),
      created('b', 'rita', 5),
      event('WorkVoted', { orderId: 'a', verifierId: 'vera' }),
      event('WorkVoted', { orderId: 'b', verifierId: 'vera' }),
      paid('a', 'wolf', 25),
      event('WorkOrderRejected', { orderId: 'b', workerId: 'wolf', refund: 5 * NET }),
      event('WorkOrderRejected', { orderId: 'c', requesterId: 'rita', refund: NET }),
      event('FaucetPaid', { actorId: 'ada', amount: 1 }),
    ]);
    const [rita] = picture.requesters;
    const [wolf] = picture.workers;
    const [vera] = picture.jurors;
    assert.ok(rita && wolf && vera);
    assert.deepEqual(partyWords('requester', rita), ['locked 30 NET']);
    assert.deepEqual(partyWords('worker', wolf), ['earned 25 NET', 'unpaid 5 NET']);
    assert.deepEqual(partyWords('juror', vera), ['2 votes']);
    assert.deepEqual(
      [picture.paidJobs, picture.refusedJobs, picture.earned],
      [1, 1, 25 * NET],
      'an offer that expired without a worker is no refused job',
    );
  });

  test('has bounded places in a stable order, and loses nobody', () => {
    const events = Array.from({ length: 20 }, (_, index) =>
      paid(`o${index}`, `w${index}`, 1 + index),
    );
    const { workers, earned } = pictureOf(events);
    assert.deepEqual(workers.map(nameOf), ['w16', 'w17', 'w18', 'w19', '16 others']);
    assert.equal(
      workers.reduce((sum, { unet }) => sum + unet, 0),
      earned,
    );
  });

  test('adds the parties of frames, and keeps the others in one place', () => {
    const party = (id: string | null, net: number) => ({
      id,
      unet: net * NET,
      refused: 0,
      times: 1,
    });
    const frame = {
      paidJobs: 3,
      refusedJobs: 1,
      earned: 60 * NET,
      workers: [party('wolf', 25), party('wim', 20), party(null, 15)],
    };
    const { workers, paidJobs, earned } = pictureOf([paid('z', 'wolf', 5)], [frame, frame]);
    assert.deepEqual(
      workers.map((one) => [nameOf(one), one.unet / NET]),
      [
        ['wim', 40],
        ['wolf', 55],
        ['others', 30],
      ],
    );
    assert.deepEqual([paidJobs, earned], [7, 125 * NET]);
  });

  test('draws lines as wide as their amount, and small amounts visibly', () => {
    assert.equal(lineWidth(0, 10), 0);
    assert.equal(lineWidth(10, 10), 2 * lineWidth(5, 10));
    assert.ok(lineWidth(1, 1e12) > 1);
  });

  test('keeps every node inside, on wide screens and on phones', () => {
    for (const isWide of [true, false]) {
      const { width, height, places, escrow } = layoutOf(isWide);
      for (const role of ['requester', 'worker', 'juror'] as const) {
        for (let of = 1; of <= 8; of++) {
          for (let index = 0; index < of; index++) {
            const place = places(role, index, of);
            assert.ok(place.x > 20 && place.x < width - 20, `${role} ${index} of ${of}`);
            assert.ok(place.y > 40 && place.y < height - 40, `${role} ${index} of ${of}`);
            assert.match(pathOf(role, place, escrow), /^M[\d. ]+[CL][\d. ]+$/);
          }
        }
      }
    }
  });

  test('moves every event', () => {
    assert.deepEqual(moveOf(created('a', 'rita', 1)), {
      from: { role: 'requester', id: 'rita' },
      to: 'escrow',
      tone: 'locks',
    });
    assert.deepEqual(moveOf(paid('a', 'wolf', 1)).to, { role: 'worker', id: 'wolf' });
    for (const [actorId, role] of [
      ['rita', 'requester'],
      ['wolf', 'worker'],
    ]) {
      const parties = { requesterId: 'rita', workerId: 'wolf', actorId };
      assert.deepEqual(moveOf(event('DisputeOpened', parties)).from, { role, id: actorId });
    }
    const other = moveOf(event('OfALaterVersion', {}));
    assert.deepEqual([other.from, other.to], ['network', 'network']);
    assert.equal(moveOf(event('WorkVoted', {})).from, 'network', 'without its member');
  });
});

describe('the story of a job', () => {
  const members = { orderId: 'a', requesterId: 'rita', workerId: 'wolf' };
  const vote = (verifierId: string, kind: string) =>
    event('WorkVoted', { ...members, verifierId, vote: kind });
  const events = [
    created('a', 'rita', 25),
    created('b', 'rita', 25),
    event('WorkAccepted', members),
    event('WorkResultSubmitted', members),
    event('WorkCommitteeDrawn', { ...members, verifierIds: ['v1', 'v2', 'v3'] }),
    vote('v1', 'ACCEPT'),
    vote('v2', 'ACCEPT'),
    vote('v3', 'REJECT'),
    event('WorkVerified', members),
    paid('a', 'wolf', 25),
    event('WorkerBondReturned', { ...members, amount: 1 }),
  ].toReversed();

  test('is that of the newest order that ended with a worker', () => {
    const expired = event('WorkOrderRejected', { orderId: 'c', requesterId: 'rita', refund: 1 });
    assert.equal(latestFinished([expired, ...events]), 'a');
    assert.equal(latestFinished([expired]), null);
  });

  test('says who asked, who did it, what the jury said, and who was paid', () => {
    const story = storyOf('a', events);
    assert.deepEqual(
      story?.steps.map(({ parts }) => plainText(parts)),
      [
        'rita locks 25 NET',
        'wolf takes the job',
        'wolf delivers',
        'A jury of 3 is drawn by lot',
        'The jury accepts the work: 2 of 3 jurors',
        'wolf is paid 25 NET',
      ],
    );
    assert.equal(story.isPaid, true);
    assert.equal(story.ended - Number(story.from), 9);
  });

  test('names another jury, and why nothing was paid', () => {
    const ended = (reason: string) =>
      event('WorkOrderRejected', { ...members, refund: 25_000_000, reason });
    const jury = (round: number) =>
      event('WorkCommitteeDrawn', { ...members, round, verifierIds: ['v1'] });
    const told = (...own: ChainEvent[]) =>
      storyOf('a', own.toReversed())?.steps.map(({ parts }) => plainText(parts));
    assert.deepEqual(told(jury(1), jury(2), ended('VERIFICATION_TIMEOUT')), [
      'A jury of 1 is drawn by lot',
      'Another jury of 1 is drawn by lot',
      'Too few votes in time. 25 NET goes back to rita',
    ]);
    assert.deepEqual(told(ended('OF_A_LATER_VERSION')), ['Not paid. 25 NET goes back to rita']);
  });

  test('says how many of a jury did not vote, and counts the votes of a second jury alone', () => {
    const jury = (...verifierIds: string[]) =>
      event('WorkCommitteeDrawn', { ...members, verifierIds });
    const told = (...own: ChainEvent[]) =>
      stepsOf('a', own.toReversed()).map(({ parts }) => plainText(parts));
    assert.deepEqual(
      told(
        jury('v1', 'v2', 'v3', 'v4', 'v5'),
        ...['v1', 'v2', 'v3'].map((id) => vote(id, 'ACCEPT')),
        event('WorkVerified', members),
        event('DisputeOpened', { ...members, actorId: 'rita' }),
        jury('v6'),
        vote('v6', 'REJECT'),
        event('WorkVotedDown', members),
      ),
      [
        'A jury of 5 is drawn by lot',
        'The jury accepts the work: 3 of 5 jurors, 2 did not vote',
        'rita disputes the result',
        'A jury of 1 is drawn by lot',
        'The jury rejects the work: 1 of 1 juror',
      ],
    );
  });

  test('knows if its beginning is missing, and does not exist before the end', () => {
    assert.equal(storyOf('a', events.slice(0, 4))?.from, null);
    assert.equal(storyOf('b', events), null);
  });
});
