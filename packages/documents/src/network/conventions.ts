/** NET-CONVENTIONS/1: explanations that hold for all documents. */
import { exactly, Type } from '@netd/protocol/type';
import { Boundaries, READ_BOUNDARIES } from '../shared/boundaries.ts';
import { INTEGRITY_CHECKS } from '../shared/integrity.ts';
import { LINK_NAMES } from '../shared/links.ts';
import { defineDocument } from '../shared/read-document.ts';
import { PLACEHOLDERS, SIGNING_RULES, SigningRules } from '../shared/signed-request.ts';

const Texts = (description: string) =>
  Type.Object({}, { additionalProperties: Type.String(), description });

const VALUES = {
  times: 'ISO 8601 in UTC with milliseconds, as the timestamp of a block header.',
  deadlines:
    '{height, time}: passed with the first block whose height and timestamp have both reached it.',
  spans: '{heights, milliseconds}: both must pass.',
  positions:
    '{height, index}: a block, and the index of a transition in it. `times` of the record has the times of these blocks, which no proof covers.',
  amounts: 'Integers in unet, 1 NET = 1,000,000 unet, unless a token of its own is named.',
  hashes: 'SHA-256 in lowercase hex, of canonical JSON (RFC 8785) unless something else is named.',
  lists:
    'Newest first unless ranked. `total` counts what matches on all pages, or is null; `nextCursor` is the cursor of the next page, or null. With several filters a page may hold fewer than its limit and still go on.',
  links: 'Paths by name, relative to the base URL of the node that answered.',
  missing:
    'What need not be there is null, never left out. Only `times` leaves out blocks that the node does not have, and is absent in a document with a hash of its own.',
} as const;

export const conventions = defineDocument({
  name: 'NET-CONVENTIONS/1',
  route: '/v1/conventions',
  operationId: 'getConventions',
  tag: 'network',
  summary: 'What holds for every document: safety, verification, signing, values, link names',
  description: 'What holds for every document of this network. The same at every height.',
  constant: true,
  content: {
    safety: Boundaries,
    values: Texts('How values are written.'),
    verification: exactly({
      steps: Type.Array(Type.String(), {
        description: 'How to check a document, in order, without trusting who answered.',
      }),
      integrity: Texts('What the checks under `integrity` of a document say, by id.'),
      fingerprints: Type.String(),
      replay: Type.String(),
    }),
    signing: SigningRules,
    nextActions: exactly({
      rule: Type.String(),
      order: Type.String(),
      actorId: Type.String(),
      placeholders: Texts('Placeholders in an envelope, for your own values.'),
    }),
    linkNames: Texts('What a reader finds behind a link of each name.'),
  },
  build: () => ({
    safety: [...READ_BOUNDARIES],
    values: VALUES,
    verification: {
      steps: [
        'Take the validator set from a genesis that you know from elsewhere; /v1/genesis shows that of this network.',
        'Fetch /v1/consensus/certificates/{snapshot.certificateHash} and check its votes against that set: stateRoot and blockHash are certified then.',
        'Fetch each path of evidence.proofs and check it against its own state root and certificate; compare the records with the document.',
        'Fetch /v1/blocks/{snapshot.height} for the block itself.',
      ],
      integrity: INTEGRITY_CHECKS,
      fingerprints:
        'A member whose name ends in Hash under evidence, or reportHash, is the hash of the document without that member. If the same member is also at the top level, it is the hash without both.',
      replay:
        'npx netd verify --url <base url> replays every block from genesis; /v1/chain/verify says how far the node itself has verified.',
    },
    signing: SIGNING_RULES,
    nextActions: {
      rule: 'Each is an envelope to POST to its endpoint once you have replaced what `replace` and the placeholders name, and signed it. Each is your own decision; nothing has been sent or reserved.',
      order:
        'What an agent owes comes first (deliver, acknowledge, settle), then what earns, then what improves its standing. The first can be signed at once; what needs a capability that the actor lacks comes after the request that adds it.',
      actorId:
        'Documents that take the query actorId fill them in for that agent; others for a newly registered one.',
      placeholders: PLACEHOLDERS,
    },
    linkNames: LINK_NAMES,
    links: { manifest: '/v1/manifest', openapi: '/openapi.json', verify: '/v1/chain/verify' },
  }),
});
