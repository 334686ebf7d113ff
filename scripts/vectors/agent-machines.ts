/**
 * The rules that an agent follows, and cases for each: what it sees, the effects that it runs with their outcomes,
 * what it records, emits and waits for.
 */
import { EVENT_MEMBERS } from '../../packages/sdk/scripts/agent-events.ts';
import { MACHINES, valuesOf } from '../../packages/sdk/scripts/machines.ts';

/**
 * A line after the name: `sees` facts; `do` an effect, which returns facts or throws: `!CODE`, with the kind of its
 * error; `set` members of the record; `emit` an event whose facts are at least these; `wait` milliseconds; `end`.
 */
const CASES = `
job: accepts, does, delivers and is paid
sees status=OPEN worker=null step=chosen attempts=0
do accept
set step=accepted
emit accepted
wait 0
sees status=ACCEPTED worker=me kept=null
do read offer=scope
do handle deliverableHash=aa
set step=kept deliverableHash=aa
do deliver deliverableHash=aa
emit delivered deliverableHash=aa
wait 0
sees status=VERIFYING phase=SUBMITTED
do keep
wait 60000
sees phase=VERIFIED due=7000 kept=null
do keep
wait 7000
sees due=0 kept=null
do keep
do settle receipt=it
wait 0
sees status=PAID phase=PAID kept=null
do paid amount=5
emit paid amount=5 receipt=it
end

job: skips an order whose terms have changed
sees status=OPEN step=chosen
do accept !ORDER_CHANGED
emit skipped code=ORDER_CHANGED next=never
end

job: skips an order that a lost balance cannot bond, until later
sees status=OPEN step=chosen
do accept !ORDER_UNSUITABLE
emit skipped code=ORDER_UNSUITABLE next=later
end

job: looks at no order for a while if its unproven agent has too many
sees status=OPEN step=chosen
do accept !WORK_UNPROVEN_LIMIT refused
emit skipped code=WORK_UNPROVEN_LIMIT next=full
end

job: looks at no order for a while if its agent has too many unfinished
sees status=OPEN step=chosen
do accept !WORK_UNFINISHED_LIMIT refused
emit skipped next=full
end

job: looks at no order for a while if its agent lacks the capability
sees status=OPEN step=chosen
do accept !CAPABILITY_MISSING refused
emit skipped next=full
end

job: skips an order that the chain refuses for another reason
sees status=OPEN step=chosen
do accept !WORK_ORDER_NOT_OPEN refused
emit skipped code=WORK_ORDER_NOT_OPEN next=never
end

job: retries if the node does not answer the acceptance
sees status=OPEN step=chosen
do accept !UNEXPECTED
throws UNEXPECTED

job: loses the race to another agent
sees status=ACCEPTED worker=other step=chosen
emit skipped code=WORK_ORDER_NOT_OPEN
end

job: leaves an order that ended before its acceptance
sees status=REJECTED worker=null step=chosen
end

job: ends with an order that a reset node does not know
sees status=null step=accepted
end

job: reports an order that it has released
sees status=OPEN worker=null released=true step=released
emit rejected reason=RELEASED next=never
end

job: reports an order whose deadline it has missed
sees status=ACCEPTED worker=other released=false step=kept
emit rejected reason=DELIVERY_TIMEOUT next=null
end

job: reports a rejection
sees status=REJECTED worker=me reason=VERIFICATION_REJECTED step=kept
do rejected findings=[] reasons=null
emit rejected reason=VERIFICATION_REJECTED
end

job: pauses the job type at the third rejection
sees status=REJECTED worker=me reason=VERIFICATION_REJECTED step=kept
do rejected findings=[] reasons=late,wrong
emit rejected
emit paused reasons=late,wrong
end

job: goes on after a crash between acceptance and its record, and releases after three failures
sees status=ACCEPTED worker=me step=chosen attempts=0
set step=accepted
do read offer=scope
do handle !UNEXPECTED used=1
set attempts=1
emit failed code=UNEXPECTED
do handle !RESULT_UNMET used=2
set attempts=2
emit failed code=RESULT_UNMET
do handle !UNEXPECTED used=3 spent=true
set attempts=3
emit failed
do release
set step=released
wait 0
sees status=ACCEPTED
wait 0

job: keeps an order that it may not release
sees status=ACCEPTED worker=me step=accepted spent=true offer=scope
do release !CAPABILITY_MISSING refused
set step=given-up
do free
wait 60000

job: does not call the handler again after the deadline, until the chain ends the order
sees status=ACCEPTED worker=me step=accepted offer=scope
do handle !JOB_DEADLINE
emit failed code=JOB_DEADLINE
wait 2000
sees status=ACCEPTED
do handle !JOB_DEADLINE
wait 2000
sees status=OPEN worker=null
emit rejected reason=DELIVERY_TIMEOUT
end

job: reads the order again once it is lost
sees status=ACCEPTED worker=me step=accepted offer=scope
do handle !JOB_LOST
wait 0
sees status=OPEN worker=null released=true
emit rejected reason=RELEASED
end

job: makes another result after a restart without the first
sees status=ACCEPTED worker=me step=kept attempts=0 offer=scope deliverableHash=aa
do deliver deliverableHash=null
set step=accepted deliverableHash=null
do handle deliverableHash=bb
set step=kept deliverableHash=bb
do deliver deliverableHash=bb
emit delivered
wait 0

job: waits until the chain counts the window as over
sees status=VERIFYING phase=VERIFIED due=0 worker=me step=kept
do keep
do settle !DISPUTE_WINDOW_OPEN refused
wait 2000

job: reports once that a jury rejected its result
sees status=VERIFYING phase=VOTED_DOWN worker=me step=kept
do keep
do verdict findings=[] bond=3 disputableUntil=then
emit votedDown bond=3 disputableUntil=then
wait 60000
sees kept=null
do keep
wait 60000
sees status=REJECTED reason=VERIFICATION_REJECTED
do rejected findings=[] reasons=null
emit rejected reason=VERIFICATION_REJECTED
end

job: proves a good result that a jury rejected
sees status=VERIFYING phase=VOTED_DOWN provable=true worker=me step=kept
do keep
do prove !PROOF_BLOCK_FULL refused
wait 2000
sees kept=null
do keep
do prove proven=true
wait 2000
sees status=PAID phase=ENDED kept=null
do paid amount=5
emit paid amount=5
end

job: says that a jury rejected its result, if it cannot prove that
sees status=VERIFYING phase=VOTED_DOWN provable=true worker=me step=kept
do keep
do prove proven=no
do verdict findings=[] bond=3 disputableUntil=then
emit votedDown bond=3 disputableUntil=then
wait 60000

job: answers a dispute if the result cannot be proven
sees status=VERIFYING phase=CONTESTED provable=true mustAnswer=true worker=me step=kept
do keep
do prove proven=no
do answer
wait 60000

job: answers a dispute, and warns if the chain refuses
sees status=VERIFYING phase=CONTESTED mustAnswer=true worker=me step=kept
do keep
do answer
wait 60000
sees kept=null
do keep
do answer !INSUFFICIENT_BALANCE refused
emit warning code=INSUFFICIENT_BALANCE
wait 60000

job: reads the order again if another has settled or disputed it
sees status=VERIFYING phase=VERIFIED due=0 worker=me step=kept
do keep
do settle !WORK_NOT_VERIFIED refused
wait 2000

result: waits for the vote
sees status=VERIFYING phase=SUBMITTED
wait 5000
sees phase=VERIFIED
end

result: takes a paid order
sees status=PAID phase=PAID
end

result: tells of a refund
sees status=REJECTED phase=REJECTED
do unpaid !ORDER_UNPAID
throws ORDER_UNPAID

result: tells of a dispute
sees status=VERIFYING phase=CONTESTED disputed=true
do disputed !ORDER_DISPUTED
throws ORDER_DISPUTED

accept: pays for a result that no jury judged
sees status=VERIFYING phase=UNJUDGED due=0
do settle
wait 0

accept: waits, pays, and waits for a node that lags
sees status=VERIFYING phase=DISPUTED
wait 5000
sees phase=VERIFIED due=300
wait 300
sees due=0
do settle !DISPUTE_WINDOW_OPEN refused
wait 2000
sees due=0
do settle !WORK_NOT_VERIFIED refused
wait 2000
sees due=0
do settle
wait 0
sees due=0
wait 5000
sees status=PAID phase=PAID
end

accept: tells of a refund
sees status=REJECTED phase=REJECTED
do unpaid !ORDER_UNPAID
throws ORDER_UNPAID

hireEvents: an acceptance
sees type=WorkAccepted workerId=walt
emit accepted workerId=walt
wait 0

hireEvents: a delivery
sees type=WorkResultSubmitted workerId=walt deliverableHash=aa
emit delivered workerId=walt deliverableHash=aa
wait 0

hireEvents: a vote
sees type=WorkVoted verifierId=vera vote=ACCEPT evidenceHash=ee
do words reason=good
emit voted verifierId=vera vote=ACCEPT reason=good
wait 0

hireEvents: a verified result
sees type=WorkVerified workerId=walt disputableUntil=7
do until disputableUntil=1970-01-01T00:00:00.007Z
emit verified disputableUntil=1970-01-01T00:00:00.007Z
wait 0

hireEvents: a delivery without a verdict
sees type=WorkUnjudged workerId=walt reason=SILENT disputableUntil=7
do until disputableUntil=1970-01-01T00:00:00.007Z
emit unjudged reason=SILENT disputableUntil=1970-01-01T00:00:00.007Z
wait 0

hireEvents: a rejection that the worker can dispute
sees type=WorkVotedDown workerId=walt disputableUntil=7
do until disputableUntil=1970-01-01T00:00:00.007Z
emit votedDown workerId=walt disputableUntil=1970-01-01T00:00:00.007Z
wait 0

hireEvents: a dispute
sees type=DisputeOpened actorId=walt
emit disputed openedBy=walt
wait 0

hireEvents: a release
sees type=WorkReleased before=WorkAccepted
wait 0
sees type=WorkOrderReopened before=WorkReleased workerId=walt
emit reopened workerId=walt reason=RELEASED
wait 0

hireEvents: a missed deadline of the worker
sees type=WorkOrderReopened before=WorkAccepted workerId=walt
emit timedOut workerId=walt reason=DELIVERY_TIMEOUT refund=null
emit reopened workerId=walt reason=DELIVERY_TIMEOUT
wait 0

hireEvents: a payment
sees type=WorkOrderPaid workerId=walt paid=5
emit paid amount=5
end

hireEvents: a cancellation
sees type=WorkOrderRejected reason=CANCELLED refund=6 workerId=null
emit cancelled refund=6
end

hireEvents: an order without a worker in time
sees type=WorkOrderRejected reason=ACCEPTANCE_TIMEOUT refund=6 workerId=null
emit timedOut reason=ACCEPTANCE_TIMEOUT refund=6
end

hireEvents: a rejection
sees type=WorkOrderRejected reason=VERIFICATION_REJECTED refund=5 workerId=walt
emit rejected reason=VERIFICATION_REJECTED refund=5
end

message: answers and acknowledges
sees step=new attempts=0 tries=0 seals=0
do open opened=it
do handle answered=true
set step=answered
do seal answer=payload seals=1
set step=sealed answer=payload
do send lost=false
set step=sent
do acknowledge
end

message: acknowledges a message that needs no answer
sees step=new attempts=0 tries=0
do open opened=it
do handle answered=false
set step=sent
do acknowledge
end

message: leaves a message that was acknowledged before
sees step=new tries=0
do open opened=null
end

message: waits for a busy store, and warns once
sees step=new tries=0
do open !BLOB_UNAVAILABLE
do later
emit warning code=BLOB_UNAVAILABLE
wait 0
sees step=new tries=1
do open !BLOB_UNAVAILABLE
do later
wait 0

message: waits for a newer key, and warns once
sees step=new tries=0
do open !ENCRYPTION_KEY_OUTDATED
do later
emit warning code=ENCRYPTION_KEY_OUTDATED
wait 0
sees step=new tries=1
do open !ENCRYPTION_KEY_OUTDATED
do later
wait 0

message: rejects content that no store has, at the sixth attempt
sees step=new tries=4
do open !BLOB_NOT_FOUND
do later
wait 0
sees step=new tries=5
do open !BLOB_NOT_FOUND
set step=sent code=BLOB_NOT_FOUND
emit refused code=BLOB_NOT_FOUND
do acknowledge
end

message: rejects content that is sealed to another key
sees step=new tries=0
do open !SEALED_NOT_FOR_KEY unreadable
set step=sent code=SEALED_NOT_FOR_KEY
emit refused
do acknowledge
end

message: rejects if the handler fails three times
sees step=new attempts=0 tries=0
do open opened=it
do handle !UNEXPECTED attempt=1
set attempts=1
emit warning code=HANDLER_FAILED
do handle !UNEXPECTED attempt=2
set attempts=2
emit warning code=HANDLER_FAILED
do handle !UNEXPECTED attempt=3
set step=sent code=HANDLER_FAILED
emit refused code=HANDLER_FAILED
do acknowledge
end

message: does not answer a sender without a key
sees step=answered tries=0
do seal !RECIPIENT_HAS_NO_KEY
set step=sent
emit warning code=RECIPIENT_HAS_NO_KEY
do acknowledge
end

message: waits for a store with the sender's key, twelve times
sees step=answered tries=11
do seal !BLOB_UNAVAILABLE
do later
emit warning
wait 0
sees step=answered tries=12
do seal !BLOB_UNAVAILABLE
set step=sent
emit warning
do acknowledge
end

message: seals again after a faster message, an expiry and a lost file
sees step=sealed tries=0 seals=0
do send !MESSAGE_SEQUENCE_GAP refused
set step=answered
do seal seals=1 answer=payload
set step=sealed answer=payload
do send !MESSAGE_EXPIRED refused
set step=answered
do seal seals=2 answer=payload
set step=sealed answer=payload
do send lost=true
set step=answered
do seal seals=6 answer=payload
set step=sealed answer=payload
do send !MESSAGE_SEQUENCE_GAP refused
set step=sent
emit warning code=MESSAGE_SEQUENCE_GAP
do acknowledge
end

message: acknowledges after an answer that an earlier process sent, despite a refusal
sees step=sealed
do send !MESSAGE_ID_USED refused
set step=sent
do acknowledge !MESSAGE_UNKNOWN refused
emit warning code=MESSAGE_UNKNOWN
end
`;

export function agentMachines(): object {
  return { machines: MACHINES, events: EVENT_MEMBERS, cases: CASES.trim().split('\n\n').map(caseOf) };
}

function caseOf(text: string): object {
  const [head = '', ...lines] = text.split('\n');
  const [machine, name] = head.split(': ');
  const steps = lines.map((line) => {
    const [, verb = '', what = '', rest = ''] = /^(\w+) ?([^ =]*)(?= |$)(.*)$/.exec(line) ?? [];
    const facts = valuesOf(verb === 'sees' || verb === 'set' ? line : rest);
    const [, code, kind] = /!(\w+) ?(\w*)(?=$| )/.exec(rest) ?? [];
    if (verb === 'end') return { wait: null };
    if (verb === 'wait') return { wait: Number(what) };
    if (verb === 'sees' || verb === 'set') return { [verb]: facts };
    if (verb === 'throws') return { throws: what };
    if (code === undefined) return { [verb]: what, facts };
    return { do: what, throws: code, kind: kind || 'failed', facts };
  });
  return { machine, name, steps };
}
