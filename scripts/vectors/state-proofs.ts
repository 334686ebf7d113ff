import { bytesToHex, sha256, sha256Hex, stateKeyHash, stateRoot, subtreePath, compareKeyHashes, type TreeLeaf } from '@netd/protocol';

interface MadeProof {
  leaf: { kind: string; keyHash?: string; valueHash?: string };
  siblings: string[];
}

export function stateProofs(): unknown {
  const pairs: [string, string][] = [
    ['account/alice', '{"balance":5000000}'],
    ['account/bob', '{"balance":0}'],
    ['agent/alice', '{"status":"active"}'],
    ['agent/ünï', '"😀"'],
    ['chain/commitment', '{"eventsRoot":"00","transitionsRoot":"00"}'],
    ['order/o-1', 'null'],
    ['order/o-2', '[]'],
  ];
  const root = stateRoot(pairs);
  const prove = (key: string): MadeProof => proveState(pairs, key);
  const find = (kind: string): string => {
    for (let i = 0; ; i++) if (prove(`absent/${i}`).leaf.kind === kind) return `absent/${i}`;
  };
  const empty = find('empty');
  const other = find('other');
  const valid = [
    ...pairs.map(([key, value]) => ({ name: `${key} is present`, key, value, ...prove(key) })),
    { name: 'absent, nothing at the end of the path', key: empty, value: null, ...prove(empty) },
    { name: 'absent, another leaf there', key: other, value: null, ...prove(other) },
  ];
  const alice = 'account/alice';
  const value = '{"balance":5000000}';
  const proof = prove(alice);
  const aliceLeaf = { keyHash: stateKeyHash(alice), valueHash: sha256Hex(value) };
  const kindOther = (keyHash: string, valueHash = aliceLeaf.valueHash): MadeProof => ({
    leaf: { kind: 'other', keyHash, valueHash },
    siblings: proof.siblings,
  });
  const [nearest = '', ...rest] = proof.siblings;
  // A neighbour whose path does not run by the key's: a true leaf of the tree in the wrong place.
  const stranger = pairs.find(([key]) => prove(key).siblings.at(-1) !== proof.siblings.at(-1)) ?? [
    '',
    '',
  ];
  const strangerLeaf = {
    kind: 'other',
    keyHash: stateKeyHash(stranger[0]),
    valueHash: sha256Hex(stranger[1]),
  };
  const invalid: ({ name: string; key: string; value: string | null } & MadeProof)[] = [
    { name: 'another value', key: alice, value: '{"balance":5000001}', ...proof },
    { name: 'another key', key: 'account/carol', value, ...proof },
    { name: 'presence without a value', key: alice, value: null, ...proof },
    { name: 'absence with a value', key: other, value: 'null', ...prove(other) },
    {
      name: 'a present key called empty',
      key: alice,
      value: null,
      leaf: { kind: 'empty' },
      siblings: proof.siblings,
    },
    {
      name: 'a present key called empty one level up',
      key: alice,
      value: null,
      leaf: { kind: 'empty' },
      siblings: rest,
    },
    {
      name: 'the other leaf is the key itself',
      key: alice,
      value: null,
      ...kindOther(aliceLeaf.keyHash),
    },
    {
      name: 'the other leaf does not share the path',
      key: alice,
      value: null,
      leaf: strangerLeaf,
      siblings: prove(stranger[0]).siblings,
    },
    {
      name: 'the key hash of the other leaf is cut short',
      key: alice,
      value: null,
      ...kindOther(aliceLeaf.keyHash.slice(0, 62)),
    },
    {
      name: 'the hashes of the other leaf are empty',
      key: alice,
      value: null,
      ...kindOther('', ''),
    },
    {
      name: 'the key hash of the other leaf is in capitals',
      key: alice,
      value: null,
      ...kindOther(aliceLeaf.keyHash.toUpperCase()),
    },
    {
      name: 'the key hash of the other leaf is too long',
      key: alice,
      value: null,
      ...kindOther(`${aliceLeaf.keyHash}00`),
    },
    { name: 'a sibling missing', key: alice, value, leaf: proof.leaf, siblings: rest },
    {
      name: 'a sibling too many',
      key: alice,
      value,
      leaf: proof.leaf,
      siblings: ['00'.repeat(32), ...proof.siblings],
    },
    {
      name: 'a sibling changed',
      key: alice,
      value,
      leaf: proof.leaf,
      siblings: ['00'.repeat(32), ...rest],
    },
    {
      name: 'siblings from the root to the leaf',
      key: alice,
      value,
      leaf: proof.leaf,
      siblings: proof.siblings.toReversed(),
    },
    {
      name: 'a sibling in capitals',
      key: alice,
      value,
      leaf: proof.leaf,
      siblings: [nearest.toUpperCase(), ...rest],
    },
    {
      name: 'a short sibling',
      key: alice,
      value,
      leaf: proof.leaf,
      siblings: [nearest.slice(2), ...rest],
    },
  ];
  const collision = ['account/alice', 'account/bob'].map((key): [string, string] => [key, '1']);
  return {
    about:
      'The state tree: leaf = SHA-256(00 | SHA-256(key) | SHA-256(value)), inner = SHA-256(01 | left | right), empty = 32 zero bytes, a subtree with one leaf is that leaf. value is canonical JSON text, null where absence is claimed. siblings run from the leaf to the root.',
    roots: [
      { name: 'no pair', pairs: [], root: stateRoot([]) },
      { name: 'one pair', pairs: [['a', '1']], root: stateRoot([['a', '1']]) },
      { name: 'two pairs', pairs: collision, root: stateRoot(collision) },
      { name: 'the pairs of the proofs below', pairs, root },
    ],
    root,
    valid,
    invalid,
    inEmptyTree: [
      {
        name: 'everything is absent',
        key: alice,
        value: null,
        leaf: { kind: 'empty' },
        siblings: [],
      },
    ],
  };
}

function proveState(pairs: readonly [string, string][], key: string): MadeProof {
  const leaves: TreeLeaf[] = pairs
    .map(([name, value]) => ({ keyHash: sha256(name), valueHash: sha256(value) }))
    .toSorted((a, b) => compareKeyHashes(a.keyHash, b.keyHash));
  const keyHash = sha256(key);
  const { siblings, leaf } = subtreePath(leaves, keyHash, 0);
  const end =
    leaf === null
      ? { kind: 'empty' }
      : compareKeyHashes(leaf.keyHash, keyHash) === 0
        ? { kind: 'present' }
        : {
            kind: 'other',
            keyHash: bytesToHex(leaf.keyHash),
            valueHash: bytesToHex(leaf.valueHash),
          };
  return { leaf: end, siblings: siblings.map((sibling) => bytesToHex(sibling)) };
}
