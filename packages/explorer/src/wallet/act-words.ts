/** From schema and bytes, without the node: who, what, how much, until when, and what can be lost. */
import { amountsIn, isUnet, type JsonObject, type JsonValue } from '@netd/protocol';
import type { Part } from '../words/events.ts';
import { duration } from '../words/time.ts';
import { capitalized, words } from '../words/ids.ts';
import { visibleJson } from '../words/strangers.ts';
import { actionOf, withoutNull, type Schema } from './actions.ts';
import { textOf } from './json-text.ts';

export interface ActWords {
  /** The effect. */
  sentence: Part[];
  /** Every signed member. */
  facts: FactLine[];
  /** The signer gives these away or cannot undo them. */
  stakes: Part[][];
}

export interface FactLine {
  name: string;
  parts: Part[];
  /** Not in the schema; shown raw. */
  isUnknown: boolean;
}

export interface ChainClock {
  height: number;
  blockTimeMs: number;
}

type Tell = (payload: Readonly<Record<string, JsonValue>>, actorId: string) => Part[];

const actor = (id: JsonValue | undefined): Part => ({ kind: 'actor', id: textOf(id) });
const order = (id: JsonValue | undefined): Part => ({ kind: 'order', id: textOf(id) });
const token = (id: JsonValue | undefined): Part => ({ kind: 'token', id: textOf(id) });
const net = (unet: JsonValue | undefined): Part => ({ kind: 'net', unet: Number(unet) });
/** With invisible characters. */
const said = (value: JsonValue | undefined): Part => ({ kind: 'said', text: textOf(value) });
const list = (value: JsonValue | undefined): string =>
  Array.isArray(value) ? value.map((one) => words(textOf(one))).join(', ') : '';

/** Of common acts. Others use the contract's summary. */
const TOLD: Readonly<Record<string, readonly [sentence: Tell, ...stakes: Tell[]]>> = {
  transfer: [
    (p) => ['You send ', net(p['amount']), ' to ', actor(p['to']), '.'],
    (p) => [
      net(p['amount']),
      ' leave your account for good: only ',
      actor(p['to']),
      ' can send them back.',
    ],
    (p) => (p['memo'] === undefined ? [] : ['The memo is public, and stays in the chain.']),
  ],
  faucet: [
    (p) => ['You receive ', net(p['amount']), ' of test money from the faucet.'],
    () => ['Nothing is lost. The faucet pays each agent a limited sum, ever.'],
  ],
  extendAgentCapabilities: [
    (p) => [`You allow your own key: ${list(p['actions'])}.`],
    () => [
      'From then on, the key can do that without asking again: so can everyone who has the key file.',
    ],
  ],
  publishBeacon: [
    (p) => ['You can be found for ', list(p['capabilities']) || 'no capability', ', by everybody.'],
    () => ['All of it is public. It ends by itself, or when you withdraw it.'],
  ],
  createWorkOrder: [
    (p) => [
      'You offer ',
      net(p['funding']),
      ' for “',
      said(p['title']),
      '”',
      ...(p['agentId'] === undefined
        ? [', to any agent.']
        : [', to ', actor(p['agentId']), ' alone.']),
    ],
    (p) => [
      net(p['funding']),
      ', and on top of it what the verifiers share, leave your account now and lie in escrow. They are paid when the work is verified, and come back when it is not done in time or you cancel before an agent accepts.',
    ],
    () => ['The title is public; the scope hash commits you to the brief.'],
  ],
  acceptWork: [
    (p) => ['You take on the order ', order(p['orderId']), '.'],
    (p) =>
      p['workerBond'] === undefined
        ? ['Deliver in time: what you do not deliver counts against you.']
        : [
            net(p['workerBond']),
            ' of yours are locked until you deliver, and lost where you deliver nothing in time.',
          ],
  ],
  submitWorkResult: [
    (p) => ['You deliver ', order(p['orderId']), ', committed by the hash of its result.'],
    () => ['It cannot be exchanged for another result.'],
  ],
  settleVerifiedWork: [
    (p) => ['You have ', order(p['orderId']), ' paid to its worker, as it was verified.'],
    () => ['After it the order can no longer be disputed.'],
  ],
  openDispute: [
    (p) => ['You dispute ', order(p['orderId']), '; the operator decides.'],
    (p) => [
      ...(p['bond'] === undefined ? ['A bond'] : [net(p['bond'])]),
      ' of yours is locked. It is lost if the operator decides against you.',
    ],
  ],
  releaseWork: [
    (p) => ['You give ', order(p['orderId']), ' back undone.'],
    () => ['Another agent can take it. It is on your record.'],
  ],
  cancelWorkOrder: [
    (p) => ['You take your order ', order(p['orderId']), ' back.'],
    () => ['Its escrow comes back to you.'],
  ],
  delegate: [
    (p) => ['You put ', net(p['amount']), ' at stake with ', actor(p['validatorId']), '.'],
    () => [
      'It shares in the rewards of the validator, and in what evidence against it takes. It comes back only after a waiting time.',
    ],
  ],
  undelegate: [
    (p) => [
      'You take ',
      p['amount'] === undefined ? 'everything' : net(p['amount']),
      ' back from ',
      actor(p['validatorId']),
      '.',
    ],
    () => [
      'It reaches your account after the waiting time of the network; until then evidence can still take of it.',
    ],
  ],
  createToken: [
    (p) => [`You make the token ${textOf(p['symbol'])} (`, token(p['tokenId']), ').'],
    (p) =>
      p['mintAuthority'] === undefined
        ? ['No more of it can ever be minted.']
        : [actor(p['mintAuthority']), ' can mint up to the cap.'],
  ],
  transferToken: [
    (p) => [
      `You send ${textOf(p['amount'])} smallest units of `,
      token(p['tokenId']),
      ' to ',
      actor(p['to']),
      '.',
    ],
    () => ['Only the recipient can send them back.'],
  ],
  burnToken: [
    (p) => [`You destroy ${textOf(p['amount'])} smallest units of `, token(p['tokenId']), '.'],
    () => ['They are gone for good.'],
  ],
  sendAgentMessage: [
    (p) => ['You send a sealed message to ', actor(p['toAgentId']), '.'],
    () => ['That you write to each other, when, and how often, is public. What it says is not.'],
  ],
  acknowledgeAgentMessage: [
    (p) => [
      p['status'] === 'REJECTED' ? 'You refuse the message ' : 'You confirm the message ',
      textOf(p['messageId']),
      '.',
    ],
    () => ['Its sender, and everybody, sees that.'],
  ],
  grantSession: [
    (p) => [
      'Another key may act for you until its budget of ',
      net(p['budget']),
      ` is spent: ${list(p['actions'])}.`,
    ],
    (p) => [
      net(p['budget']),
      ' can leave your account by it, at most. Until you revoke it, the holder of its file acts as you within this.',
    ],
  ],
  revokeSession: [
    (p) => [`The session ${textOf(p['sessionId'])} ends now.`],
    () => ['Its key does nothing any more. What it has spent is spent.'],
  ],
  rotateAgentKey: [
    () => ['A new key replaces the key that you have signed with until now.'],
    () => [
      'The old key does nothing any more, and all sessions end. Keep the new file: without it the agent is lost.',
    ],
  ],
  setAgentRecovery: [
    (p) => [
      `Of ${list(p['guardians']) || 'no guardians'}, ${textOf(p['threshold'])} together can give your agent another key.`,
    ],
    () => ['Name agents that you trust with all that you have here.'],
  ],
  approveAgentRecovery: [
    (p) => ['You agree that ', actor(p['recoveringAgentId']), ' gets another key.'],
    () => ['If you were deceived, the agent is another’s.'],
  ],
  createOperatorInvitation: [
    (p) => [`You approve the application ${textOf(p['applicationId'])}.`],
    () => ['The applicant gets the role with the capabilities named here.'],
  ],
  rejectOperatorApplication: [(p) => [`You reject the application ${textOf(p['applicationId'])}.`]],
  setAgentStatus: [(p) => ['You set ', actor(p['agentId']), ` to ${words(textOf(p['status']))}.`]],
};

export function describeIntent(
  { actorId, action, payload }: { actorId: string; action: string; payload: JsonObject },
  clock: ChainClock,
): ActWords {
  const spec = actionOf(action);
  const [tell, ...stakes] = TOLD[action] ?? [];
  const sentence = tell?.(payload, actorId) ?? [
    spec?.summary ?? `You do “${action}”, which this wallet does not know.`,
  ];
  const told = stakes.map((one) => one(payload, actorId)).filter((parts) => parts.length > 0);
  const shown = new Set([sentence, ...told].flat().map(unetOfPart));
  const amounts = amountsIn(spec?.payload ?? {}, payload);
  return {
    sentence,
    facts: spec
      ? factsOf(spec.payload, payload, clock)
      : Object.entries(payload).map(([name, value]) => unknown(name, value)),
    stakes: [
      ...told,
      ...amounts
        .filter(({ unet }) => !shown.has(unet))
        .map(({ name, unet }) => [`${capitalized(words(name))}: `, net(unet), '.']),
    ],
  };
}

const unetOfPart = (part: Part): number | null =>
  typeof part === 'object' && part.kind === 'net' ? part.unet : null;

/** Unknown members are raw and marked. */
export function factsOf(
  schema: Schema,
  value: Readonly<Record<string, JsonValue>>,
  clock: ChainClock,
  within = '',
): FactLine[] {
  return Object.entries(value).flatMap(([member, one]) => {
    const properties = schema.properties ?? {};
    const known = Object.hasOwn(properties, member) ? properties[member] : undefined;
    const name = `${within}${within === '' ? capitalized(words(member)) : words(member)}`;
    if (!known) return [unknown(name, one)];
    const inner = withoutNull(known);
    if (inner.properties && typeof one === 'object' && one !== null && !Array.isArray(one)) {
      return factsOf(inner, one, clock, `${name}, `);
    }
    return [{ name, parts: partsOf(inner, one, clock), isUnknown: false }];
  });
}

const unknown = (name: string, value: JsonValue): FactLine => ({
  name,
  parts: [visibleJson(value)],
  isUnknown: true,
});

function partsOf(schema: Schema, value: JsonValue, clock: ChainClock): Part[] {
  if (value === null) return ['none'];
  const { title, enum: names } = schema;
  if (typeof value === 'number') {
    if (isUnet(schema)) return [net(value)];
    if (title === 'Height') return [heightText(value, clock)];
    return [value.toLocaleString('en')];
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return ['none'];
    return value.flatMap((one, at) => [
      ...(at === 0 ? [] : [', ']),
      ...partsOf(schema.items ?? {}, one, clock),
    ]);
  }
  if (typeof value === 'object') return [visibleJson(value)];
  const text = String(value);
  if (title === 'ActorId') return [actor(text)];
  if (title === 'Hash') return [{ kind: 'hash', hash: text }];
  if (names) return [words(text)];
  return [{ kind: 'said', text }];
}

function heightText(height: number, { height: now, blockTimeMs }: ChainClock): string {
  const left = height - now;
  if (left <= 0) return `height ${height.toLocaleString('en')}, which has passed`;
  return `height ${height.toLocaleString('en')}, ${left.toLocaleString('en')} blocks from now: ${duration(left * blockTimeMs)} or more`;
}
