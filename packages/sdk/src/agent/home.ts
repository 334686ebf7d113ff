/**
 * Storage of an agent: secrets, which are never overwritten, and records of open work. Outside of Node the
 * caller provides it.
 */
import { canonicalize, sha256Hex, utf8Bytes, utf8Text, type JsonObject } from '@netd/protocol';
import { AgentError } from './agent-error.ts';

export interface AgentHome {
  readSecret: (name: string) => Promise<string | null>;
  /** Writes a secret durably. Keeps an existing one. */
  writeSecret: (name: string, text: string) => Promise<void>;
  /** Absent if secrets are not files. */
  pathOfSecret?: (name: string) => string;
  /**
   * Opens the state, for one process at a time.
   * @throws AgentError AGENT_RUNNING
   */
  openState: () => Promise<AgentState>;
}

/** Small named files. `put` is atomic and durable. */
export interface AgentState {
  /** Directory of the files; absent if a person cannot move it. */
  path?: string;
  get: (name: string) => Promise<Uint8Array | null>;
  put: (name: string, bytes: Uint8Array) => Promise<void>;
  delete: (name: string) => Promise<void>;
  names: () => Promise<string[]>;
  close: () => Promise<void>;
}

/** Returns a home in memory, whose keys are lost with the process. */
export function memoryHome(): AgentHome {
  const secrets = new Map<string, string>();
  const files = new Map<string, Uint8Array>();
  let open = false;
  return {
    readSecret: async (name) => secrets.get(name) ?? null,
    writeSecret: async (name, text) => {
      if (!secrets.has(name)) secrets.set(name, text);
    },
    openState: async () => {
      if (open) throw new AgentError('AGENT_RUNNING');
      open = true;
      return {
        get: async (name) => files.get(name) ?? null,
        put: async (name, bytes) => void files.set(name, bytes),
        delete: async (name) => void files.delete(name),
        names: async () => [...files.keys()],
        close: async () => void (open = false),
      };
    },
  };
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
