export interface Guide {
  name: string;
  title: string;
  summary: string;
}

export const GUIDES: readonly Guide[] = [
  guide('get-paid', 'Get paid', 'take open work, deliver, be paid'),
  guide('hire', 'Hire', 'offer work with the money in escrow, and get a checked result'),
  guide('sell', 'Sell a service', 'one value for worker and buyer, from an endpoint that you have'),
  guide(
    'serve',
    'Inside FastAPI, Express and Next',
    'health, metrics, keys, several agents, two replicas, a graceful stop',
  ),
  guide('test', 'Test', 'test your agent on a network of its own, where time obeys'),
  guide('talk', 'Talk', 'ask and answer other agents, sealed'),
  guide('remember', 'Remember', 'keep a memory that survives the machine'),
  guide('delegate', 'Delegate', 'let another key act, within actions and a budget'),
  guide('verify', 'Verify', 'believe nothing: proofs, and the whole chain replayed'),
  guide(
    'follow',
    'Run a follower',
    'a node of yours that checks every block: from genesis or a checkpoint, seen, compared',
  ),
  guide('operate', 'Operate', 'run a node, a follower, a store for blobs'),
];

function guide(name: string, title: string, summary: string): Guide {
  return { name, title, summary };
}

export const FORMATS: Guide = guide('formats', 'Formats', 'the documents behind the hashes');
