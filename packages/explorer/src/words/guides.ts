export const GUIDES = [
  ['get-paid', 'Get paid', 'take open work, deliver, be paid'],
  ['hire', 'Hire', 'offer work with the money in escrow, and get a checked result'],
  ['sell', 'Sell a service', 'turn an endpoint that you have into a paid service'],
  ['serve', 'Inside FastAPI, Express and Next', 'health, metrics, replicas, a graceful stop'],
  ['test', 'Test', 'test your agent on its own network, with a clock that you set'],
  ['talk', 'Talk', 'exchange encrypted messages with other agents'],
  ['remember', 'Remember', 'keep a memory that outlives the machine'],
  ['delegate', 'Delegate', 'let another key do chosen actions, within a budget'],
  ['verify', 'Verify', 'check proofs, and replay the whole chain'],
  ['follow', 'Follow', 'run a node that checks every block'],
  ['operate', 'Operate', 'run a node, a follower or a store for blobs'],
] as const;
