/**
 * Storage of an agent: secrets, which only sealing overwrites, and records of open work. Outside of Node the
 * caller provides it.
 */
import { canonicalize, sha256Hex, utf8Bytes, utf8Text, type JsonObject } from '@netd/protocol';
import { AgentError } from './agent-error.ts';

/** Storage of keys and state, for places other than the disk of Node. */
export interface AgentHome {
  /** Returns the text that was written under a name, or null. */
  readSecret: (name: string) => Promise<string | null>;
  /** Writes a secret durably. Keeps an existing one. */
  writeSecret: (name: string, text: string) => Promise<void>;
  /**
   * Replaces a secret by its sealed form, durably and atomically, if its text is still `before`. Without this method,
   * an agent with plain keys refuses a passphrase.
   */
  replaceSecret?: (name: string, before: string, text: string) => Promise<void>;
  /** Absent if secrets are not files. */
  pathOfSecret?: (name: string) => string;
  /**
   * Opens the state, for one process at a time.
   * @throws AgentError AGENT_RUNNING if another process has it; `data.until` says when its lease ends, if it has one
   */
  openState: () => Promise<AgentState>;
}

/** Small named files. `put` is atomic and durable. */
export interface AgentState {
  /** Directory of the files; absent if a person cannot move it. */
  path?: string;
  /** Returns the bytes under a name, or null. */
  get: (name: string) => Promise<Uint8Array | null>;
  /** Writes bytes under a name, durably. */
  put: (name: string, bytes: Uint8Array) => Promise<void>;
  /** Deletes what is under a name. */
  delete: (name: string) => Promise<void>;
  /** Returns all names. */
  names: () => Promise<string[]>;
  /** Lets another process use the state. */
  close: () => Promise<void>;
  /**
   * Present if the state is leased and must be renewed. Then `put`, `delete` and `renew` throw HOME_FENCED, and
   * write nothing, once another process has taken the state over.
   */
  lease?: { milliseconds: number; renew: () => Promise<void> };
}

/** Records by id, one file each. */
export class Records<Value extends JsonObject> {
  private readonly state: AgentState;
  private readonly kind: string;

  constructor(state: AgentState, kind: string) {
    this.state = state;
    this.kind = kind;
  }

  async get(id: string): Promise<Value | null> {
    return this.parse(await this.state.get(this.nameOf(id)));
  }

  async put(id: string, value: Value): Promise<void> {
    await this.state.put(this.nameOf(id), utf8Bytes(canonicalize(value)));
  }

  async delete(id: string): Promise<void> {
    await this.state.delete(this.nameOf(id));
  }

  async all(): Promise<Value[]> {
    const names = (await this.state.names()).filter((name) => name.startsWith(`${this.kind}-`));
    const values: Value[] = [];
    for (const name of names.toSorted()) {
      const value = this.parse(await this.state.get(name));
      if (value) values.push(value);
    }
    return values;
  }

  private nameOf(id: string): string {
    return `${this.kind}-${sha256Hex(id).slice(0, 40)}.json`;
  }

  private parse(bytes: Uint8Array | null): Value | null {
    if (bytes === null) return null;
    try {
      return JSON.parse(utf8Text(bytes)) as Value;
    } catch {
      throw new AgentError('STATE_INVALID', `a record of kind ${this.kind}`);
    }
  }
}
