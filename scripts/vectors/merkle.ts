import { merkleProof, merkleRoot, sha256Hex, type MerkleProof } from '@netd/protocol';

export function merkle(): unknown {
  const list = Array.from({ length: 8 }, (_, i) => sha256Hex(`leaf ${i}`));
  const valid = [
    [1, 0],
    [2, 1],
    [3, 2],
    [5, 4],
    [6, 3],
    [7, 0],
    [7, 6],
    [8, 5],
  ].map(([size = 0, index = 0]) => {
    const leaves = list.slice(0, size);
    return {
      leaf: leaves[index] ?? '',
      proof: merkleProof(leaves, index),
      root: merkleRoot(leaves),
    };
  });
  const leaf = list[4] ?? '';
  const root = merkleRoot(list.slice(0, 7));
  const proof = merkleProof(list.slice(0, 7), 4);
  const change = (changes: Partial<MerkleProof>): MerkleProof => ({ ...proof, ...changes });
  const zeros = '00'.repeat(32);
  const [first = '', ...others] = proof.path;
  const invalid: [string, string, MerkleProof, string][] = [
    ['another leaf', list[5] ?? '', proof, root],
    ['another root', leaf, proof, merkleRoot(list)],
    ['another index', leaf, change({ index: 5 }), root],
    ['an index beyond the size', leaf, change({ index: 7 }), root],
    ['a negative index', leaf, change({ index: -1 }), root],
    ['size zero', leaf, change({ treeSize: 0 }), root],
    ['a smaller size', leaf, change({ treeSize: 5 }), root],
    ['a size beyond 2^53', leaf, change({ treeSize: 2 ** 53 }), root],
    ['path too short', leaf, change({ path: proof.path.slice(0, -1) }), root],
    ['path too long', leaf, change({ path: [...proof.path, zeros] }), root],
    ['path empty', leaf, change({ path: [] }), root],
    ['path reversed', leaf, change({ path: proof.path.toReversed() }), root],
    ['capital hex', leaf, change({ path: [first.toUpperCase(), ...others] }), root],
    ['a short hash in the path', leaf, change({ path: [first.slice(2), ...others] }), root],
    ['an inner node as a leaf', first, change({ index: 2, treeSize: 4, path: others }), root],
    ['65 siblings', leaf, change({ path: Array.from({ length: 65 }, () => zeros) }), root],
  ];
  return {
    about:
      'RFC 6962 section 2.1 over leaves of 32 raw bytes; the root of no leaves is SHA-256 of nothing. roots[n] is over the first n leaves.',
    leaves: list,
    roots: Array.from({ length: list.length + 1 }, (_, size) => merkleRoot(list.slice(0, size))),
    valid,
    invalid: invalid.map(([name, text, changed, top]) => ({
      name,
      leaf: text,
      proof: changed,
      root: top,
    })),
  };
}
