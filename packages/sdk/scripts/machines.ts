/**
 * How an agent does a job, follows an order that it hired for, and answers a message. `npm run build` generates the
 * rules of both SDKs from these tables, `advance` of each SDK executes them, and `vectors/agent-machines.json`
 * publishes them with cases.
 *
 * A line is a rule. The first rule whose conditions hold is used; a missing fact is null. In this order a rule sets
 * facts (with), runs an effect (do), writes the record on disk (set), emits an event whose members are facts, and
 * waits: for so many milliseconds, or less if an event of the chain comes, or for ever (end). Indented lines are
 * the outcomes of the effect above: ok, the code of an error, or else its kind: refused by the chain, unreadable
 * content, failed for any. An error skips the rest of its rule; it is thrown if no line for it holds. After a rule
 * that does not wait, and if no line for ok holds, all rules apply again.
 */
import type { Rule } from '../src/agent/advance.ts';

/** The chain decides, because clocks differ. A node that shows a settled order unpaid lags, or lies. */
const SETTLE = `
phase=VERIFIED,UNJUDGED due=0 settled=null -> do settle
  ok                  -> with settled=true; wait 0
  DISPUTE_WINDOW_OPEN -> wait 2000
  WORK_NOT_VERIFIED   -> wait 2000
phase=VERIFIED,UNJUDGED settled=null -> wait $due`;

const TABLES = {
  // `worker`: me, other or null. `due`: milliseconds until the dispute window ends. `next` says when to look at an
  // order again: never, later, or at no order until later (full). `spent`: the handler is not called again. `used`: how
  // often it was called, or all its calls if it must not be called again.
  job: `
status=null             -> end
status=OPEN step=chosen -> do accept
  ok                    -> set step=accepted; emit accepted; wait 0
  ORDER_CHANGED         -> with next=never; emit skipped; end
  ORDER_UNSUITABLE      -> with next=later; emit skipped; end
  WORK_UNPROVEN_LIMIT   -> with next=full; emit skipped; end
  WORK_UNFINISHED_LIMIT -> with next=full; emit skipped; end
  CAPABILITY_MISSING    -> with next=full; emit skipped; end
  refused               -> with next=never; emit skipped; end
worker=null,other step=chosen status=ACCEPTED -> with code=WORK_ORDER_NOT_OPEN reason="another agent was faster"; emit skipped; end
worker=null,other step=chosen   -> end
worker=null,other released=true -> with next=never reason=RELEASED findings=[]; emit rejected; end
worker=null,other               -> with reason=DELIVERY_TIMEOUT findings=[]; emit rejected; end
status=PAID              -> do paid; emit paid; end
status=REJECTED          -> do rejected; emit rejected
  ok reasons=null        -> end
  ok                     -> emit paused; end
status=ACCEPTED step=chosen                  -> set step=accepted
status=ACCEPTED step=accepted offer=null     -> do read
status=ACCEPTED step=accepted spent=null -> do handle
  ok                     -> set step=kept deliverableHash=$deliverableHash
  JOB_LOST               -> wait 0
  JOB_DEADLINE late=null -> with late=true; emit failed; wait 2000
  JOB_DEADLINE           -> wait 2000
  failed                 -> set attempts=$used; emit failed
status=ACCEPTED step=accepted -> do release
  ok                     -> set step=released; wait 0
  refused                -> set step=given-up
status=ACCEPTED step=given-up -> do free; wait 60000
status=ACCEPTED step=kept     -> do deliver
  ok deliverableHash=null     -> set step=accepted deliverableHash=null
  ok                     -> emit delivered; wait 0
status=ACCEPTED          -> wait 0
kept=null                -> do keep
  ok                     -> with kept=true
phase=VOTED_DOWN,CONTESTED,DISPUTED provable=true proven=null -> do prove
  ok proven=true         -> with proven=null; wait 2000
  PROOF_BLOCK_FULL       -> wait 2000
phase=VOTED_DOWN told=null -> do verdict; emit votedDown
  ok                     -> with told=true
mustAnswer=true          -> do answer; wait 60000
  refused                -> emit warning; wait 60000${SETTLE}
-> wait 60000`,
  // A requester's wait for a result, and for its payment.
  result: `
status=REJECTED -> do unpaid
status=PAID     -> end
status=VERIFYING disputed=true -> do disputed
phase=VERIFIED,UNJUDGED -> end
-> wait 5000`,
  accept: `
status=REJECTED -> do unpaid
status=PAID     -> end${SETTLE}
-> wait 5000`,
  // A requester's events, from those of the chain. `before`: the type of the one before.
  hireEvents: `
type=WorkAccepted        -> emit accepted; wait 0
type=WorkResultSubmitted -> emit delivered; wait 0
type=WorkVoted           -> do words; emit voted; wait 0
type=WorkVerified        -> do until; emit verified; wait 0
type=WorkUnjudged        -> do until; emit unjudged; wait 0
type=WorkVotedDown       -> do until; emit votedDown; wait 0
type=DisputeOpened       -> with openedBy=$actorId; emit disputed; wait 0
type=WorkOrderReopened before=WorkReleased -> with reason=RELEASED; emit reopened; wait 0
type=WorkOrderReopened   -> with reason=DELIVERY_TIMEOUT refund=null; emit timedOut; emit reopened; wait 0
type=WorkOrderPaid       -> with amount=$paid; emit paid; end
type=WorkOrderRejected reason=CANCELLED -> emit cancelled; end
type=WorkOrderRejected reason=ACCEPTANCE_TIMEOUT,DELIVERY_TIMEOUT,VERIFICATION_TIMEOUT,UNVERIFIED -> emit timedOut; end
type=WorkOrderRejected   -> emit rejected; end
-> wait 0`,
  // `tries`: how often the message was put off. `seals`: how often its answer was sealed in this run.
  message: `
step=new opened=null -> do open
  ok opened=null                   -> end
  BLOB_UNAVAILABLE tries=0         -> do later; emit warning; wait 0
  BLOB_UNAVAILABLE                 -> do later; wait 0
  ENCRYPTION_KEY_OUTDATED tries=0  -> do later; emit warning; wait 0
  ENCRYPTION_KEY_OUTDATED          -> do later; wait 0
  BLOB_NOT_FOUND tries=0..4        -> do later; wait 0
  BLOB_NOT_FOUND                   -> set step=sent code=$code; emit refused
  unreadable                       -> set step=sent code=$code; emit refused
step=new -> do handle
  ok answered=true                 -> set step=answered
  ok                               -> set step=sent
  failed attempt=1,2               -> with code=HANDLER_FAILED; set attempts=$attempt; emit warning
  failed                           -> set step=sent code=HANDLER_FAILED; emit refused
step=answered -> do seal
  ok                               -> set step=sealed answer=$answer
  RECIPIENT_HAS_NO_KEY             -> set step=sent; emit warning
  BLOB_UNAVAILABLE tries=0..11     -> do later; emit warning; wait 0
  BLOB_UNAVAILABLE                 -> set step=sent; emit warning
step=sealed -> do send
  ok lost=true                     -> set step=answered
  ok                               -> set step=sent
  MESSAGE_SEQUENCE_GAP seals=0..5  -> set step=answered
  MESSAGE_EXPIRED seals=0..5       -> set step=answered
  MESSAGE_ID_USED                  -> set step=sent
  refused                          -> set step=sent; emit warning
-> do acknowledge
  ok                               -> end
  refused                          -> emit warning; end`,
};

export const MACHINES = Object.fromEntries(
  Object.entries(TABLES).map(([name, table]) => [name, rulesOf(table)]),
);

function rulesOf(table: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of table.trim().split('\n')) {
    const [conditions = '', steps = ''] = line.split('->');
    const rule: Rule & Record<string, unknown> = { if: valuesOf(conditions) };
    for (const step of steps.trim().split('; ')) {
      const [verb = '', ...rest] = step.split(' ');
      const what = rest.join(' ');
      if (verb === 'emit') rule[verb] = [...(rule[verb] ?? []), what];
      else if (verb === 'do') rule[verb] = what;
      else if (verb === 'with' || verb === 'set') rule[verb] = valuesOf(what);
      else rule['wait'] = verb === 'end' ? null : valueOf(what);
    }
    const outcome = /^ +(\w+)/.exec(line)?.[1];
    const above = rules.at(-1);
    if (outcome === undefined || !above) rules.push(rule);
    else ((above.on ??= {})[outcome] ??= []).push(rule);
  }
  return rules;
}

export function valuesOf(text: string): Record<string, unknown> {
  const pairs = [...text.matchAll(/(\w+)=("[^"]*"|\S+)/g)];
  return Object.fromEntries(pairs.map(([, name, value = '']) => [name, valueOf(value)]));
}

function valueOf(text: string): unknown {
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(text) ?? [];
  if (to !== undefined) return [...Array(Number(to) + 1).keys()].slice(Number(from));
  if (text.includes(',')) return text.split(',').map(valueOf);
  return /^(?:null|true|\d+|\[\]|".*")$/.test(text) ? (JSON.parse(text) as unknown) : text;
}

/** @returns TypeScript, unformatted */
export const machinesTypeScript = (): string =>
  [
    '/** Generated by `npm run build` out of packages/sdk/scripts/machines.ts; neither edited nor committed. */',
    "import type { Rule } from '../agent/advance.ts';",
    `type Machine = ${Object.keys(TABLES)
      .map((name) => `'${name}'`)
      .join(' | ')};`,
    `export const MACHINES: Readonly<Record<Machine, readonly Rule[]>> = ${JSON.stringify(MACHINES)};`,
  ].join('\n\n');
