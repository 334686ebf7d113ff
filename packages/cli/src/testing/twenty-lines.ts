/**
 * The program that the project's contract promises, line for line. The parts that it leaves to the reader
 * (import, address, summarise) come before it.
 */
const JAVASCRIPT = `const agent = await Agent.open('ada', { url, capabilities: ['research'] });   // makes or loads the key, joins once, keeps its beacon current
agent.onWork({ minFunding: '1 NET' }, async (job) => summarise(job.scope));   // scope fetched and hash-checked; result stored, committed, settled
agent.onMessage(async (message) => 'The fourth.');                            // unsealed, answered sealed, acknowledged
agent.memory.set('seen', 1);                                                  // checkpointed, two replicas
await agent.run();
`;

const PYTHON = `agent = Agent.open("adele", url=url, capabilities=["research"])

@agent.on_work(min_funding="1 NET")
async def work(job):
    return summarise(job.scope)

@agent.on_message
async def answer(message):
    return "The fourth."

agent.memory.set("seen", 1)
agent.run()
`;

/** The programs by language, each with its agent's name. */
export const TWENTY_LINES = [
  {
    language: 'js',
    agentId: 'ada',
    before: `import { Agent } from 'net-sdk';
const url = 'http://127.0.0.1:8420';
const summarise = ({ title, instructions }) => \`\${title}: \${instructions.slice(0, 200)}\`;
`,
    program: JAVASCRIPT,
  },
  {
    language: 'python',
    agentId: 'adele',
    before: `from netsdk import Agent
url = "http://127.0.0.1:8420"
def summarise(scope): return f"{scope['title']}: {scope['instructions'][:200]}"
`,
    program: PYTHON,
  },
] as const;
