#!/usr/bin/env node
/**
 * Watches the open work of a NET network, and reports new, changed and removed jobs, once or continuously.
 * Verifies everything: the hash of the index, the certificate of its block by the current validators, and each
 * reported job against the certified state. No dependencies. Writes only its cursor file, and only reads from the node.
 */
import { spawn } from 'node:child_process';
import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import * as fs from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const VERSION = '0.13.1';
const CURSOR_SCHEMA = 'NET-OPPORTUNITY-CURSOR/1';
const CHAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{1,49}$/;
const HASH = /^[a-f0-9]{64}$/;
const SIGNATURE = /^[A-Za-z0-9+/]{85}[AQgw]==$/;
const EMPTY_HASH = '00'.repeat(32);
const TREE_DEPTH = 256;
const REQUEST_TIMEOUT_MS = 30_000;
/** Limit of an answer, far above any valid one. */
const MAX_ANSWER_BYTES = 8_388_608;
const MAX_PAGES = 100;
const EXEC_TIMEOUT_MS = 600_000;
/** Members in which an index entry and its order must agree. */
const TERMS = [
  'orderId',
  'requesterId',
  'title',
  'jobType',
  'requirements',
  'funding',
  'verificationFee',
  'workerBond',
  'validationPolicy',
  'deliverWithin',
  'returns',
  'scopeHash',
  'createdAt',
];

const HELP = `net-opportunity-watch ${VERSION}: watch the open work of a NET network, and check it

  node net-opportunity-watch.mjs [options] [-- ARGUMENTS FOR --exec]

  --url URL          the node (default: $NET_URL, else http://127.0.0.1:8420)
  --genesis HASH64   the genesis hash you know from elsewhere. Without it the first answer is taken
                     at its word, said to be only self-consistent, and kept to from then on
  --once             report what has changed since the last time, and end
  --interval SECONDS how often to look, from 1 on (default: 10)
  --requirement TAG  only jobs with this requirement, in whatever case
  --cursor FILE      what was reported already (default: ~/.netd/watch/CHAIN_ID.json)
  --json             one JSON object a line
  --exec PROGRAM     run this program for each change, without a shell. It finds the facts in
                     NET_JOB_CHANGE (added, changed, removed), NET_JOB_ID, NET_JOB_TITLE, NET_JOB_TYPE,
                     NET_JOB_FUNDING (unet), NET_JOB_REQUESTER, NET_JOB_SCOPE_HASH, NET_JOB_JSON,
                     NET_URL and NET_CHAIN_ID. Titles are words of strangers: quote them.
                     A change counts as reported when the program has ended with 0
  --allow-http       talk to a remote node without TLS
  --help, --version

That nothing is left out of the index cannot be proven. Exit codes: 0 done, 1 failed or a proof failed, 2 wrong usage.
`;

/** An error for the user. */
class Failure extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}
/** Makes the error for a failed proof. */
const lie = (message) => new Failure('VERIFICATION_FAILED', message);
const usage = (message) => new Failure('USAGE', message);

// --- Arguments -------------------------------------------------------------------------

function readArguments() {
  const { values, positionals } = parse();
  if (values.help) return { print: HELP };
  if (values.version) return { print: `${VERSION}\n` };
  const { genesis, exec, requirement } = values;
  if (genesis !== undefined && !HASH.test(genesis)) throw usage('A genesis hash is 64 hex digits.');
  if (positionals.length > 0 && exec === undefined) {
    throw usage(`There is nothing to hand "${positionals[0]}" to: --exec names the program.`);
  }
  const interval = Number(values.interval);
  if (!(interval >= 1 && interval <= 86_400)) throw usage('--interval is 1 to 86400 seconds.');
  return {
    url: baseUrl(
      values.url ?? (process.env.NET_URL || 'http://127.0.0.1:8420'),
      values['allow-http'],
    ),
    genesis,
    interval: interval * 1_000,
    requirement: requirement === undefined ? undefined : normalizeTag(requirement),
    cursor: values.cursor === undefined ? undefined : resolve(values.cursor),
    once: values.once,
    json: values.json,
    exec: exec === undefined ? undefined : [exec, ...positionals],
  };
}

function parse() {
  const text = /** @type {const} */ ({ type: 'string' });
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        url: text,
        genesis: text,
        once: flag,
        interval: { ...text, default: '10' },
        requirement: text,
        cursor: text,
        json: flag,
        exec: text,
        'allow-http': flag,
        help: { ...flag, short: 'h' },
        version: flag,
      },
    });
  } catch (error) {
    throw usage(error.message);
  }
}

/** Returns the node's URL without a trailing slash; a path before /v1 stays. */
function baseUrl(text, allowHttp) {
  let url;
  try {
    url = new URL(text);
  } catch {
    throw usage(
      `"${text.replace(/\/\/[^/]*@/, '//***@')}" is not a URL; write it like http://127.0.0.1:8420`,
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw usage('The URL of a node has no credentials, no query and no fragment.');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw usage(`"${text}" is neither https nor http.`);
  }
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !loopback && !allowHttp) {
    throw usage(
      `${url.host} is not this machine: use https, or --allow-http if others on the way may know what you look for.`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** Normalizes a requirement like the ledger. */
function normalizeTag(text) {
  return text
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replaceAll(/^[ \t-\r_]+|[ \t-\r_]+$/g, '')
    .replaceAll(/[ \t-\r_]+/g, '-');
}

// --- The node -----------------------------------------------------------------------------------

async function get(url) {
  let status;
  let text;
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    status = response.status;
    text = await readBounded(response);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const why = error.cause?.code ?? error.cause?.message ?? error.message;
    throw new Failure('UNREACHABLE', `${new URL(url).origin} does not answer (${why}).`);
  }
  const body = jsonObject(text);
  if (status === 200 && body !== null) return body;
  throw new Failure('NOT_ANSWERED', `${url} answered ${status}${said(body)}.`);
}

async function readBounded(response) {
  const parts = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > MAX_ANSWER_BYTES) throw new Failure('NOT_ANSWERED', 'An answer does not end.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function jsonObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Removes control characters from untrusted text, which could steer the terminal. */
const plain = (text) => String(text).replace(/\p{C}/gu, ' ').slice(0, 600);
const said = (problem) =>
  problem?.code ? ` (${plain(problem.code)}: ${plain(problem.title)})` : '';

// --- Proofs -------------------------------------------------------------------------

const sha256 = (data) => createHash('sha256').update(data).digest();
const hash = (value) => sha256(canonical(value)).toString('hex');

/** Returns RFC 8785 text. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

/** Makes a validator set with its hash. */
function setOf(chainId, epoch, validators) {
  const sorted = [...validators].sort((a, b) => (a.validatorId < b.validatorId ? -1 : 1));
  const total = sorted.reduce((sum, { votingPower }) => sum + votingPower, 0);
  const set = {
    schema: 'NET-VALIDATOR-SET/1',
    chainId,
    epoch,
    validators: sorted,
    totalVotingPower: total,
    quorum: Number((2n * BigInt(total)) / 3n + 1n),
  };
  const byId = new Map(sorted.map((validator) => [validator.validatorId, validator]));
  return { byId, setHash: hash(set), quorum: set.quorum };
}

/** The validator sets of this chain, from its pinned genesis on. */
class Validators {
  constructor(genesis) {
    this.genesisHash = hash(genesis);
    const { chainId, epoch, validators } = genesis;
    if (!CHAIN_ID.test(chainId ?? '') || !Array.isArray(validators))
      throw lie('There is no genesis.');
    this.chainId = chainId;
    this.epoch = epoch;
    /** Sorted by the first height that each certifies. */
    this.sets = [{ fromHeight: 0, ...setOf(chainId, epoch, validators) }];
  }

  get newest() {
    return this.sets.at(-1);
  }

  /** Returns true if the certificate is of a later, unknown set. */
  isBeyond({ height, validatorSetHash }) {
    return height >= this.newest.fromHeight && validatorSetHash !== this.newest.setHash;
  }

  /**
   * Adds the next set, named by an event in a block that the previous set certified.
   * @throws Failure if it does not follow
   */
  follow({ fromHeight, validatorSet, header, certificate, event, proof }) {
    const { newest, chainId, epoch } = this;
    if (fromHeight <= newest.fromHeight) return;
    const { type, transitionIndex, data } = event;
    const set = setOf(chainId, epoch, validatorSet.validators);
    this.requireCertified(certificate);
    const isNext =
      header.height + 1 === fromHeight &&
      header.height >= newest.fromHeight &&
      certificate.height === header.height &&
      certificate.blockHash === hash(header) &&
      type === 'ValidatorSetChanged' &&
      data.height === fromHeight &&
      data.validatorSetHash === set.setHash &&
      isListed(hash({ data, transitionIndex, type }), proof, header.eventsRoot);
    if (!isNext) throw lie(`The change of validators at height ${fromHeight} does not follow.`);
    this.sets.push({ fromHeight, ...set });
  }

  /** @throws Failure if no quorum certified this block and state */
  requireCertified(certificate) {
    const { scheme, chainId, epoch, height, blockHash, stateRoot, validatorSetHash } = certificate;
    const statement = { chainId, epoch, height, blockHash, stateRoot, validatorSetHash };
    const schema = 'NET-FINALITY-CERTIFICATE/1';
    const isCommit = scheme === COMMIT_SCHEME;
    if (certificate.schema !== schema || (scheme !== 'ed25519-statement-v1' && !isCommit)) {
      throw lie('A certificate is of a kind that is not known here.');
    }
    const set = this.sets.findLast(({ fromHeight }) => fromHeight <= height);
    if (chainId !== this.chainId || epoch !== this.epoch || validatorSetHash !== set?.setHash) {
      throw lie('A certificate names another chain or other validators.');
    }
    if (certificate.certificateHash !== hash({ schema, scheme, ...statement })) {
      throw lie('A certificate does not have the hash it names.');
    }
    const bytesOf = isCommit
      ? commitBytes(certificate, set)
      : ({ validatorId }) =>
          Buffer.from(canonical({ schema: 'NET-FINALITY-VOTE/1', ...statement, validatorId }));
    const voters = new Set();
    let power = 0;
    for (const vote of certificate.votes) {
      const { validatorId, signature } = vote;
      const validator = set.byId.get(validatorId);
      if (!validator || voters.has(validatorId))
        throw lie('A vote is of no known validator, or is there twice.');
      voters.add(validatorId);
      if (isSignedBy(validator.consensusPublicKey, bytesOf(vote), signature)) {
        power += validator.votingPower;
      } else if (!isCommit) {
        throw lie('The signature of a vote does not hold.');
      }
      // CometBFT accepts signatures that OpenSSL rejects: ignore such a vote.
    }
    if (power < set.quorum) throw lie('A certificate has too few votes.');
  }
}

function isSignedBy(publicKey, bytes, signature) {
  if (!SIGNATURE.test(signature)) return false;
  return verify(null, bytes, createPublicKey(publicKey), Buffer.from(signature, 'base64'));
}

/** Verifies an inclusion proof (RFC 9162 section 2.1.3.2). */
function isListed(leaf, { index, treeSize, path }, root) {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(treeSize) || index < 0) return false;
  if (index >= treeSize || path.length > 64 || !path.every(isHash)) return false;
  let at = index;
  let last = treeSize - 1;
  let node = leafOf(Buffer.from(leaf, 'hex'));
  for (const text of path) {
    if (last === 0) return false;
    const sibling = Buffer.from(text, 'hex');
    const isRight = at % 2 === 1 || at === last;
    node = isRight ? parentOf(sibling, node) : parentOf(node, sibling);
    if (isRight) for (; at % 2 === 0 && at !== 0; at /= 2) last = Math.floor(last / 2);
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && node.toString('hex') === root;
}

const leafOf = (bytes) => sha256(Buffer.concat([Buffer.of(0), bytes]));
const parentOf = (left, right) => sha256(Buffer.concat([Buffer.of(1), left, right]));

// --- Votes of CometBFT 0.38 --------------------------------------------------------

const COMMIT_SCHEME = 'cometbft-commit-v0.38';
const NANO_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?Z$/;

/**
 * Returns a function from a vote to its signed bytes: a precommit for a header with the certificate's hash.
 * @throws Failure if the header does not match this set and certificate
 */
function commitBytes({ chainId, certificateHash, commit }, set) {
  const { header, round, parts } = commit;
  if (
    header.chainId !== chainId ||
    header.appHash !== certificateHash ||
    header.validatorsHash !== engineHashOf(set)
  ) {
    throw lie('The header of a certificate is about something else.');
  }
  const headerHash = headerHashOf(header);
  return ({ timestamp }) => {
    const vote = Buffer.concat([
      number(1, 2),
      fixed(2, header.height),
      fixed(3, round),
      nested(4, blockId(headerHash, parts)),
      nested(5, time(timestamp)),
      bytesField(6, Buffer.from(chainId)),
    ]);
    return Buffer.concat([varint(vote.length), vote]);
  };
}

function headerHashOf(header) {
  const { version, chainId, height, lastBlockId } = header;
  const hashes = [
    header.lastCommitHash,
    header.dataHash,
    header.validatorsHash,
    header.nextValidatorsHash,
    header.consensusHash,
    header.appHash,
    header.lastResultsHash,
    header.evidenceHash,
    header.proposerAddress,
  ];
  return rootOf([
    Buffer.concat([number(1, version.block), number(2, version.app)]),
    bytesField(1, Buffer.from(chainId)),
    number(1, height),
    time(header.time),
    blockId(lastBlockId.hash, lastBlockId.parts),
    ...hashes.map((hex) => bytesField(1, Buffer.from(hex, 'hex'))),
  ]);
}

/** Hashes a set as in headers, ordered by descending power, then address. */
function engineHashOf({ byId }) {
  const leaves = [...byId.values()]
    .map(({ consensusPublicKey, votingPower }) => {
      const key = createPublicKey(consensusPublicKey)
        .export({ format: 'der', type: 'spki' })
        .subarray(-32);
      return { key, votingPower, address: sha256(key).subarray(0, 20) };
    })
    .sort((a, b) => b.votingPower - a.votingPower || Buffer.compare(a.address, b.address))
    .map(({ key, votingPower }) =>
      Buffer.concat([nested(1, bytesField(1, key)), number(2, votingPower)]),
    );
  return rootOf(leaves);
}

/** Returns the RFC 6962 root over byte strings, in hex. */
function rootOf(leaves) {
  let level = leaves.map(leafOf);
  while (level.length > 1) {
    const above = [];
    for (let at = 0; at < level.length; at += 2) {
      above.push(at + 1 < level.length ? parentOf(level[at], level[at + 1]) : level[at]);
    }
    level = above;
  }
  return level[0].toString('hex');
}

// Minimal protobuf: omits default values.

function varint(value) {
  const found = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) found.push(Number(rest & 127n) | 128);
  return Buffer.from([...found, Number(rest)]);
}
const NOTHING = Buffer.alloc(0);
const number = (field, value) =>
  value === 0 ? NOTHING : Buffer.concat([Buffer.of(field << 3), varint(value)]);
const nested = (field, inner) =>
  Buffer.concat([Buffer.of((field << 3) | 2), varint(inner.length), inner]);
const bytesField = (field, value) => (value.length === 0 ? NOTHING : nested(field, value));
const blockId = (hex, { total, hash: partsHash }) =>
  Buffer.concat([
    bytesField(1, Buffer.from(hex, 'hex')),
    nested(2, Buffer.concat([number(1, total), bytesField(2, Buffer.from(partsHash, 'hex'))])),
  ]);

function fixed(field, value) {
  if (value === 0) return NOTHING;
  const eight = Buffer.alloc(8);
  eight.writeBigInt64LE(BigInt(value));
  return Buffer.concat([Buffer.of((field << 3) | 1), eight]);
}

function time(text) {
  const [, whole, fraction = ''] = NANO_TIME.exec(text) ?? [];
  const seconds = Date.parse(`${whole}Z`) / 1_000;
  return Buffer.concat([number(1, seconds), number(2, Number(fraction.padEnd(9, '0')))]);
}

// --- The state ------------------------------------------------------------------------------------

/**
 * Returns the proven value of a state key, null if absent.
 * @throws Failure if the proof does not lead to the state root of its certificate
 */
function provenValue(key, proof, validators) {
  const { certificate, leaf, siblings, value } = proof;
  validators.requireCertified(certificate);
  if (proof.key !== key || proof.height !== certificate.height)
    throw lie('A proof is for another key.');
  if (!Array.isArray(siblings) || siblings.length > TREE_DEPTH || !siblings.every(isHash)) {
    throw lie('A proof is not of the shape it should have.');
  }
  const keyHash = sha256(key);
  let node;
  if (leaf.kind === 'present') node = leafNode(keyHash, sha256(canonical(value)));
  else if (leaf.kind === 'empty') node = Buffer.from(EMPTY_HASH, 'hex');
  else if (leaf.kind === 'other') node = otherLeaf(leaf, keyHash, siblings.length);
  else throw lie('A proof is not of the shape it should have.');
  for (const [at, text] of siblings.entries()) {
    const sibling = Buffer.from(text, 'hex');
    node =
      bitAt(keyHash, siblings.length - 1 - at) === 0
        ? parentOf(node, sibling)
        : parentOf(sibling, node);
  }
  if (node.toString('hex') !== certificate.stateRoot)
    throw lie('A proof does not lead to the state.');
  return leaf.kind === 'present' ? value : null;
}

const isHash = (text) => HASH.test(text);
const leafNode = (keyHash, valueHash) => leafOf(Buffer.concat([keyHash, valueHash]));
const bitAt = (bytes, depth) => (bytes[depth >> 3] >> (7 - (depth & 7))) & 1;

/** Returns the leaf of another key, which proves that this key is absent. */
function otherLeaf({ keyHash: other, valueHash }, keyHash, depth) {
  if (!isHash(other) || !isHash(valueHash))
    throw lie('A proof is not of the shape it should have.');
  const otherHash = Buffer.from(other, 'hex');
  if (otherHash.equals(keyHash)) throw lie('A proof of absence names the key itself.');
  for (let at = 0; at < depth; at++) {
    if (bitAt(otherHash, at) !== bitAt(keyHash, at))
      throw lie('A proof of absence is for another key.');
  }
  return leafNode(otherHash, Buffer.from(valueHash, 'hex'));
}

// --- The index ----------------------------------------------------------------------------------

class Watch {
  constructor(options, validators, cursor) {
    this.options = options;
    this.validators = validators;
    this.cursor = cursor;
    /** The last verified certificate, by hash: pages of one block share it. */
    this.verified = new Map();
  }

  /** Polls once, and reports changes. @returns number of failed reports */
  async look() {
    const { jobs, listed, height } = await this.readIndex();
    const { cursor } = this;
    let failed = 0;
    for (const [orderId, job] of jobs) {
      const termsHash = hash(job);
      const known = cursor.jobs[orderId];
      if (known === termsHash) continue;
      if (!(await this.requireOrder(job))) continue;
      const change = known === undefined ? 'added' : 'changed';
      if (await this.report({ change, job, orderId, height })) cursor.jobs[orderId] = termsHash;
      else failed++;
      this.keepAfterExec();
    }
    for (const orderId of Object.keys(cursor.jobs)) {
      if (listed.has(orderId)) continue;
      const { order, provenAt } = await this.provenOrder(orderId);
      if (order?.status === 'OPEN') {
        requireMayBeUnlisted(order, height, provenAt);
        continue;
      }
      const job = { orderId, status: order?.status ?? null };
      if (await this.report({ change: 'removed', job, orderId, height }))
        delete cursor.jobs[orderId];
      else failed++;
      this.keepAfterExec();
    }
    cursor.height = height;
    saveCursor(this.options.cursor, cursor);
    return failed;
  }

  /** Reads and checks all index pages: matching jobs by id, and all listed ids. */
  async readIndex() {
    const { url, requirement } = this.options;
    const jobs = new Map();
    const listed = new Set();
    let next = null;
    let lowest = null;
    for (let page = 0; ; page++) {
      if (page === MAX_PAGES) throw new Failure('TOO_MUCH', `There are over ${MAX_PAGES} pages.`);
      const query = next === null ? '' : `&cursor=${encodeURIComponent(next)}`;
      const index = await get(`${url}/v1/agent-opportunities?limit=1000${query}`);
      await this.requireIndex(index);
      const { height } = index.snapshot;
      if (height < this.cursor.height) {
        throw lie(
          `The index is of height ${height}, there was one of ${this.cursor.height} already.`,
        );
      }
      lowest = Math.min(lowest ?? height, height);
      for (const { links: _, ...job } of index.opportunities) {
        listed.add(job.orderId);
        if (
          requirement !== undefined &&
          !job.requirements.map(normalizeTag).includes(requirement)
        ) {
          continue;
        }
        jobs.set(job.orderId, job);
      }
      next = index.nextCursor;
      if (next === null) return { jobs, listed, height: lowest };
    }
  }

  /** @throws Failure if the index does not match its hash and certificate */
  async requireIndex(index) {
    const { evidence, snapshot } = index;
    if (
      index.schema !== 'NET-AGENT-OPPORTUNITY-INDEX/1' ||
      index.chainId !== this.validators.chainId
    ) {
      throw lie('The index is not one of this chain.');
    }
    // The hash is in two places, and covers neither.
    const { opportunityIndexHash, ...rest } = evidence;
    const { opportunityIndexHash: onTop, ...facts } = index;
    const found = hash({ ...facts, evidence: rest });
    if (found !== opportunityIndexHash || found !== onTop) {
      throw lie('The index does not have the hash it names.');
    }
    const certificate = await this.certificate(snapshot.certificateHash);
    for (const member of ['height', 'blockHash', 'stateRoot', 'certificateHash']) {
      if (certificate[member] !== snapshot[member]) throw lie('The index names another block.');
    }
    if (index.height !== snapshot.height) throw lie('The index names another block.');
  }

  async certificate(certificateHash) {
    if (!HASH.test(certificateHash)) throw lie('The index names no certificate.');
    const known = this.verified.get(certificateHash);
    if (known) return known;
    const certificate = await get(
      `${this.options.url}/v1/consensus/certificates/${certificateHash}`,
    );
    await this.requireKnownSet(certificate);
    this.validators.requireCertified(certificate);
    this.verified.clear();
    this.verified.set(certificateHash, certificate);
    return certificate;
  }

  /** Follows validator set changes if the certificate is of an unknown set. */
  async requireKnownSet(certificate) {
    const { validators } = this;
    if (!validators.isBeyond(certificate)) return;
    for (let after = validators.newest.fromHeight; after !== null;) {
      const page = await get(
        `${this.options.url}/v1/consensus/validator-set/changes?after=${after}`,
      );
      for (const change of page.changes) validators.follow(change);
      // Stop if the node sends nothing new.
      after = validators.newest.fromHeight > after ? page.next : null;
    }
  }

  /** Returns an order in the newest certified state, or null, with that height. */
  async provenOrder(orderId) {
    const key = `order/${orderId}`;
    const proof = await get(`${this.options.url}/v1/state/proof?key=${encodeURIComponent(key)}`);
    await this.requireKnownSet(proof.certificate);
    const order = provenValue(key, proof, this.validators);
    if (proof.height < this.cursor.height)
      throw lie('A proof is older than what there was already.');
    return { order, provenAt: proof.height };
  }

  /** Checks a listed job against the state. Returns false if it is no longer open. */
  async requireOrder(job) {
    const { order } = await this.provenOrder(job.orderId);
    if (order === null) throw lie(`There is no job ${plain(job.orderId)}.`);
    for (const term of TERMS) {
      if (canonical(order[term] ?? null) !== canonical(job[term] ?? null)) {
        throw lie(`The ${term} of the job ${plain(job.orderId)} is another one.`);
      }
    }
    return order.status === 'OPEN';
  }

  /** @returns true once reported */
  async report({ change, job, orderId, height }) {
    const { options, validators, cursor } = this;
    const { chainId } = validators;
    const verdict = cursor.anchored ? 'trusted' : 'self-consistent';
    const fact = { change, orderId, job, chainId, height, verdict };
    if (options.json) process.stdout.write(`${JSON.stringify(fact)}\n`);
    else process.stdout.write(`${lineOf(change, job)}\n`);
    if (options.exec === undefined) return true;
    const code = await run(options.exec, {
      NET_JOB_CHANGE: change,
      NET_JOB_ID: orderId,
      NET_JOB_TITLE: job.title ?? '',
      NET_JOB_TYPE: job.jobType ?? '',
      NET_JOB_FUNDING: String(job.funding ?? ''),
      NET_JOB_REQUESTER: job.requesterId ?? '',
      NET_JOB_SCOPE_HASH: job.scopeHash ?? '',
      NET_JOB_JSON: JSON.stringify(fact),
      NET_URL: options.url,
      NET_CHAIN_ID: chainId,
    });
    if (code !== 0) complain(`${options.exec[0]} ended with ${code} for ${plain(orderId)}.`);
    return code === 0;
  }

  /** Saves the cursor, so that a crash never repeats a report to a program; printed lines may repeat. */
  keepAfterExec() {
    if (this.options.exec !== undefined) saveCursor(this.options.cursor, this.cursor);
  }
}

/**
 * An open order may be unlisted if the next block could end it, or if it was reopened after the index.
 * @throws Failure if neither applies
 */
function requireMayBeUnlisted({ orderId, deadline }, height, provenAt) {
  if (provenAt === height && deadline !== null && deadline.height > height + 1) {
    throw lie(`The job ${plain(orderId)} is open, and the index does not list it.`);
  }
}

function lineOf(change, job) {
  if (change === 'removed') return `removed  ${plain(job.orderId)}  ${plain(job.status ?? 'gone')}`;
  const net = (job.funding / 1_000_000).toLocaleString('en', { maximumFractionDigits: 6 });
  const wants = job.requirements.map(plain).join(', ');
  return `${change.padEnd(7)}  ${plain(job.orderId)}  ${net} NET  ${plain(job.jobType)}  "${plain(job.title)}"  [${wants}]`;
}

/** Runs a program without a shell; untrusted text goes only into its environment. */
function run([program, ...args], facts) {
  const env = { ...process.env };
  // Environment variables cannot hold NUL.
  for (const [name, value] of Object.entries(facts)) env[name] = value.replaceAll('\0', '');
  return new Promise((done) => {
    const stdio = /** @type {const} */ (['ignore', 'inherit', 'inherit']);
    const child = spawn(program, args, { env, shell: false, stdio });
    const timer = setTimeout(() => child.kill(), EXEC_TIMEOUT_MS);
    const end = (how) => {
      clearTimeout(timer);
      done(how);
    };
    child.once('error', (error) => end(error.code));
    child.once('exit', (code, signal) => end(code ?? signal));
  });
}

// --- The cursor file ----------------------------------------------------------------------------

function readCursor(path, genesisHash) {
  let text;
  try {
    text = fs.readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return { schema: CURSOR_SCHEMA, genesisHash, height: 0, jobs: {} };
    throw new Failure('CURSOR', `The cursor ${path} can't be read: ${error.message}`);
  }
  const cursor = jsonObject(text);
  if (cursor?.schema !== CURSOR_SCHEMA || !Number.isSafeInteger(cursor.height) || !cursor.jobs) {
    throw new Failure('CURSOR', `${path} is not a cursor of this program; name another --cursor.`);
  }
  if (cursor.genesisHash !== genesisHash) {
    throw lie(
      `The cursor ${path} is of another network: its genesis is ${cursor.genesisHash}, here it is ${genesisHash}. ` +
        'If you know that the network was started anew, name another --cursor.',
    );
  }
  return cursor;
}

/** Replaces the file atomically. */
function saveCursor(path, { anchored: _, ...cursor }) {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    fs.writeFileSync(temporary, `${JSON.stringify(cursor)}\n`, { flag: 'wx', mode: 0o600 });
    fs.renameSync(temporary, path);
  } catch (error) {
    throw new Failure('CURSOR', `The cursor ${path} can't be written: ${error.message}`);
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

// --- Main --------------------------------------------------------------------------------

function complain(message) {
  process.stderr.write(`net-opportunity-watch: ${message}\n`);
}

async function begin(options) {
  const genesis = await get(`${options.url}/v1/genesis`);
  const validators = checked(() => new Validators(genesis));
  const { genesisHash, chainId } = validators;
  if (options.genesis !== undefined && options.genesis !== genesisHash) {
    throw lie(`The genesis of the node is ${genesisHash}, not the one you know.`);
  }
  options.cursor ??= join(homedir() || userInfo().homedir, '.netd', 'watch', `${chainId}.json`);
  const cursor = readCursor(options.cursor, genesisHash);
  cursor.anchored = options.genesis !== undefined;
  if (!cursor.anchored) {
    complain(`${chainId} is not pinned: name --genesis ${genesisHash} if you know this chain.`);
  }
  return new Watch(options, validators, cursor);
}

/** Turns errors from malformed answers into failed proofs. */
function checked(check) {
  const asLie = (error) => {
    if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) {
      return lie(`An answer is not of the shape it should have (${plain(error.message)}).`);
    }
    return error;
  };
  try {
    const result = check();
    return result instanceof Promise
      ? result.catch((error) => Promise.reject(asLie(error)))
      : result;
  } catch (error) {
    throw asLie(error);
  }
}

/** Transient errors. */
const PASSING = new Set(['UNREACHABLE', 'NOT_ANSWERED']);

async function main() {
  const options = readArguments();
  if (options.print !== undefined) {
    process.stdout.write(options.print);
    return 0;
  }
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
  let watch = null;
  for (;;) {
    try {
      const current = (watch ??= await begin(options));
      const failed = await checked(() => current.look());
      if (options.once) return failed === 0 ? 0 : 1;
    } catch (error) {
      if (options.once || !PASSING.has(error.code)) throw error;
      complain(error.message);
    }
    if (stop.signal.aborted) return 0;
    await sleep(options.interval, undefined, { signal: stop.signal }).catch(() => undefined);
    if (stop.signal.aborted) return 0;
  }
}

// A closed pipe is not an error.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  process.exitCode = await main();
} catch (error) {
  complain(error.code === 'USAGE' ? `${error.message} Try --help.` : error.message);
  process.exitCode = error.code === 'USAGE' ? 2 : 1;
}
