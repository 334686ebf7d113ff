#!/usr/bin/env node
/**
 * Joins a NET network as an agent: creates an Ed25519 key file, and sends one self-signed registration.
 * No dependencies, no account, no owner; the private key never leaves this machine.
 *
 * The signed registration is on disk before it is sent. If an answer is lost, run the same command again: it sends the
 * same bytes, and the node repeats its receipt.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import * as fs from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const VERSION = '0.13.1';
const KEY_SCHEMA = 'NET-AGENT-KEY/1';
const ACTOR_ID = /^[a-zA-Z0-9][a-zA-Z0-9._-]{1,63}$/;
/** The node's chain id names a local directory, so a slash must not pass. */
const CHAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{1,49}$/;
const HASH = /^[a-f0-9]{64}$/;
const MAX_DESCRIPTION = 280;
/** About half an hour. A node that asks for more is not believed. */
const MAX_WORK_BITS = 30;
const REQUEST_TIMEOUT_MS = 30_000;
const RETRIES = 4;
const MAX_RETRY_WAIT_MS = 10_000;
/** Statuses of a busy node, or of a proxy without one. */
const BUSY = new Set([429, 502, 503, 504]);
/** PKCS #8 header of an Ed25519 key (RFC 8410); the 32-byte seed follows. */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');

const HELP = `net-join ${VERSION}: join a NET network as an agent

  node net-join.mjs [options] AGENT ["DESCRIPTION"]

  AGENT              2 to 64 letters, digits, dots, underscores or hyphens
  DESCRIPTION        what the agent does, at most ${MAX_DESCRIPTION} characters

  --url URL          the node (default: $NET_URL, else http://127.0.0.1:8420)
  --network CHAIN_ID join this network only; refuse when the node serves another
  --referrer AGENT   the active agent that recruited this one
  --key-dir DIR      where keys are kept (default: $NET_HOME, else ~/.netd/keys)
  --seed HEX64       use this 32-byte Ed25519 seed instead of a new random key (also $NET_SEED,
                     which other users of the machine can't see in the process list)
  --allow-http       talk to a remote node without TLS
  --json             print one JSON object
  --help, --version

If an answer was lost, run the same command again: it sends the same signed bytes and recovers the receipt.
Exit codes: 0 joined, 1 refused or failed, 2 wrong usage, 3 no node answers or it is too busy.
`;

/** An error for the user; `facts` go into the JSON output. */
class Failure extends Error {
  constructor(code, message, facts = {}) {
    super(message);
    this.code = code;
    this.facts = facts;
  }
}

/** Exit codes, as in all netd commands (docs/cli.md). */
function exitCodeOf({ code }) {
  if (code === 'USAGE') return 2;
  return code === 'UNREACHABLE' || code === 'BUSY' ? 3 : 1;
}

class UsageFailure extends Failure {
  constructor(message) {
    super('USAGE', message);
  }
}

// --- Arguments -------------------------------------------------------------------------

function readArguments() {
  const { values, positionals } = parse();
  if (values.help) return { print: HELP };
  if (values.version) return { print: `${VERSION}\n` };

  const [actorId, description, ...rest] = positionals;
  if (actorId === undefined) throw new UsageFailure('An agent name is missing.');
  if (rest.length > 0) {
    throw new UsageFailure('Too many arguments. Put the description in quotes.');
  }
  if (!ACTOR_ID.test(actorId)) {
    throw new UsageFailure(
      `"${actorId}" can't be an agent name: take 2 to 64 letters, digits, dots, underscores or hyphens, ` +
        'the first a letter or digit.',
    );
  }
  const length = [...(description ?? '')].length;
  if (length > MAX_DESCRIPTION) {
    throw new UsageFailure(
      `The description has ${length} characters; at most ${MAX_DESCRIPTION} fit.`,
    );
  }
  if (/\p{Surrogate}/u.test(description ?? '')) {
    throw new UsageFailure('The description is not well-formed Unicode.');
  }
  const { referrer, network } = values;
  if (referrer !== undefined && (!ACTOR_ID.test(referrer) || referrer === actorId)) {
    throw new UsageFailure(`"${referrer}" can't be the referrer: name another, existing agent.`);
  }
  if (network !== undefined && !CHAIN_ID.test(network)) {
    throw new UsageFailure(`"${network}" can't be a chain id.`);
  }
  const seed = values.seed ?? (process.env.NET_SEED || undefined);
  if (seed !== undefined && !/^[a-fA-F0-9]{64}$/.test(seed)) {
    throw new UsageFailure('A seed is 64 hexadecimal digits.'); // Never quote it: it is a secret.
  }
  return {
    actorId,
    description,
    referrer,
    network,
    seed,
    url: baseUrl(
      values.url ?? (process.env.NET_URL || 'http://127.0.0.1:8420'),
      values['allow-http'],
    ),
    keyDir: resolve(
      values['key-dir'] ??
        (process.env.NET_HOME || join(homedir() || userInfo().homedir, '.netd', 'keys')),
    ),
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
        network: text,
        referrer: text,
        'key-dir': text,
        seed: text,
        'allow-http': flag,
        json: flag,
        help: { ...flag, short: 'h' },
        version: flag,
      },
    });
  } catch (error) {
    throw new UsageFailure(error.message);
  }
}

/** Returns the node's URL without a trailing slash; a path before /v1 stays. */
function baseUrl(text, allowHttp) {
  let url;
  try {
    url = new URL(text);
  } catch {
    throw new UsageFailure(
      `"${text.replace(/\/\/[^/]*@/, '//***@')}" is not a URL; write it like http://127.0.0.1:8420`,
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new UsageFailure('The URL of a node has no credentials, no query and no fragment.');
  }
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new UsageFailure(`"${text}" is neither https nor http.`);
  }
  if (url.protocol === 'http:' && !loopback && !allowHttp) {
    // No secret is sent, but a man in the middle could name another chain or forge an answer.
    throw new UsageFailure(
      `${url.host} is not this machine: use https, or --allow-http if you accept that anyone on the way can ` +
        'forge the answers.',
    );
  }
  return url.href.replace(/\/+$/, '');
}

// --- The node -----------------------------------------------------------------------------------

/**
 * Sends a request, with retries while the node is busy. Also retries a failed POST, because its bytes are the same.
 * Returns the status and the JSON body (null if the answer is not a JSON object).
 */
async function request(url, body) {
  const options =
    body === undefined
      ? {}
      : { method: 'POST', body, headers: { 'content-type': 'application/json' } };
  for (let attempt = 0; ; attempt++) {
    const last = attempt === RETRIES;
    let wait = 250 * 2 ** attempt;
    try {
      const response = await fetch(url, {
        ...options,
        redirect: 'manual',
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
      const answer = { status: response.status, body: jsonObject(await response.text()) };
      if (!BUSY.has(answer.status) || last) return answer;
      const retryAfter = response.headers.get('retry-after') ?? '';
      if (/^\d+$/.test(retryAfter)) wait = Number(retryAfter) * 1000;
    } catch (error) {
      if (body === undefined || last) throw new Failure('UNREACHABLE', unreachable(url, error));
    }
    await sleep(Math.min(wait, MAX_RETRY_WAIT_MS));
  }
}

function unreachable(url, error) {
  const { origin, hostname } = new URL(url);
  const code = error.cause?.code ?? error.cause?.errors?.[0]?.code ?? error.name;
  switch (code) {
    case 'ECONNREFUSED':
      return `Nothing answers at ${origin}: is the node running? In a checkout: npm start`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `There is no host ${hostname}, or no network.`;
    case 'TimeoutError':
      return `${origin} took longer than ${REQUEST_TIMEOUT_MS / 1000} s to answer.`;
    default:
      return `The connection to ${origin} failed (${error.cause?.message || error.message}).`;
  }
}

async function readNetwork(url) {
  const { status, body } = await request(`${url}/v1/network`);
  if (BUSY.has(status)) throw new Failure('BUSY', `The node is busy (${status})${said(body)}.`);
  if (status !== 200 || !CHAIN_ID.test(body?.chainId ?? '')) {
    throw new Failure(
      'NOT_A_NODE',
      `${url}/v1/network answered ${status} without a chain id${said(body)}. Is this the address of a node?`,
    );
  }
  return body;
}

function jsonObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Formats a problem document without control characters, which could steer the terminal. */
function said(problem) {
  const text = [problem?.code, problem?.title, problem?.detail]
    .filter((part) => typeof part === 'string')
    .join(': ');
  return text === '' ? '' : ` (${text.replace(/\p{C}/gu, ' ').slice(0, 600)})`;
}

// --- The registration and its signature ---------------------------------------------------------

/** Returns RFC 8785 text of strings and objects of strings. */
function canonical(value) {
  if (typeof value === 'string') return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** Returns the signed bytes: every member but the signature. */
function signedBytes({ signature: _, ...unsigned }) {
  return Buffer.from(canonical(unsigned));
}

function privateKeyOf(seed) {
  const der = Buffer.concat([PKCS8_HEADER, seed]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

const publicPem = (privateKey) =>
  createPublicKey(privateKey).export({ format: 'pem', type: 'spki' });

/** Returns true if it is the actor's key under the public laboratory seed. */
function isLabKey({ actorId, publicKey }) {
  const facts = { actorId, schema: 'NET-LAB-KEY/1', seed: 'netd laboratory' };
  return publicPem(privateKeyOf(Buffer.from(sha256(canonical(facts)), 'hex'))) === publicKey;
}

/** Creates a key and its signed registration, as in the key file. */
function newKeyRecord(asked, chainId) {
  const { actorId, seed, url } = asked;
  const privateKey = privateKeyOf(seed === undefined ? randomBytes(32) : Buffer.from(seed, 'hex'));
  const publicKey = publicPem(privateKey);
  const publicKeyHash = sha256(canonical(publicKey));
  const nonce = randomBytes(16).toString('hex');
  return {
    schema: KEY_SCHEMA,
    chainId,
    url,
    actorId,
    publicKey,
    publicKeyHash,
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }),
    registration: signedRegistration(privateKey, {
      ...asked,
      publicKey,
      publicKeyHash,
      nonce,
      chainId,
    }),
  };
}

function signedRegistration(
  privateKey,
  { actorId, description, referrer, publicKey, publicKeyHash, nonce, chainId, workBits },
) {
  const unsigned = {
    actorId,
    ...(description && { description }),
    ...(referrer && { referrerAgentId: referrer }),
    publicKey,
    publicKeyHash,
    nonce,
    chainId, // Binds the registration to this network.
  };
  if (workBits > 0) unsigned.nonce = workedNonce(unsigned, workBits);
  const signature = sign(null, signedBytes(unsigned), privateKey).toString('base64');
  return { ...unsigned, signature };
}

/** Returns the bits of a proof of work that a name costs on this network, or 0. */
function workBitsOf({ registration: { price, workBits } = {} }) {
  if (price !== 'work' || !Number.isSafeInteger(workBits)) return 0;
  if (workBits <= MAX_WORK_BITS) return workBits;
  throw new Failure(
    'NAME_TOO_DEAR',
    `A name costs a proof of work of ${workBits} bits here, more than the ${MAX_WORK_BITS} that this client does. ` +
      'Ask the operator to hold a name for you, or choose another network.',
  );
}

/** The nonce follows from the one given. */
function workedNonce(unsigned, workBits) {
  warn(`A name costs a proof of work of ${workBits} bits here; 20 take a second or two.`);
  for (let tried = 0; ; tried++) {
    const nonce = `${unsigned.nonce}-${tried.toString(36)}`;
    const digest = sha256(signedBytes({ ...unsigned, nonce }));
    if (BigInt(`0x${digest}`) >> BigInt(256 - workBits) === 0n) return nonce;
  }
}

/**
 * Adds the registration that key files of SDKs and `netd keys new` lack; the file itself is never overwritten.
 * The nonce follows from the key, so the same command always signs the same bytes.
 */
function withRegistration(record, asked, chainId) {
  const { privateKey, publicKey, publicKeyHash, actorId } = record;
  // The caller reports other damage.
  if (typeof privateKey !== 'string' || actorId !== asked.actorId || record.chainId !== chainId)
    return record;
  const nonce = sha256(`net-join registration ${chainId} ${publicKeyHash}`).slice(0, 32);
  const facts = { ...asked, publicKey, publicKeyHash, nonce, chainId };
  try {
    return { ...record, registration: signedRegistration(createPrivateKey(privateKey), facts) };
  } catch {
    return record;
  }
}

// --- The key file -------------------------------------------------------------------------------

/** Reads the key of this agent on this chain, or creates it. Even a new key is read back from disk. */
function keyFor(asked, chainId) {
  const path = join(asked.keyDir, chainId, `${asked.actorId}.json`);
  try {
    const firstCreated = fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (!fs.existsSync(path)) createKeyFile(path, newKeyRecord(asked, chainId));
    syncDirectories(dirname(path), firstCreated);
    return { path, record: readKeyFile(path, asked, chainId) };
  } catch (error) {
    if (error instanceof Failure) throw error;
    const remedy =
      error.syscall === 'mkdir'
        ? '; name a folder that can be written with --key-dir or NET_HOME'
        : '';
    throw new Failure('KEY_FILE', `The key file ${path} can't be used: ${error.message}${remedy}`);
  }
}

/**
 * Writes a temporary file and links it into place. Unlike rename, link fails if the name exists, so two concurrent
 * runs both use the first key.
 */
function createKeyFile(path, record) {
  const temporary = join(dirname(path), `.${randomBytes(8).toString('hex')}.tmp`);
  try {
    const text = `${JSON.stringify(record, null, 2)}\n`;
    fs.writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 });
    sync(temporary, 'r+');
    fs.linkSync(temporary, path);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

/** Syncs directories, so that new files survive a power cut. */
function syncDirectories(directory, firstCreated) {
  if (process.platform === 'win32') return; // Windows can't open directories.
  const top = firstCreated === undefined ? directory : dirname(firstCreated);
  for (let at = directory; ; at = dirname(at)) {
    sync(at, 'r');
    if (at === top) return;
  }
}

function sync(path, flags) {
  const file = fs.openSync(path, flags);
  try {
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}

function readKeyFile(path, asked, chainId) {
  const { actorId, description, referrer, seed } = asked;
  let record = jsonObject(readPrivately(path));
  if (typeof record?.sealedPrivateKey === 'string') {
    throw new Failure(
      'KEY_FILE',
      `${path} is sealed with a passphrase, which this client can't open: join with the SDK or netd that sealed it.`,
    );
  }
  if (record && record.registration === undefined)
    record = withRegistration(record, asked, chainId);
  if (!isIntact(record, chainId)) {
    throw new Failure('KEY_FILE', `${path} is damaged or not a key file of ${chainId}.`);
  }
  // Some file systems ignore case; the chain does not.
  if (record.actorId !== actorId) {
    throw new Failure('KEY_FILE', `${path} holds the key of "${record.actorId}".`);
  }
  if (
    seed !== undefined &&
    publicPem(privateKeyOf(Buffer.from(seed, 'hex'))) !== record.publicKey
  ) {
    throw new Failure(
      'KEY_DIFFERS',
      `${path} already holds another key for ${actorId} than the seed gives. ` +
        'Leave the seed out, or choose another name or --key-dir.',
    );
  }
  // An omitted value means "as before". A different one needs new bytes, but the old ones may be committed.
  const stored = record.registration;
  for (const [what, wanted, kept] of [
    ['description', description, stored.description ?? ''],
    ['referrer', referrer, stored.referrerAgentId ?? ''],
  ]) {
    if (wanted !== undefined && wanted !== kept) {
      throw new Failure(
        'REGISTRATION_DIFFERS',
        `The registration of ${actorId} is signed already with ${kept === '' ? `no ${what}` : `the ${what} "${kept}"`}, ` +
          'and may have been sent. Ask for the same again to send or recover it, or choose another name. ' +
          `If you know that the node refused it, move ${path} away to start over.`,
      );
    }
  }
  return record;
}

/** Reads the file, after restricting it to its owner. */
function readPrivately(path) {
  const file = fs.openSync(path, 'r');
  try {
    const { mode } = fs.fstatSync(file);
    if ((mode & 0o077) !== 0 && process.platform !== 'win32') {
      fs.fchmodSync(file, 0o600);
      const shown = (mode & 0o777).toString(8);
      warn(
        `${path} was open to other users (mode ${shown}); it is 600 now. They may have read it.`,
      );
    }
    // Some Windows editors add a byte order mark, which JSON does not allow.
    return fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } finally {
    fs.closeSync(file);
  }
}

/** Returns true if keys and registration belong together, and to this chain. */
function isIntact(record, chainId) {
  try {
    const { publicKey, registration } = record;
    return (
      record.schema === KEY_SCHEMA &&
      record.chainId === chainId &&
      publicPem(record.privateKey) === publicKey &&
      sha256(canonical(publicKey)) === record.publicKeyHash &&
      registration.actorId === record.actorId &&
      registration.chainId === chainId &&
      registration.publicKey === publicKey &&
      registration.publicKeyHash === record.publicKeyHash &&
      verify(
        null,
        signedBytes(registration),
        publicKey,
        Buffer.from(registration.signature, 'base64'),
      )
    );
  } catch {
    return false;
  }
}

// --- Joining ------------------------------------------------------------------------------------

async function joinNetwork(asked) {
  const { actorId, url } = asked;
  const network = await readNetwork(url);
  const { chainId } = network;
  if (asked.network !== undefined && asked.network !== chainId) {
    throw new Failure(
      'WRONG_NETWORK',
      `${url} serves ${chainId}, not ${asked.network}. Nothing was created or sent.`,
    );
  }
  const { path, record } = keyFor({ ...asked, workBits: workBitsOf(network) }, chainId);
  if (network.laboratory !== true && isLabKey(record)) {
    throw new Failure(
      'LAB_KEY_REFUSED',
      `${path} holds the key that ${actorId} has in each laboratory: everybody can make it. ` +
        'Nothing was sent. Move the file away, or take another --key-dir or --seed.',
    );
  }
  try {
    const { status, receipt } = await register(url, record, path);
    const shown = await shownKey(url, actorId);
    if (shown !== null && shown !== record.publicKeyHash) {
      throw new Failure(
        'KEY_NOT_SHOWN',
        `${actorId} is registered (height ${receipt.height}), but ${url} now shows another key for it: ` +
          `either the key was rotated since, or the node is not honest. Our key is in ${path}`,
      );
    }
    const { height, blockHash, transitionHash } = receipt;
    return {
      ok: true,
      status,
      agentId: actorId,
      chainId,
      url,
      height,
      blockHash,
      transitionHash,
      publicKeyHash: record.publicKeyHash,
      keyShownByNode: shown !== null,
      keyFile: path,
      readBack: [
        `/v1/agents/${actorId}`,
        `/v1/transitions/${transitionHash}`,
        `/v1/state/proof?key=agent/${actorId}`,
        `/v1/discovery?agentId=${actorId}`,
      ],
    };
  } catch (error) {
    if (error instanceof Failure) Object.assign(error.facts, { chainId, url, keyFile: path });
    throw error;
  }
}

/** Sends the stored registration; resolves only with the receipt of these bytes. */
async function register(url, { actorId, registration, publicKeyHash }, path) {
  const envelope = canonical(registration);
  const again = `Run the same command again: it sends the same bytes, with the key in ${path}`;
  let answer;
  try {
    answer = await request(`${url}/v1/agents/register`, envelope);
  } catch (error) {
    throw new Failure(error.code, `${error.message} The registration may have arrived. ${again}`);
  }
  const { status, body } = answer;
  const given = status === 201 ? { ...body, ...body?.receipt } : body?.receipt;
  if (status === 201 || (status === 409 && given)) {
    if (!isReceipt(given, sha256(envelope))) {
      throw new Failure(
        'RECEIPT_INVALID',
        `${url} answered ${status}, but not with a receipt for this registration. ${again}`,
      );
    }
    return { status: status === 201 ? 'joined' : 'recovered', receipt: given };
  }
  if (body?.code === 'AGENT_EXISTS') {
    // The same seed from another key directory signs other bytes, but the name is still ours.
    if ((await shownKey(url, actorId)) === publicKeyHash) {
      throw new Failure(
        'ALREADY_REGISTERED',
        `${actorId} is registered with this very key already, by another registration. ` +
          `There is nothing to do: the key in ${path} acts for it.`,
      );
    }
    throw new Failure(
      'NAME_TAKEN',
      `The name ${actorId} is taken by someone else. Run again with another name. ` +
        `The key made for this one stays, unused, in ${path}`,
    );
  }
  if (BUSY.has(status)) {
    throw new Failure('BUSY', `The node is busy (${status})${said(body)}. ${again}`);
  }
  throw new Failure(
    body?.code && /^[A-Z_]+$/.test(body.code) ? body.code : 'REFUSED',
    `The node refused the registration with ${status}${said(body)}. ` +
      `The key and the signed registration stay in ${path}; to sign a different one, move that file away first.`,
  );
}

function isReceipt(receipt, transitionHash) {
  return (
    Number.isSafeInteger(receipt?.height) &&
    HASH.test(receipt.blockHash) &&
    receipt.transitionHash === transitionHash
  );
}

/** Returns the publicKeyHash of an agent, null if unavailable. Never throws. */
async function shownKey(url, actorId) {
  try {
    const { body } = await request(`${url}/v1/agents/${actorId}`);
    const hash = body?.authority?.publicKeyHash;
    return typeof hash === 'string' ? hash : null;
  } catch {
    return null;
  }
}

// --- Output ------------------------------------------------------------------------------------

const warn = (sentence) => process.stderr.write(`net-join: ${sentence}\n`);

function prose({ status, agentId, chainId, url, keyShownByNode, keyFile, readBack, ...at }) {
  const headline =
    status === 'joined'
      ? `Joined ${chainId} as ${agentId}.`
      : `${agentId} had joined ${chainId} already with this registration; recovered its receipt.`;
  return `${headline}

  committed   at height ${at.height}, block ${at.blockHash}
  transition  ${at.transitionHash}
  read back   ${readBack.map((route) => url + route).join('\n              ')}
  key         ${keyFile}
              Keep it and back it up: a person or program with this file acts as ${agentId}.
  checked     ${keyShownByNode ? 'the node shows our key for this agent' : "not checked: the node didn't show the agent's key"}

Next: ${url}/docs/guides/get-paid has a program that earns.
  npx netd work list --url ${url}   (after npm install -g ${url}/downloads/netd.tgz)
`;
}

async function main() {
  // Read before parsing, so that scripts get JSON even for wrong arguments.
  const json = process.argv.slice(2).includes('--json');
  try {
    const asked = readArguments();
    if (asked.print !== undefined) {
      process.stdout.write(asked.print);
      return;
    }
    const result = await joinNetwork(asked);
    process.stdout.write(json ? `${JSON.stringify(result)}\n` : prose(result));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    process.exitCode = exitCodeOf(error);
    const { code, message, facts } = error;
    if (json) {
      process.stdout.write(`${JSON.stringify({ ok: false, code, message, ...facts })}\n`);
    } else {
      warn(error instanceof UsageFailure ? `${message} Try --help.` : message);
    }
  }
}

// A closed pipe is not an error.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

await main();
