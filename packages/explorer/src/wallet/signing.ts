/**
 * Exactly what was shown is signed. An envelope is stored before it is sent, and only resent unchanged until
 * its outcome is proven.
 */
import { bytesToHex, canonicalize, hashValue, type JsonObject, type Receipt } from '@netd/protocol';
import { NetError, type Simulation } from '@netd/sdk/core';
import {
  completePayload,
  NAMED_GENESIS,
  requireRoster,
  rulesVersionOf,
  submit,
  workedNonce,
  type WorkOptions,
} from '@netd/sdk/internal';
import type { Anchor } from '../chain/anchor-rules.ts';
import { currentAnchor } from '../chain/anchor.ts';
import { client, nodeUrl } from '../chain/client.ts';
import { prove, type Proofs } from '../chain/prover.ts';
import { isPolicyAction } from './actions.ts';
import { contradictionOf } from './contradiction.ts';
import type { Holder } from './holder.ts';
import { keepAct, keptActs, noteFate, rememberUnkept, type KeptAct } from './storage.ts';
import { textOf } from './json-text.ts';

/** An act before completion. Members that the agent and chain determine may be missing. */
export interface Wish {
  action: string;
  /** A function if the payload contains a signature over the envelope's nonce. */
  payload: JsonObject | ((facts: SignedFacts) => Promise<JsonObject>);
  /** True to offer an order even if no verifiers could judge a result now. */
  anyway?: boolean;
}

/** Facts that a signature within a payload covers. */
interface SignedFacts {
  nonce: string;
  chainId: string;
  genesis: NamedGenesis;
}

/** Empty under version 1 of the rules. */
interface NamedGenesis {
  genesisHash?: string;
}

export interface Proposal {
  path: '/v1/intents' | '/v1/agents/register';
  envelope: JsonObject;
  simulation: Simulation | null;
  /** The reason not to sign the act; null if the wallet found none. */
  contradiction: string | null;
  height: number;
  /** True if the chain is proven to be a laboratory, whose NET is worthless. */
  laboratory: boolean;
  /**
   * Simulates the same envelope again.
   * @param capabilities actions that the agent would first permit to its own key
   */
  again: (capabilities?: readonly string[]) => Promise<Proposal>;
  /**
   * Milliseconds since 1970 when the same act was signed and refused; null if never, or if this act has its
   * nonce.
   */
  refusedBefore: number | null;
}

class NotSignedError extends Error {
  override name = 'NotSignedError';
}

export type Fate =
  | { fate: 'committed'; act: KeptAct; receipt: Receipt }
  | { fate: 'refused'; act: KeptAct; refusal: NetError; earlier: KeptAct | null }
  /** The outcome is unknown. The act is stored, and resent unchanged. */
  | { fate: 'open'; act: KeptAct; why: string };

/** Heights until an intent expires. */
const LIFETIME = 600;
const TIMEOUT = 20_000;

/** @throws NotSignedError if the node serves another chain than the key's */
async function provenChain({
  actorId,
  chainId,
  genesisHash,
}: Pick<Holder, 'actorId' | 'chainId' | 'genesisHash'>): Promise<{
  height: number;
  laboratory: boolean;
  genesis: NamedGenesis;
}> {
  const anchor = requireAnchor();
  if (anchor.genesisHash !== genesisHash) {
    throw new NotSignedError(
      'This page now follows a different chain than when you opened the key. Lock the wallet, and open the key again.',
    );
  }
  const { value, height } = await provenState(anchor, 'chain/identity');
  const identity = value as { chainId?: unknown; laboratory?: unknown } | null;
  if (identity?.chainId !== chainId) {
    throw new NotSignedError(
      `The key is for the chain ${chainId}, but the node serves ${String(identity?.chainId)}.`,
    );
  }
  // A chain that required the genesis hash once always does, even if a node shows an old state.
  const isNamed =
    (await keptActs(genesisHash, actorId)).some(({ envelope }) => 'genesisHash' in envelope) ||
    rulesVersionOf(await provenState(anchor, 'rules/active')) >= NAMED_GENESIS;
  return {
    height,
    laboratory: identity.laboratory === true,
    genesis: isNamed ? { genesisHash } : {},
  };
}

async function provenState(anchor: Anchor, key: string): Promise<Proofs['state']> {
  try {
    return (await prove(anchor, 'state', key)) as Proofs['state'];
  } catch (error) {
    const { name, message } = error as Error;
    if (name !== 'VerificationError' && name !== 'StaleStateError') throw error;
    throw new NotSignedError(`The node does not prove which chain this is: ${message}.`, {
      cause: error,
    });
  }
}

function requireAnchor(): Anchor {
  const anchor = currentAnchor();
  if (anchor) return anchor;
  throw new NotSignedError('The node has not named its chain yet. Try again.');
}

/**
 * Completes an act and lets the node simulate it.
 * @throws NotSignedError, NetError if the node does not answer or cannot read it
 */
export async function propose(
  holder: Holder,
  { action, payload: given, anyway = false }: Wish,
): Promise<Proposal> {
  const { actorId, chainId } = holder;
  const { height, laboratory, genesis } = await provenChain(holder);
  const { nonce, expiresAtHeight } = await numberFor(holder, action, height);
  const wanted = typeof given === 'function' ? await given({ nonce, chainId, genesis }) : given;
  const payload = await completePayload(actorId, action, wanted, {
    height: async () => height,
    agent: (agentId) => client.read('/v1/agents/{agentId}', { agentId }),
  });
  const envelope: JsonObject = {
    actorId,
    nonce,
    expiresAtHeight,
    action,
    payload,
    chainId,
    ...genesis,
  };
  const refusedBefore = await sameRefused(holder, envelope, height);
  const simulate = async (capabilities?: readonly string[]): Promise<Proposal> => {
    const simulation = await client.post<Simulation>('/v1/intents:simulate', {
      actorId,
      action,
      payload,
      nonce,
      ...(capabilities ? { capabilities: [...capabilities] } : {}),
    });
    if (!anyway) requireRoster(simulation.warnings);
    return {
      path: '/v1/intents',
      envelope,
      simulation,
      contradiction: contradictionOf(envelope, simulation),
      height,
      laboratory,
      refusedBefore,
      again: simulate,
    };
  };
  return simulate();
}

export interface Whole {
  /** The permission that the agent's own key lacks for the act; null if it needs or gets none. */
  first: Proposal | null;
  proposal: Proposal;
}

/** Proposes an act, and before it the missing permission. The act is simulated as if it had that already. */
export async function proposeWhole(holder: Holder, make: () => Promise<Proposal>): Promise<Whole> {
  const proposal = await make();
  const actions = missingActions(proposal);
  if (actions.length === 0) return { first: null, proposal };
  const permission = { action: 'extendAgentCapabilities', payload: { actions }, anyway: true };
  const first = await propose(holder, permission);
  return { first, proposal: await proposal.again(actions) };
}

const MISSING_PERMISSION = ['CAPABILITY_MISSING', 'SESSION_TOO_WIDE'];

/**
 * Returns why the network would refuse the act; null if it would not. Older nodes simulate without the
 * permission, so their refusal for its lack counts only if none comes first.
 */
export function refusalOf({ first, proposal: { simulation } }: Whole): Simulation['refusal'] {
  const refusal = simulation?.refusal ?? null;
  return first !== null && MISSING_PERMISSION.includes(refusal?.code ?? '') ? null : refusal;
}

export const isBlocked = ({ first, proposal }: Whole): boolean =>
  (first !== null && isBlocked({ first: null, proposal: first })) ||
  proposal.contradiction !== null ||
  refusalOf({ first, proposal }) !== null;

/** True if the key may do now what a permission was signed for. Another tab may have been faster. */
export const isPermitted = (fate: Fate): boolean =>
  fate.fate === 'committed' ||
  (fate.fate === 'refused' && fate.refusal.code === 'CAPABILITIES_UNCHANGED');

function missingActions({ envelope, simulation, contradiction }: Proposal): string[] {
  const { action, payload } = envelope;
  if (contradiction !== null) return [];
  switch (simulation?.refusal?.code) {
    case 'CAPABILITY_MISSING':
      return [textOf(action)].filter(isPolicyAction);
    case 'SESSION_TOO_WIDE': {
      const { actions } = payload as { actions?: string[] };
      return (actions ?? []).filter(isPolicyAction);
    }
    default:
      return [];
  }
}

/**
 * Proposes an agent's registration with its own key.
 * @param work called if names cost a proof of work
 * @throws NotSignedError; the reason of the signal
 */
export async function proposeRegistration(
  holder: Holder,
  description: string,
  work: (WorkOptions & { bits: number }) | null,
): Promise<Proposal> {
  const { actorId, chainId, signing } = holder;
  const { height, laboratory, genesis } = await provenChain(holder);
  const { publicKey, publicKeyHash } = signing;
  const unsigned = {
    ...(description === '' ? {} : { description }),
    actorId,
    publicKey,
    publicKeyHash,
    nonce: freshNonce(),
    chainId,
    ...genesis,
  };
  const nonce = work === null ? unsigned.nonce : await workedNonce(unsigned, work.bits, work);
  const proposal: Proposal = {
    path: '/v1/agents/register',
    envelope: { ...unsigned, nonce },
    simulation: null,
    contradiction: null,
    height,
    laboratory,
    refusedBefore: null,
    again: async () => proposal,
  };
  return proposal;
}

const LIKE_A_REGISTRATION = { publicKey: '-'.repeat(500), nonce: '-'.repeat(32) };
const MEASURED_MILLISECONDS = 100;

/** Returns the mean milliseconds of a name's proof of work, measured on this device. */
export async function workTime(bits: number): Promise<number> {
  let attempts = 1;
  const began = performance.now();
  const measured = {
    signal: AbortSignal.timeout(MEASURED_MILLISECONDS),
    progress: (tried: number) => void (attempts = tried),
  };
  // No hash has so many zero bits, so only the signal ends it.
  await workedNonce(LIKE_A_REGISTRATION, 257, measured).catch(() => {});
  return (2 ** bits * (performance.now() - began)) / attempts;
}

const freshNonce = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(16)));

/**
 * Returns nonce and expiry. They equal those of a refused envelope while that is valid, so that the chain
 * executes only one if the refusal was a lie. The expiry must be equal too, because the chain forgets a nonce
 * when its envelope expires, and a node could hold back a later one until then.
 * @throws NotSignedError while the outcome of an earlier act of this kind is unknown
 */
async function numberFor(
  { genesisHash, actorId }: Holder,
  action: string,
  height: number,
): Promise<{ nonce: string; expiresAtHeight: number }> {
  const acts = (await keptActs(genesisHash, actorId)).filter(
    ({ envelope }) => envelope['action'] === action,
  );
  if (acts.some(({ state }) => state === 'signed')) {
    throw new NotSignedError(
      'An earlier action of this kind is not confirmed yet. Wait until it is, then try again.',
    );
  }
  const spent = new Set(acts.filter(({ state }) => state === 'committed').map(nonceOf));
  const before = acts.find(
    (act) => act.state === 'refused' && expiryOf(act) > height && !spent.has(nonceOf(act)),
  );
  return before
    ? { nonce: nonceOf(before), expiresAtHeight: expiryOf(before) }
    : { nonce: freshNonce(), expiresAtHeight: height + LIFETIME };
}

/**
 * Returns when the same act was signed and refused; null if there is none, or the next one has its nonce.
 * After its expiry the nonces differ, so only a warning prevents a second execution.
 * @throws NotSignedError if the chain proves that it was executed
 */
async function sameRefused(
  { genesisHash, actorId }: Holder,
  { action, payload }: JsonObject,
  height: number,
): Promise<number | null> {
  const same = canonicalize({ action: action ?? null, payload: payload ?? null });
  const before = (await keptActs(genesisHash, actorId)).find(
    (act) =>
      act.state === 'refused' &&
      canonicalize({
        action: act.envelope['action'] ?? null,
        payload: act.envelope['payload'] ?? null,
      }) === same,
  );
  if (!before) return null;
  if ((await settleByProof(before, 1))?.fate === 'committed') {
    throw new NotSignedError(
      'The node refused the same action before, but the chain shows that it was executed. The refusal was false. Check what you have signed in this browser before you do it again.',
    );
  }
  return expiryOf(before) <= height ? before.signedAt : null;
}

const expiryOf = ({ envelope }: KeptAct): number => Number(envelope['expiresAtHeight']);
const nonceOf = ({ envelope }: KeptAct): string => textOf(envelope['nonce']);

/**
 * Signs what was shown and stores it.
 * @returns `kept`: false if the browser stores nothing; then the act must not be sent
 */
export async function sign(
  holder: Holder,
  proposal: Proposal,
): Promise<{ act: KeptAct; kept: boolean }> {
  const { actorId, chainId, genesisHash, signing } = holder;
  if (proposal.contradiction !== null) throw new NotSignedError(proposal.contradiction);
  const envelope = await signing.sign(proposal.envelope);
  const act: KeptAct = {
    id: hashValue(envelope),
    actorId,
    chainId,
    genesisHash,
    path: proposal.path,
    envelope,
    state: 'signed',
    receipt: null,
    refusal: null,
    signedAt: Date.now(),
  };
  try {
    await keepAct(act);
    return { act, kept: true };
  } catch {
    return { act, kept: false };
  }
}

export async function send(act: KeptAct): Promise<Fate> {
  if (hashValue(act.envelope) !== act.id)
    throw new NotSignedError('The stored envelope is damaged.');
  if (act.state === 'signed') rememberUnkept(act);
  let told: Receipt;
  try {
    told = await submit(nodeUrl + act.path, act.envelope, { timeout: TIMEOUT });
  } catch (error) {
    if (error instanceof NetError && error.problem !== null && error.status < 500) {
      return refused(act, error);
    }
    const why = error instanceof NetError && error.problem !== null ? error.message : NO_ANSWER;
    return { fate: 'open', act, why };
  }
  return (
    (await settleByProof(act)) ?? {
      fate: 'open',
      act,
      why: `The node says that it was executed at height ${told.height}, but does not prove it.`,
    }
  );
}

async function settleByProof(act: KeptAct, attempts = PROOF_ATTEMPTS): Promise<Fate | null> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      const { receipt, envelope } = (await prove(requireAnchor(), 'transition', act.id)) as {
        receipt: Receipt;
        envelope: JsonObject;
      };
      if (canonicalize(envelope) !== canonicalize(act.envelope)) return null;
      const settled: KeptAct = { ...act, state: 'committed', receipt };
      await noteFate(settled);
      return { fate: 'committed', act: settled, receipt };
    } catch (error) {
      // A follower may lag a block behind the write that it forwarded.
      if (!(error instanceof NetError && error.status === 404)) return null;
      await new Promise((resolve) => setTimeout(resolve, PROOF_PAUSE * (attempt + 1)));
    }
  }
  return null;
}

const NO_ANSWER = 'The node did not answer.';

const PROOF_ATTEMPTS = 4;
const PROOF_PAUSE = 300;

async function refused(act: KeptAct, refusal: NetError): Promise<Fate> {
  const settled: KeptAct = { ...act, state: 'refused', refusal: refusal.code };
  await noteFate(settled);
  const earlier = refusal.code === 'NONCE_REPLAYED' ? await findExecuted(act) : null;
  return { fate: 'refused', act: settled, refusal, earlier };
}

/** Finds an executed act with the same nonce, which proves that the node's refusal was a lie. */
async function findExecuted(act: KeptAct): Promise<KeptAct | null> {
  const twins = (await keptActs(act.genesisHash, act.actorId)).filter(
    (one) => one.id !== act.id && nonceOf(one) === nonceOf(act),
  );
  for (const twin of twins) {
    const fate = await settleByProof(twin);
    if (fate?.fate === 'committed') return fate.act;
  }
  return null;
}

const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 30_000;

/** Returns the milliseconds before the next attempt of an act whose outcome is unknown. */
export const retryPause = (attempt: number): number =>
  Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempt);
