/**
 * An agent in a process of its own, to be killed: arguments are its name, the options as JSON, a file for
 * its trace, what it remembers, and what it does last: `rotate`, `hire`, or
 * `<provider>/<runtime>` to hand its memory over. NET_FAILPOINT says at
 * which moment it dies, as `act.signed@acceptWork` or `work.kept`. It appends what its handlers do to a file, and prints
 * what happens.
 */
import { appendFileSync, writeSync } from 'node:fs';
import { Agent, type AgentOptions } from '../agent.ts';
import type { Job } from '../work-job.ts';
import { FAILPOINTS, type ReachFailpoint } from '../failpoints.ts';

const [agentId = '', options = '{}', trace = '', remember = '', last = ''] = process.argv.slice(2);

/** @throws Error if there is no such failpoint */
function failpointFromEnvironment(plan: string | undefined): ReachFailpoint {
  if (plan === undefined || plan === '') return () => {};
  const [name = '', action] = plan.split('@');
  if (!Object.hasOwn(FAILPOINTS, name)) throw new Error(`unknown failpoint ${plan}`);
  return (reached, of) => {
    const isIt = reached === name && (action === undefined || action === of);
    if (isIt) process.kill(process.pid, 'SIGKILL');
  };
}

const say = (line: string): void => void writeSync(1, `${line}\n`);
const agent = await Agent.open(agentId, {
  ...(JSON.parse(options) as AgentOptions),
  log: say,
  reach: failpointFromEnvironment(process.env['NET_FAILPOINT']),
});
agent.on('paid', ({ orderId }) => say(`paid ${orderId}`));
agent.onWork(async (job) => {
  const result = agentId === 'stepper' ? await inSteps(job) : `The result of ${job.orderId}`;
  appendFileSync(trace, `worked on ${job.orderId}\n`);
  return result;
});

/** Thinks, hires and pays once, with terms that differ in each run. */
async function inSteps(job: Job): Promise<string> {
  const thought = await job.step('think', () => {
    appendFileSync(trace, `thought of ${job.orderId}\n`);
    return `Thought by ${process.pid}`;
  });
  const { orderId } = await job.hire('help', {
    title: 'Anything',
    instructions: `As JSON, asked by ${process.pid}.`,
    acceptance: [{ kind: 'json-schema', schema: {} }],
    funding: '5 NET',
  });
  const { transitionHash } = await job.act('tip', 'transfer', {
    to: 'helper',
    amount: process.pid,
  });
  appendFileSync(trace, `${thought}, hired ${orderId}, paid ${transitionHash}\n`);
  return thought;
}
agent.onMessage(({ messageId, text }) => {
  appendFileSync(trace, `heard ${messageId}\n`);
  return `You said: ${text}`;
});
agent.onHandover((memory) => {
  appendFileSync(trace, `took ${memory.agentId}\n`);
});
const run = agent.run();
say('open');
if (remember !== '') {
  agent.memory.set('remembered', remember);
  await agent.memory.commit();
  say('remembered');
}
const [providerId = '', runtimeId = ''] = last.split('/');
if (runtimeId !== '') {
  await agent.memory.handOver({ providerId, runtimeId });
  say('moved');
}
if (last === 'rotate') {
  await agent.rotateEncryptionKey();
  say('rotated');
}
if (last === 'hire') {
  await agent.hire({
    id: `job-of-${agentId}`,
    title: 'Anything',
    instructions: 'As JSON.',
    acceptance: [{ kind: 'json-schema', schema: {} }],
    funding: '5 NET',
  });
  say('hired');
}
await run;
