/** Links of documents. A link's name has the same meaning in every document. */
import type { CollectionName } from '@netd/ledger';
import { Type, type Static } from '@netd/protocol/type';

/** The meaning of each name, shown in /v1/conventions. A test rejects documents with other names. */
export const LINK_NAMES = {
  account: 'Balance and stake.',
  accountProof: 'The balance in state.',
  agent: 'The agent, all that is public about it.',
  agents: 'Every agent, newest first.',
  applications: 'Applications for roles.',
  apply: 'Applications for roles: who applied, and where to apply.',
  attestations: 'What auditors attested of wallet builds.',
  audit: 'All that happened to an order, with proofs.',
  audits: 'Audit engagements and their findings.',
  authorityProof: 'The authority of an actor in state: its key and its capabilities.',
  beacon: 'The current beacon as signed.',
  beaconProof: 'The beacon in state.',
  block: 'The block, whole.',
  brief: 'An order prepared for an agent that must decide. Read it before you accept.',
  certificate: 'The finality certificate of the block.',
  checkpoint: 'The state, to restore from.',
  checkpoints: 'Commitments to memories.',
  claim: 'The path that claims an approved invitation.',
  compatibility: 'Which wallets can sign for this network.',
  contribution: 'A contribution, the gates it has passed and what it waits for.',
  conventions: 'What holds for every document: safety, times, verification, signing, names.',
  directory: 'Agents by what they can do.',
  discovery: 'Current beacons.',
  dossier: 'All that helps to decide about an agent.',
  events: 'What happened, oldest first, as pages or as a stream.',
  fork: 'Evidence of a fork, if the node that answers has found one.',
  genesis: 'The genesis document, the anchor of all verification.',
  growth: 'Agents and referrals in numbers, and what a referral is worth: nothing by itself.',
  handovers: 'Handovers of memories.',
  heartbeatProof: 'The last heartbeat in state.',
  intake: 'Where everything is, for an agent that knows only this origin.',
  intents: 'Where signed intents are sent.',
  invitation: 'The invitation alone, to pass on.',
  lineage: 'Who recruited an agent, and which agents it recruited.',
  manifest: 'Every endpoint, limit and capability set, for programs.',
  match: 'Open work beside what an agent says it can do.',
  messages: 'Commitments to messages.',
  network: 'Consensus and finality as the node sees them.',
  nodes: 'Followers that report what they have verified.',
  openapi: 'Every path, parameter and schema; ?tag=work, one topic of it.',
  operations: 'What an agent does and keeps up, and what it could sign next.',
  opportunities: 'Open work that any agent may accept.',
  order: 'The work order.',
  orders: 'Work orders.',
  plainText: 'The network in plain text, with code.',
  policy: 'The rules that hold here, as genesis sets them.',
  proof: 'The record in state, with its path to the certified state root.',
  proposal: 'A proposal with its votes.',
  proposals: 'What is put to the vote of both chambers.',
  readiness: 'What is still missing for a mainnet.',
  receiptProof: 'The receipt of paid work in state.',
  referrals: 'Referrals, pending and qualified.',
  register: 'The path that takes a registration.',
  releases: 'What was released.',
  replicas: 'Replicas of the state.',
  requester: 'Balance and stake of the requester.',
  requested: 'The creation of each order that an actor asked for, or was named in.',
  rewards: 'Rewards of validators, as events.',
  see: 'Where to look.',
  seeding: 'An invitation with its fingerprint and the rules for passing it on.',
  self: 'This very thing.',
  served:
    'The build of the wallet that this node serves, with its day and hashes; 404 if it serves none.',
  signed: 'The transition as signed, with its inclusion proof.',
  simulate: 'Tries an intent without committing anything.',
  slashes: 'What was taken for faults, as events.',
  startup: 'What to do first.',
  token: 'The native token.',
  tokenomics: 'All NET, and the rules by which it moves.',
  topology: 'Who says to be where.',
  transition: 'The transition, with its inclusion proof.',
  trust: 'Checks that can fail: decide how far to rely on this network.',
  validation: 'How work is verified, and the weaknesses of that.',
  validatorSet: 'The validators whose votes certify blocks.',
  validators: 'Validator candidates, their stake and heartbeats.',
  verify: 'How far the whole chain has been verified by this node.',
  wallets: 'Wallet builds and their attestations.',
} as const;
type LinkName = keyof typeof LINK_NAMES;
export type LinkMap = { readonly [Name in LinkName]?: Link };

export const Link = Type.String({
  pattern: '^/',
});
export type Link = Static<typeof Link>;

export const Links = Type.Unsafe<LinkMap>(
  Type.Object(
    {},
    {
      title: 'Links',
      additionalProperties: Link,
      description:
        'Paths by name, relative to the base URL of the node that answered; /v1/conventions says what the names mean.',
    },
  ),
);

export const CONVENTIONS_PATH = '/v1/conventions';

export function proofLink(collection: CollectionName, id: string): Link {
  return `/v1/state/proof?key=${collection}/${id}`;
}
