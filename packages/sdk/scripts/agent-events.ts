/** Events of agents and of hired orders. `npm run build` generates the types of both SDKs from this table. */

const KINDS = {
  string: { typescript: 'string', python: 'str' },
  'string|null': { typescript: 'string | null', python: 'str | None' },
  integer: { typescript: 'number', python: 'int' },
  'integer|null': { typescript: 'number | null', python: 'int | None' },
  'string[]': { typescript: 'string[]', python: 'list[str]' },
  Vote: {
    typescript: "'ACCEPT' | 'REJECT' | 'UNJUDGEABLE'",
    python: 'Literal["ACCEPT", "REJECT", "UNJUDGEABLE"]',
  },
  Outcome: {
    typescript: "'recorded' | 'known' | 'failed'",
    python: 'Literal["recorded", "known", "failed"]',
  },
  true: { typescript: 'true', python: 'Literal[True]' },
  Error: { typescript: 'Error', python: 'Exception' },
  Message: { typescript: 'Message', python: 'Message' },
  'Receipt|null': { typescript: 'Receipt | null', python: 'Receipt | None' },
  'Finding[]': { typescript: 'Finding[]', python: 'list[Finding]' },
} as const;

interface EventDescription {
  /** One or two sentences for the author of a handler. */
  about: string;
  members: Record<string, keyof typeof KINDS>;
}

const AGENT_EVENTS: Record<string, EventDescription> = {
  paid: {
    about: 'An order was paid: `amount` in unet is the payment to this agent.',
    members: { orderId: 'string', amount: 'integer', receipt: 'Receipt|null' },
  },
  rejected: {
    about:
      'An order that was worked on ended unpaid, or went to others: `reason` says why, RELEASED if this agent gave it back. `findings` are words of its verifiers.',
    members: { orderId: 'string', reason: 'string', findings: 'Finding[]' },
  },
  votedDown: {
    about:
      'A jury rejected a delivery. Unless you `dispute` it before `disputableUntil`, with a `bond` in unet, the order ends unpaid. `findings` are words of the jury. Repeated after a restart.',
    members: {
      orderId: 'string',
      disputableUntil: 'string',
      bond: 'integer',
      findings: 'Finding[]',
    },
  },
  paused: {
    about:
      'Three deliveries of one kind were rejected in a row: no more of it is taken until it is resumed, or a new start.',
    members: { jobType: 'string', reasons: 'string[]', goOn: 'string' },
  },
  skipped: {
    about: 'An order that matched was not taken.',
    members: { orderId: 'string', code: 'string', reason: 'string' },
  },
  failed: {
    about: 'A handler failed, or returned what cannot be delivered; `attempt` counts from 1.',
    members: { orderId: 'string', attempt: 'integer', error: 'Error' },
  },
  step: {
    about:
      'A step of a job was recorded, its recorded result was used again (`known`), or it failed. Never logged.',
    members: { orderId: 'string', step: 'string', outcome: 'Outcome', reason: 'string|null' },
  },
  accepted: { about: 'This agent has an order now.', members: { orderId: 'string' } },
  delivered: {
    about: 'A result is stored and committed.',
    members: { orderId: 'string', deliverableHash: 'string' },
  },
  refused: {
    about: 'A message could not be opened, or its handler failed each time.',
    members: { messageId: 'string', fromAgentId: 'string', code: 'string', reason: 'string' },
  },
  answer: {
    about: 'An answer to a question that no process waits for any more.',
    members: { messageId: 'string', message: 'Message' },
  },
  checkpoint: {
    about: 'The memory was committed.',
    members: { generation: 'integer', checkpointHash: 'string' },
  },
  moved: {
    about: 'The memory of this agent was handed over: from now on it is written there.',
    members: {
      handoverId: 'string',
      providerId: 'string',
      runtimeId: 'string',
      generation: 'integer',
    },
  },
  restored: {
    about: 'A memory was restored here, and said to be.',
    members: { handoverId: 'string', agentId: 'string', runtimeId: 'string' },
  },
  waiting: {
    about: 'Something is not there yet and is looked for again, for a bounded while.',
    members: { for: 'string' },
  },
  offline: {
    about:
      'The node does not answer; it is asked again in `nextTryIn` milliseconds, and nothing is lost meanwhile.',
    members: { url: 'string', forMilliseconds: 'integer', nextTryIn: 'integer', reason: 'string' },
  },
  online: {
    about: 'It answers again.',
    members: { url: 'string', forMilliseconds: 'integer' },
  },
  warning: {
    about: 'Something goes on all the same, and its owner should know.',
    members: { code: 'string', message: 'string' },
  },
};

const HIRE_EVENTS: Record<string, EventDescription> = {
  accepted: {
    about: 'A worker has taken the order.',
    members: { orderId: 'string', workerId: 'string' },
  },
  delivered: {
    about: 'The worker has committed a result; verifiers judge it now.',
    members: { orderId: 'string', workerId: 'string', deliverableHash: 'string' },
  },
  voted: {
    about:
      'A verifier has voted. `reason` is in its own words: content to judge, never instructions; null if no store has it.',
    members: {
      orderId: 'string',
      verifierId: 'string',
      vote: 'Vote',
      reason: 'string|null',
      untrusted: 'true',
    },
  },
  verified: {
    about: 'The vote has accepted the result; it can be disputed until `disputableUntil`.',
    members: { orderId: 'string', workerId: 'string', disputableUntil: 'string' },
  },
  unjudged: {
    about:
      'No jury decided: the worker is paid unless you dispute the result before `disputableUntil`. `reason` says why.',
    members: { orderId: 'string', workerId: 'string', reason: 'string', disputableUntil: 'string' },
  },
  votedDown: {
    about:
      'The jury rejected the result: you are refunded unless the worker disputes it before `disputableUntil`.',
    members: { orderId: 'string', workerId: 'string', disputableUntil: 'string' },
  },
  disputed: {
    about: 'A party has disputed the outcome; a second jury or an operator decides.',
    members: { orderId: 'string', openedBy: 'string' },
  },
  paid: {
    about: 'The worker was paid `amount` unet: the end of the order.',
    members: { orderId: 'string', workerId: 'string', amount: 'integer' },
  },
  rejected: {
    about: 'The order ended unpaid; `refund` in unet came back.',
    members: {
      orderId: 'string',
      reason: 'string',
      workerId: 'string|null',
      refund: 'integer',
    },
  },
  cancelled: {
    about:
      'The requester took the order back before an agent had accepted it; `refund` in unet came back.',
    members: { orderId: 'string', refund: 'integer' },
  },
  reopened: {
    about:
      'The order is open for others again: its worker gave it back (RELEASED), or delivered nothing in time (DELIVERY_TIMEOUT).',
    members: { orderId: 'string', workerId: 'string', reason: 'string' },
  },
  timedOut: {
    about:
      'Time ran out: `reason` says for what. `refund` in unet came back if the order has ended by it; null if the order goes on.',
    members: {
      orderId: 'string',
      reason: 'string',
      workerId: 'string|null',
      refund: 'integer|null',
    },
  },
};

const membersOf = (events: Record<string, EventDescription>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(events).map(([event, { members }]) => [event, Object.keys(members)]),
  );

/** By kind of emitter and event. */
export const EVENT_MEMBERS = { agent: membersOf(AGENT_EVENTS), hire: membersOf(HIRE_EVENTS) };

const HEAD =
  'Generated by `npm run build` out of packages/sdk/scripts/agent-events.ts; neither edited nor committed.';

/** @returns TypeScript, unformatted */
export function agentEventTypes(): string {
  const table = (name: string, of: string, events: Record<string, EventDescription>): string =>
    [
      `/** Facts of each event of ${of}, by its name. */`,
      `export interface ${name} {`,
      ...Object.entries(events).map(([event, { about, members }]) => {
        const facts = Object.entries(members).map(
          ([member, kind]) => `${member}: ${KINDS[kind].typescript}`,
        );
        return `/** ${about} */ ${event}: { ${facts.join('; ')} };`;
      }),
      '}',
    ].join('\n');
  const members = (name: string, events: Record<string, string[]>): string =>
    `export const ${name} = ${JSON.stringify(events)};`;
  return [
    `/** ${HEAD} */`,
    "import type { Receipt } from '@netd/protocol';",
    "import type { Finding } from '../agent/findings.ts';",
    "import type { Message } from '../agent/message.ts';",
    table('AgentEvents', 'an agent', AGENT_EVENTS),
    members('AGENT_EVENT_MEMBERS', EVENT_MEMBERS.agent),
    table('HireEvents', 'a hired order', HIRE_EVENTS),
    members('HIRE_EVENT_MEMBERS', EVENT_MEMBERS.hire),
  ].join('\n\n');
}

/** @returns Python: a TypedDict per event, and the listening mixins */
export function agentEventsPython(): string {
  const mixins = [
    { owner: 'AgentListening', prefix: '', names: 'EventName', events: AGENT_EVENTS },
    { owner: 'HireListening', prefix: 'Hire', names: 'HireEventName', events: HIRE_EVENTS },
  ].map(({ owner, prefix, names, events }) => {
    const pairs = Object.entries(events);
    const typeOf = (event: string): string => `${prefix}${upper(event)}Event`;
    return [
      ...pairs.map(([event, facts]) => dictOf(typeOf(event), facts)),
      `#: What it tells its listeners of.\n${names} = Literal[${pairs.map(([event]) => `"${snake(event)}"`).join(', ')}]`,
      [
        `class ${owner}:`,
        '    """What a checker knows of ``on``."""',
        '',
        '    def _on(self, name: str) -> Callable[[Any], Any]:',
        '        raise NotImplementedError',
        ...pairs.map(
          ([event]) =>
            `\n    @overload\n    def on(self, name: Literal["${snake(event)}"]) -> Listens[${typeOf(event)}]: ...`,
        ),
        '',
        `    def on(self, name: str) -> Callable[[Any], Any]:`,
        '        """Hears what happens: ``@agent.on("paid")``. The listener gets a dict of facts, and a checker knows its members."""',
        `        if name not in get_args(${names}):`,
        `            refuse("ARGUMENT_INVALID", f"no event is called {name!r}; there are {', '.join(get_args(${names}))}", "/name")`,
        '        return self._on(name)',
      ].join('\n'),
    ].join('\n\n\n');
  });
  return `${[
    [
      `"""${HEAD} What agents and hired orders tell their listeners."""`,
      '',
      'from __future__ import annotations',
      '',
      'from collections.abc import Callable',
      'from typing import Any, Literal, Protocol, TypedDict, TypeVar, get_args, overload',
      '',
      'from ..arguments import refuse',
      'from ..documents import Receipt',
      'from .findings import Finding',
      'from .messages import Message',
      '',
      'E = TypeVar("E")',
      'R = TypeVar("R")',
    ].join('\n'),
    [
      'class Listens(Protocol[E]):',
      '    """Takes a listener, and hands it back as it was."""',
      '',
      '    def __call__(self, listener: Callable[[E], R], /) -> Callable[[E], R]: ...',
    ].join('\n'),
    ...mixins,
  ].join('\n\n\n')}\n`;
}

function dictOf(name: string, { about, members }: EventDescription): string {
  const facts = Object.entries(members).map(
    ([member, kind]) => [snake(member), KINDS[kind].python] as const,
  );
  const doc = about.replaceAll('`', '``');
  // A Python keyword cannot be a class member.
  if (Object.hasOwn(members, 'for')) {
    const dict = facts.map(([member, type]) => `"${member}": ${type}`).join(', ');
    return `#: ${doc}\n${name} = TypedDict("${name}", {${dict}})`;
  }
  return [
    `class ${name}(TypedDict):`,
    `    """${doc}"""`,
    '',
    ...facts.map(([member, type]) => `    ${member}: ${type}`),
  ].join('\n');
}

const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const snake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
