/**
 * Replaces missing WebCrypto, on plain http from another machine or in browsers without Ed25519 and X25519.
 * The SDK sees no difference.
 */
import type { Algorithm, KeyReference, MadeKey, SoftKeyFacts } from './algorithms.ts';
import { workerScript } from '../../chain/worker-script.ts';
import { heldNow, onHolder } from '../holder.ts';
// The build turns it into an address.
// oxlint-disable-next-line import/default
import workerUrl from './worker.ts?worker&url';
import type { Answer, Call } from './worker.ts';

export type Cryptography = 'browser' | 'worker';

let found: Promise<Cryptography> | undefined;

/** Ensures that `crypto.subtle` supports what a wallet needs. Repeated calls return the first result. */
export function ensureCrypto(): Promise<Cryptography> {
  found ??= find();
  return found;
}

async function find(): Promise<Cryptography> {
  if (await hasCurves()) return 'browser';
  const subtle = new WorkerSubtle();
  Object.defineProperty(crypto, 'subtle', { value: subtle, configurable: true });
  onHolder(() => {
    if (heldNow() === null) void subtle.forget();
  });
  return 'worker';
}

async function hasCurves(): Promise<boolean> {
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) return false;
  try {
    await subtle.generateKey('Ed25519', false, ['sign', 'verify']);
    await subtle.generateKey('X25519', false, ['deriveBits']);
    return true;
  } catch {
    return false;
  }
}

class WorkerKey implements SoftKeyFacts {
  readonly key: number;
  readonly type: SoftKeyFacts['type'];
  readonly algorithm: SoftKeyFacts['algorithm'];
  readonly extractable: boolean;
  readonly usages: string[];

  constructor({ key, type, algorithm, extractable, usages }: MadeKey) {
    this.key = key;
    this.type = type;
    this.algorithm = algorithm;
    this.extractable = extractable;
    this.usages = usages;
  }

  get [Symbol.toStringTag](): string {
    return 'CryptoKey';
  }
}

type Named = string | (Algorithm & { public?: WorkerKey });
const named = (algorithm: Named): Algorithm => {
  if (typeof algorithm === 'string') return { name: algorithm };
  const given = algorithm.public;
  return given === undefined ? algorithm : { ...algorithm, public: { key: given.key } };
};
const reference = ({ key }: WorkerKey): KeyReference => ({ key });
const bytesOf = (data: ArrayBuffer | ArrayBufferView): Uint8Array<ArrayBuffer> =>
  ArrayBuffer.isView(data)
    ? Uint8Array.from(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    : new Uint8Array(data.slice(0));
const bufferOf = (result: unknown): unknown =>
  result instanceof Uint8Array ? result.buffer : result;

/** Implements the part of `SubtleCrypto` that the SDK uses. */
class WorkerSubtle {
  readonly #worker = new Worker(workerScript(workerUrl), { type: 'module' });
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #last = 0;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      this.#waiting.get(data.id)?.(data);
      this.#waiting.delete(data.id);
    });
    this.#worker.addEventListener('error', () => {
      const error = { name: 'OperationError', message: 'the worker does not run' };
      for (const [id, answer] of this.#waiting) answer({ id, error });
      this.#waiting.clear();
    });
  }

  #call(method: Call['method'], ...parameters: readonly unknown[]): Promise<unknown> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (answer) => {
        if ('result' in answer) resolve(answer.result);
        else reject(new DOMException(answer.error.message, answer.error.name));
      });
      // A worker has no origin of its own.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      this.#worker.postMessage({ id, method, parameters } satisfies Call);
    });
  }

  async forget(): Promise<void> {
    await this.#call('forget');
  }

  async digest(algorithm: Named, data: ArrayBuffer | ArrayBufferView): Promise<unknown> {
    return bufferOf(await this.#call('digest', named(algorithm).name, bytesOf(data)));
  }

  async generateKey(algorithm: Named, extractable: boolean, usages: string[]): Promise<unknown> {
    const made = await this.#call('generateKey', named(algorithm), extractable, usages);
    const { publicKey, privateKey } = made as { publicKey: MadeKey; privateKey: MadeKey };
    return { publicKey: new WorkerKey(publicKey), privateKey: new WorkerKey(privateKey) };
  }

  // The parameters of WebCrypto.
  // oxlint-disable-next-line max-params
  async importKey(
    format: string,
    data: ArrayBuffer | ArrayBufferView | object,
    algorithm: Named,
    extractable: boolean,
    usages: string[],
  ): Promise<WorkerKey> {
    const isBinary = data instanceof ArrayBuffer || ArrayBuffer.isView(data);
    const given = isBinary ? bytesOf(data) : { ...data };
    const call = ['importKey', format, given, named(algorithm), extractable, usages] as const;
    return new WorkerKey((await this.#call(...call)) as MadeKey);
  }

  async exportKey(format: string, key: WorkerKey): Promise<unknown> {
    return bufferOf(await this.#call('exportKey', format, reference(key)));
  }

  async sign(algorithm: Named, key: WorkerKey, data: ArrayBufferView): Promise<unknown> {
    return bufferOf(await this.#call('sign', named(algorithm), reference(key), bytesOf(data)));
  }

  async deriveBits(algorithm: Named, key: WorkerKey, length: number): Promise<unknown> {
    return bufferOf(await this.#call('deriveBits', named(algorithm), reference(key), length));
  }

  async encrypt(algorithm: Named, key: WorkerKey, data: ArrayBufferView): Promise<unknown> {
    return bufferOf(await this.#call('encrypt', named(algorithm), reference(key), bytesOf(data)));
  }

  async decrypt(algorithm: Named, key: WorkerKey, data: ArrayBufferView): Promise<unknown> {
    return bufferOf(await this.#call('decrypt', named(algorithm), reference(key), bytesOf(data)));
  }

  async wrapKey(format: string, wrapped: WorkerKey, by: WorkerKey): Promise<unknown> {
    return bufferOf(await this.#call('wrapKey', format, reference(wrapped), reference(by)));
  }

  // The parameters of WebCrypto.
  // oxlint-disable-next-line max-params
  async unwrapKey(
    format: string,
    data: ArrayBufferView,
    by: WorkerKey,
    _: Named,
    algorithm: Named,
    extractable: boolean,
    usages: string[],
  ): Promise<WorkerKey> {
    const options = { key: reference(by), algorithm: named(algorithm), extractable, usages };
    return new WorkerKey(
      (await this.#call('unwrapKey', format, bytesOf(data), options)) as MadeKey,
    );
  }
}
