/** Runs the shared vectors, and regenerates the files. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { makeVectors } from '../../../scripts/make-vectors.ts';
import * as protocol from './index.ts';
import type { JsonObject } from './index.ts';

const folder = new URL('../../../vectors/', import.meta.url);
const { hexToBytes, bytesToHex, utf8Bytes } = protocol;

type Named<T> = T & { name: string };
type Proof = Pick<protocol.StateProof, 'leaf' | 'siblings'> & { key: string; value: string | null };

function read(topic: string): unknown {
  return JSON.parse(readFileSync(new URL(`${topic}.json`, folder), 'utf8'));
}

test('the generator makes the committed files, byte for byte', () => {
  const made = makeVectors();
  // Golden chains and formats have generators of their own.
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  assert.deepEqual(files.toSorted(), [...made.keys()].toSorted());
  for (const [name, text] of made) {
    assert.ok(text === readFileSync(new URL(name, folder), 'utf8'), `${name} is out of date`);
  }
});

describe('canonical-json', () => {
  const topic = read('canonical-json') as {
    valid: Named<{ input: string; canonical: string }>[];
    numbers: { bits: string; text: string | null }[];
    invalid: Named<{ input: string }>[];
  };
  for (const { name, input, canonical } of topic.valid) {
    test(name, () => assert.equal(protocol.canonicalize(JSON.parse(input)), canonical));
  }
  for (const { bits, text } of topic.numbers) {
    test(`the number ${bits}`, () => {
      const value = Buffer.from(bits, 'hex').readDoubleBE();
      if (text === null) {
        assert.throws(() => protocol.canonicalize(value), protocol.CanonicalJsonError);
      } else {
        assert.equal(protocol.canonicalize(value), text);
      }
    });
  }
  for (const { name, input } of topic.invalid) {
    test(name, () => {
      assert.throws(() => protocol.canonicalize(JSON.parse(input)), protocol.CanonicalJsonError);
    });
  }
});

describe('strict-json', () => {
  const topic = read('strict-json') as {
    valid: Named<{ input: string; canonical: string }>[];
    invalid: Named<{ input?: string; inputHex?: string }>[];
    repeated: Named<{
      before: string;
      unit: string;
      count: number;
      after: string;
      valid: boolean;
    }>[];
  };
  for (const { name, input, canonical } of topic.valid) {
    test(name, () => {
      assert.equal(protocol.canonicalize(protocol.parseStrictJson(input)), canonical);
      assert.equal(protocol.canonicalize(protocol.parseStrictJson(utf8Bytes(input))), canonical);
    });
  }
  for (const { name, input, inputHex } of topic.invalid) {
    test(name, () => {
      const bytes = inputHex === undefined ? utf8Bytes(input ?? '') : hexToBytes(inputHex);
      assert.throws(() => protocol.parseStrictJson(bytes), protocol.StrictJsonError);
      if (input !== undefined) {
        assert.throws(() => protocol.parseStrictJson(input), protocol.StrictJsonError);
      }
    });
  }
  for (const { name, before, unit, count, after, valid } of topic.repeated) {
    test(name, () => {
      const parse = (): unknown => protocol.parseStrictJson(before + unit.repeat(count) + after);
      if (valid) parse();
      else assert.throws(parse, protocol.StrictJsonError);
    });
  }
});

test('hashes', () => {
  const topic = read('hashes') as {
    values: { value: unknown; hash: string }[];
    fingerprints: { document: object; member: string; hash: string }[];
    publicKeyHashes: { pem: string; publicKeyHash: string }[];
    nonceHashes: { actorId: string; nonce: string; hash: string }[];
    eventHashes: (protocol.ChainEvent & { hash: string })[];
  };
  for (const { value, hash } of topic.values) assert.equal(protocol.hashValue(value), hash);
  for (const { document, member, hash } of topic.fingerprints) {
    assert.equal(protocol.hashWithout(document, member), hash);
  }
  for (const { pem, publicKeyHash } of topic.publicKeyHashes) {
    assert.equal(protocol.publicKeyHash(pem), publicKeyHash);
  }
  for (const { actorId, nonce, hash } of topic.nonceHashes) {
    assert.equal(protocol.nonceHash(actorId, nonce), hash);
  }
  for (const { hash, ...event } of topic.eventHashes) assert.equal(protocol.eventHash(event), hash);
});

describe('public-keys', () => {
  const topic = read('public-keys') as {
    valid: Named<{ pem: string; raw: string }>[];
    invalid: Named<{ pem: string; reason: string }>[];
  };
  for (const { name, pem, raw } of topic.valid) {
    test(name, () => {
      assert.equal(protocol.validatePublicKey(pem), null);
      assert.equal(bytesToHex(protocol.rawKeyFromPem(pem)!), raw);
    });
  }
  for (const { name, pem, reason } of topic.invalid) {
    test(name, () => assert.equal(protocol.validatePublicKey(pem), reason));
  }
});

describe('signatures', () => {
  const topic = read('signatures') as {
    verify: Named<{ publicKey: string; message: string; signature: string; valid: boolean }>[];
    base64: Named<{ text: string; valid: boolean }>[];
  };
  for (const { name, publicKey, message, signature, valid } of topic.verify) {
    test(name, () => {
      const key = hexToBytes(publicKey);
      const spki = protocol.bytesToBase64(hexToBytes(`302a300506032b6570032100${publicKey}`));
      const pem = `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----\n`;
      const accepted =
        protocol.validatePublicKey(pem) === null &&
        protocol.verifySignature(key, hexToBytes(message), hexToBytes(signature));
      assert.equal(accepted, valid);
    });
  }
  for (const { name, text, valid } of topic.base64) {
    test(`base64: ${name}`, () => {
      assert.equal(protocol.signatureBytes(text)?.length, valid ? 64 : undefined);
    });
  }
});

describe('envelopes', () => {
  type Kind = protocol.SubmittedKind;
  const topic = read('envelopes') as {
    publicKey: string;
    valid: Named<{
      kind: Kind;
      envelope: JsonObject;
      signedText: string;
      signedHex: string;
      transitionHash: string;
    }>[];
    invalid: Named<{ kind: Kind; envelope: JsonObject; paths: string[] }>[];
  };
  const key = protocol.rawKeyFromPem(topic.publicKey)!;
  for (const { name, kind, envelope, ...expected } of topic.valid) {
    test(name, () => {
      assert.equal(protocol.envelopeViolations(kind, envelope), null);
      assert.equal(protocol.envelopeKind(envelope), kind);
      const encoded = protocol.encodeEnvelope(envelope);
      assert.equal(protocol.utf8Text(encoded.signedBytes), expected.signedText);
      assert.equal(bytesToHex(encoded.signedBytes), expected.signedHex);
      assert.equal(encoded.transitionHash, expected.transitionHash);
      assert.equal(encoded.transitionHash, protocol.hashValue(envelope));
      assert.deepEqual(protocol.bytesToSign(envelope), encoded.signedBytes);
      assert.deepEqual(protocol.parseStrictJson(encoded.text), envelope);
      if (kind === 'open') return;
      const signature = protocol.signatureBytes(envelope['signature'] as string)!;
      assert.ok(protocol.verifySignature(key, encoded.signedBytes, signature));
    });
  }
  for (const { name, kind, envelope, paths } of topic.invalid) {
    test(name, () => {
      const violations = protocol.envelopeViolations(kind, envelope) ?? [];
      assert.deepEqual(violations.map(({ path }) => path).toSorted(), paths);
    });
  }
});

describe('merkle', () => {
  type Case = { leaf: string; proof: protocol.MerkleProof; root: string };
  const topic = read('merkle') as {
    leaves: string[];
    roots: string[];
    valid: Case[];
    invalid: Named<Case>[];
  };
  test('roots', () => {
    topic.roots.forEach((root, size) => {
      assert.equal(protocol.merkleRoot(topic.leaves.slice(0, size)), root);
    });
  });
  for (const { leaf, proof, root } of topic.valid) {
    test(`leaf ${proof.index} of ${proof.treeSize}`, () => {
      assert.ok(protocol.verifyMerkleProof(leaf, proof, root));
    });
  }
  for (const { name, leaf, proof, root } of topic.invalid) {
    test(name, () => assert.equal(protocol.verifyMerkleProof(leaf, proof, root), false));
  }
});

describe('state-proofs', () => {
  const topic = read('state-proofs') as {
    roots: Named<{ pairs: [string, string][]; root: string }>[];
    root: string;
    valid: Named<Proof>[];
    invalid: Named<Proof>[];
    inEmptyTree: Named<Proof>[];
  };
  const verify = (proof: Proof, root = topic.root): protocol.ProofVerdict =>
    protocol.verifyStateProof(proof.key, proof.value, proof, root);
  for (const { name, pairs, root } of topic.roots) {
    test(name, () => assert.equal(protocol.stateRoot(pairs), root));
  }
  for (const proof of topic.valid) {
    test(proof.name, () => {
      assert.deepEqual(verify(proof), { ok: true, present: proof.leaf.kind === 'present' });
    });
  }
  for (const proof of topic.invalid) {
    test(proof.name, () => {
      // Verify true proofs first, to detect leftover state.
      for (const good of topic.valid) {
        verify(good);
        assert.equal(verify(proof).ok, false);
      }
    });
  }
  for (const proof of topic.inEmptyTree) {
    test(proof.name, () => {
      assert.deepEqual(verify(proof, protocol.EMPTY_ROOT), { ok: true, present: false });
    });
  }
});

describe('certificates', () => {
  const topic = read('certificates') as {
    quorums: { total: number; quorum: number }[];
    validatorSet: protocol.ValidatorSet;
    voteText: string;
    valid: Named<{ certificate: protocol.StatementCertificate }>[];
    invalid: Named<{
      change?: Partial<protocol.StatementCertificate>;
      setChange?: Partial<protocol.ValidatorSet>;
      trustedSetHash?: string;
    }>[];
  };
  const set = topic.validatorSet;
  const first = topic.valid[0]!.certificate;
  test('quorums and vote bytes', () => {
    for (const { total, quorum } of topic.quorums) assert.equal(protocol.quorumOf(total), quorum);
    assert.equal(protocol.utf8Text(protocol.voteBytes(first, 'ada')), topic.voteText);
  });
  for (const { name, certificate } of topic.valid) {
    test(name, () => {
      const verdict = protocol.verifyCertificate(certificate, set, set.validatorSetHash);
      assert.deepEqual(verdict, { ok: true, verdict: 'trusted' });
    });
  }
  for (const { name, change, setChange, trustedSetHash } of topic.invalid) {
    test(name, () => {
      const verdict = protocol.verifyCertificate(
        { ...first, ...change },
        { ...set, ...setChange },
        trustedSetHash ?? set.validatorSetHash,
      );
      assert.equal(verdict.ok, false);
    });
  }
});

describe('commit certificates', () => {
  interface Certified {
    certificate: protocol.CommitCertificate;
    validatorSet: protocol.ValidatorSet;
  }
  const topic = read('commit-certificates') as {
    validatorSet: protocol.ValidatorSet;
    headerHash: string;
    precommit: string;
    valid: Named<{ certificate: protocol.CommitCertificate }>[];
    invalid: Named<{
      change?: Partial<protocol.CommitCertificate>;
      trustedSetHash?: string;
    }>[];
    trustSteps: {
      trusted: Certified;
      cases: Named<{ holds: boolean; trusted?: Certified; later: Certified }>[];
    };
    zip215: Named<{ publicKey: string; message: string; signature: string; valid: boolean }>[];
  };
  const set = topic.validatorSet;
  const first = topic.valid[0]!.certificate;
  const isMalformed = protocol.compileSchema(protocol.FinalityCertificate);
  test('the header hash and the bytes of a vote', () => {
    const { commit, votes } = first;
    assert.equal(protocol.cometbftHeaderHash(commit.header), topic.headerHash);
    const bytes = protocol.precommitBytes(commit, votes[1]!.timestamp);
    assert.equal(bytesToHex(bytes), topic.precommit);
  });
  for (const { name, certificate } of topic.valid) {
    test(name, () => {
      const verdict = protocol.verifyCertificate(certificate, set, set.validatorSetHash);
      assert.deepEqual(verdict, { ok: true, verdict: 'trusted' });
      assert.equal(isMalformed(certificate), null);
    });
  }
  for (const { name, change, trustedSetHash } of topic.invalid) {
    test(name, () => {
      const trusted = trustedSetHash ?? set.validatorSetHash;
      const verdict = protocol.verifyCertificate({ ...first, ...change }, set, trusted);
      assert.equal(verdict.ok, false);
    });
  }
  const certified = ({ certificate, validatorSet }: Certified) => ({
    certificate,
    set: validatorSet,
  });
  for (const { name, holds, later, trusted = topic.trustSteps.trusted } of topic.trustSteps.cases) {
    test(`a step of trust: ${name}`, () => {
      const verdict = protocol.verifyTrustStep(certified(trusted), certified(later));
      assert.equal(verdict.ok, holds, JSON.stringify(verdict));
    });
  }
  for (const { name, publicKey, message, signature, valid } of topic.zip215) {
    test(`ZIP-215: ${name}`, () => {
      const [key, signed, bytes] = [publicKey, message, signature].map(hexToBytes);
      assert.equal(protocol.verifyZip215(key!, signed!, bytes!), valid);
    });
  }
});

describe('changes of the set of validators', () => {
  const topic = read('set-changes') as {
    validatorSet: protocol.ValidatorSet;
    valid: protocol.ValidatorSetChange[];
    invalid: Named<{ change: Partial<protocol.ValidatorSetChange> }>[];
    last: { certificate: protocol.FinalityCertificate };
  };
  const isMalformed = protocol.compileSchema(protocol.ValidatorSetChange);
  test('each follows from the one before, and the last set certifies the last block', () => {
    const sets = new protocol.ValidatorSets(topic.validatorSet);
    const { certificate } = topic.last;
    for (const change of topic.valid) {
      assert.ok(sets.isOfUnknownSet(certificate));
      assert.equal(sets.verify(certificate, true).ok, false);
      assert.equal(sets.follow(change), null);
      assert.equal(sets.follow(change), null, 'what is known is passed over');
      assert.equal(isMalformed(change), null);
    }
    assert.ok(topic.valid.length > 3);
    assert.deepEqual(sets.verify(certificate, true), { ok: true, verdict: 'trusted' });
    for (const { header, certificate: before } of topic.valid) {
      assert.ok(sets.verify(before, true).ok, `height ${header.height}, by the set of its height`);
    }
  });
  test('a block below the height of the known set', () => {
    const [first] = topic.valid;
    const { height } = first!.header;
    const fault = (fromHeight: number): string | null =>
      protocol.setChangeFault({ set: topic.validatorSet, fromHeight }, first!);
    assert.equal(fault(height), null);
    assert.match(fault(height + 1) ?? '', /older/);
  });
  for (const { name, change } of topic.invalid) {
    test(name, () => {
      const known = { set: topic.validatorSet, fromHeight: 0 };
      assert.equal(protocol.setChangeFault(known, topic.valid[0]!), null);
      assert.notEqual(protocol.setChangeFault(known, { ...topic.valid[0]!, ...change }), null);
    });
  }
});

describe('blocks of a real chain of CometBFT', () => {
  interface RecordedBlock extends protocol.CometbftCommit {
    headerHash: string;
    validators: (protocol.Validator & { address: string })[];
    votes: protocol.CommitVote[];
    nilVotes: protocol.CommitVote[];
  }
  const { chainId, blocks, steps } = read('cometbft/chain') as {
    chainId: string;
    blocks: RecordedBlock[];
    steps: Named<{ from: number; to: number; holds: boolean }>[];
  };
  const setOf = ({ validators }: RecordedBlock): protocol.ValidatorSet =>
    protocol.makeValidatorSet(chainId, 1, validators);
  for (const block of blocks) {
    const { header, headerHash, validators, votes, nilVotes } = block;
    const holds = (vote: protocol.CommitVote): boolean => {
      const validator = validators.find(({ validatorId }) => validatorId === vote.validatorId);
      return protocol.isPrecommitted(block, headerHash, validator!, vote);
    };
    test(`block ${header.height}: its hash, its validators, its votes`, () => {
      assert.equal(protocol.cometbftHeaderHash(header), headerHash);
      assert.equal(protocol.cometbftValidatorsHash(validators), header.validatorsHash);
      for (const { address, consensusPublicKey } of validators) {
        const key = protocol.rawKeyFromPem(consensusPublicKey);
        assert.equal(protocol.cometbftAddress(key!), address);
      }
      assert.ok(votes.length > 0 && votes.every(holds));
      assert.ok(!nilVotes.some(holds), 'a vote for no block is none for this one');
    });
  }
  for (const { name, from, to, holds } of steps) {
    test(`a step of trust: ${name}`, () => {
      const [trusted, later] = [from, to].map((height) =>
        blocks.find(({ header }) => header.height === height)!,
      ) as [RecordedBlock, RecordedBlock];
      const voters = new Set(later.votes.map(({ validatorId }) => validatorId));
      const fault = protocol.trustStepFault(
        { header: trusted.header, set: setOf(trusted) },
        {
          header: later.header,
          signers: later.validators.filter(({ validatorId }) => voters.has(validatorId)),
        },
      );
      assert.equal(fault === null, holds, fault ?? 'accepted');
    });
  }
});

describe('checkpoints', () => {
  type Value = string | { repeat: string; times: number };
  const topic = read('checkpoints') as {
    source: protocol.CheckpointSource;
    valid: Named<{
      pairs: { key: string; value: Value }[];
      bytesHex?: string;
      checkpoint: protocol.StateCheckpoint;
    }>[];
    chunk: protocol.StateChunk;
    invalid: Named<{ bytesHex: string }>[];
  };
  for (const { name, pairs, bytesHex, checkpoint } of topic.valid) {
    test(name, () => {
      const encoded = pairs.map(({ key, value }) => {
        const text = typeof value === 'string' ? value : value.repeat.repeat(value.times);
        return { key: utf8Bytes(key), value: utf8Bytes(text) };
      });
      const bytes = Buffer.concat(encoded.map(({ key, value }) => protocol.encodePair(key, value)));
      if (bytesHex !== undefined) assert.equal(bytes.toString('hex'), bytesHex);
      const decoded = [...protocol.decodePairs(bytes)].map(({ key, value }) => [
        bytesToHex(key),
        bytesToHex(value),
      ]);
      assert.deepEqual(
        decoded,
        encoded.map(({ key, value }) => [bytesToHex(key), bytesToHex(value)]),
      );
      const chunkHashes = [];
      for (let at = 0; at < bytes.length; at += checkpoint.chunkSize) {
        chunkHashes.push(protocol.sha256Hex(bytes.subarray(at, at + checkpoint.chunkSize)));
      }
      assert.deepEqual(
        protocol.makeCheckpoint(topic.source, bytes.length, chunkHashes),
        checkpoint,
      );
      assert.equal(protocol.hashWithout(checkpoint, 'checkpointHash'), checkpoint.checkpointHash);
    });
  }
  for (const { name, bytesHex } of topic.invalid) {
    test(name, () => {
      assert.throws(() => [...protocol.decodePairs(hexToBytes(bytesHex))], RangeError);
    });
  }
  test('a chunk', () => {
    const { data, hash, index, checkpointHash } = topic.chunk;
    assert.equal(protocol.sha256Hex(protocol.base64ToBytes(data)), hash);
    const owner = topic.valid.find((c) => c.checkpoint.checkpointHash === checkpointHash);
    assert.equal(owner?.checkpoint.chunkHashes[index], hash);
  });
});
