import { request } from 'node:http';
import type { CometbftCommit, CometbftHeader, PartSetHeader } from '@netd/protocol';

const TIMEOUT_MILLISECONDS = 10_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export class CometbftRpcError extends Error {
  override name = 'CometbftRpcError';
}

interface TimedSignature {
  address: string;
  timestamp: string;
  signature: string;
}

export interface SignedHeader {
  commit: CometbftCommit;
  signatures: TimedSignature[];
}

export interface LightBlock {
  engineHeight: number;
  signedHeader: object;
  validators: object[];
  consensusParams: object;
}

export class CometbftRpc {
  private readonly socketPath: string;

  constructor(socketPath: string) {
    this.socketPath = socketPath;
  }

  /** Resolves after CheckTx. */
  async broadcast(tx: Uint8Array): Promise<{ code: number }> {
    const params = { tx: Buffer.from(tx).toString('base64') };
    return (await this.call('broadcast_tx_sync', params)) as { code: number };
  }

  async height(): Promise<number> {
    const { sync_info: sync } = (await this.call('status', {})) as {
      sync_info: { latest_block_height: string };
    };
    return Number(sync.latest_block_height);
  }

  async peers(): Promise<{ id: string; address: string }[]> {
    const { peers } = (await this.call('net_info', {})) as {
      peers: { node_info: { id: string }; remote_ip: string }[];
    };
    return peers.map((peer) => ({ id: peer.node_info.id, address: peer.remote_ip }));
  }

  /**
   * Returns the first 12 hex digits of the addresses of validators that voted in the running round or the one
   * before; null before its first vote.
   */
  async voters(): Promise<ReadonlySet<string> | null> {
    const { round_state: state } = (await this.call('consensus_state', {})) as {
      round_state: RoundState;
    };
    return votersOf(state);
  }

  /** @throws CometbftRpcError if the height is not decided yet */
  async signedHeader(height: number): Promise<SignedHeader> {
    const received = (await this.call('commit', { height: String(height) })) as ReceivedCommit;
    return readCommit(received);
  }

  /** @throws CometbftRpcError if the height is not decided yet, or pruned */
  async lightBlock(height: number): Promise<LightBlock> {
    const at = { height: String(height) };
    const { signed_header: signedHeader } = (await this.call('commit', at)) as {
      signed_header: object;
    };
    const validators: object[] = [];
    for (let page = 1; ; page++) {
      const paged = { ...at, page: String(page), per_page: '100' };
      const received = (await this.call('validators', paged)) as {
        validators: object[];
        total: string;
      };
      validators.push(...received.validators);
      if (received.validators.length === 0 || validators.length >= Number(received.total)) break;
    }
    const { consensus_params: consensusParams } = (await this.call('consensus_params', at)) as {
      consensus_params: object;
    };
    return { engineHeight: height, signedHeader, validators, consensusParams };
  }

  private async call(method: string, params: object): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = JSON.parse(await this.post(body)) as {
      result?: unknown;
      error?: { message: string; data?: string };
    };
    if (answer.error) {
      const { message, data = '' } = answer.error;
      throw new CometbftRpcError(`CometBFT answered ${method}: ${message} ${data}`.trim());
    }
    return answer.result;
  }

  private post(body: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          socketPath: this.socketPath,
          method: 'POST',
          path: '/',
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          },
          timeout: TIMEOUT_MILLISECONDS,
        },
        (response) => {
          const chunks: Buffer[] = [];
          let size = 0;
          response.on('data', (chunk: Buffer) => {
            size += chunk.length;
            if (size > MAX_ANSWER_BYTES) response.destroy(new Error('the answer is too long'));
            chunks.push(chunk);
          });
          response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
          response.on('error', reject);
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error('CometBFT does not answer')));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}

/** As `consensus_state` returns it. */
interface RoundState {
  'height/round/step': string;
  height_vote_set: { round: number; prevotes: string[]; precommits: string[] }[];
}

/** CometBFT's RoundStepType. */
const PREVOTE_STEP = 4;
const PRECOMMIT_STEP = 6;

/** Counts only votes of the running step, because an older one may have come before its sender was lost. */
export function votersOf(state: RoundState): ReadonlySet<string> | null {
  const [, round = 0, step = 0] = state['height/round/step'].split('/').map(Number);
  if (step < PREVOTE_STEP) return null;
  const votes = state.height_vote_set.flatMap((each) => {
    if (each.round === round - 1) return each.precommits;
    if (each.round !== round) return [];
    return step < PRECOMMIT_STEP ? each.prevotes : each.precommits;
  });
  const addresses = votes.flatMap((vote) => /^Vote\{\d+:([0-9A-F]{12}) /.exec(vote)?.[1] ?? []);
  return new Set(addresses.map((address) => address.toLowerCase()));
}

interface ReceivedParts {
  total: number;
  hash: string;
}

interface ReceivedCommit {
  signed_header: {
    header: {
      version: { block: string; app?: string };
      chain_id: string;
      height: string;
      time: string;
      last_block_id: { hash: string; parts: ReceivedParts };
      last_commit_hash: string;
      data_hash: string;
      validators_hash: string;
      next_validators_hash: string;
      consensus_hash: string;
      app_hash: string;
      last_results_hash: string;
      evidence_hash: string;
      proposer_address: string;
    };
    commit: {
      round: number;
      block_id: { parts: ReceivedParts };
      signatures: {
        block_id_flag: number;
        validator_address: string;
        timestamp: string;
        signature: string | null;
      }[];
    };
  };
}

/** Marks a vote for the block, not for nil. */
const FLAG_COMMIT = 2;

function readCommit({ signed_header: { header, commit } }: ReceivedCommit): SignedHeader {
  const hex = (text: string): string => text.toLowerCase();
  const parts = (received: ReceivedParts): PartSetHeader => ({
    total: received.total,
    hash: hex(received.hash),
  });
  const read: CometbftHeader = {
    version: { block: Number(header.version.block), app: Number(header.version.app ?? 0) },
    chainId: header.chain_id,
    height: Number(header.height),
    time: header.time,
    lastBlockId: { hash: hex(header.last_block_id.hash), parts: parts(header.last_block_id.parts) },
    lastCommitHash: hex(header.last_commit_hash),
    dataHash: hex(header.data_hash),
    validatorsHash: hex(header.validators_hash),
    nextValidatorsHash: hex(header.next_validators_hash),
    consensusHash: hex(header.consensus_hash),
    appHash: hex(header.app_hash),
    lastResultsHash: hex(header.last_results_hash),
    evidenceHash: hex(header.evidence_hash),
    proposerAddress: hex(header.proposer_address),
  };
  return {
    commit: { header: read, round: commit.round, parts: parts(commit.block_id.parts) },
    signatures: commit.signatures
      .filter(({ block_id_flag: flag }) => flag === FLAG_COMMIT)
      .map(({ validator_address: address, timestamp, signature }) => ({
        address: hex(address),
        timestamp,
        signature: signature ?? '',
      })),
  };
}
