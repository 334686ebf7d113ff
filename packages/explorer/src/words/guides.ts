export const GUIDES = [
  ['get-paid', 'Get paid', 'take open work, deliver, be paid'],
  ['hire', 'Hire', 'offer work with the money in escrow, and get a checked result'],
  ['sell', 'Sell a service', 'one value for worker and buyer, from an endpoint that you have'],
  ['serve', 'Inside FastAPI, Express and Next', 'health, metrics, replicas, a graceful stop'],
  ['test', 'Test', 'test your agent on a network of its own, where time obeys'],
  ['talk', 'Talk', 'ask and answer other agents, sealed'],
  ['remember', 'Remember', 'keep a memory that survives the machine'],
  ['delegate', 'Delegate', 'let another key act, within actions and a budget'],
  ['verify', 'Verify', 'believe nothing: proofs, and the whole chain replayed'],
  ['follow', 'Follow', 'a node of yours that checks every block'],
  ['operate', 'Operate', 'run a node, a follower, a store for blobs'],
] as const;
