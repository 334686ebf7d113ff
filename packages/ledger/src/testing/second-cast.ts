/** Plays scenes again on the same chain: every actor and record gets another id, by the names of the members. */
import { hashValue, type JsonObject, type JsonValue } from '@netd/protocol';
import type { TestKey } from '@netd/protocol/testing';
import type { Submission } from '../block-execution.ts';
import type { CollectionName, Collections, IdOf } from '../collections.ts';
import type { ApplicationRole } from '../capability.ts';
import { OPERATOR, TestChain, type IntentOptions, type RegistrationOptions } from './test-chain.ts';

const PREFIX = 'b-';
/** Also ids that contain a renamed one. */
const RENAMED = /(^|-)b-/;
const HASH = /^[0-9a-f]{64}$/;
const NAMING = /Ids?$|^(to|confirms|guardians|mintAuthority|replyTo|supersedes)$/;
/** Ids of these are the chain's own. */
const OF_THE_CHAIN: ReadonlySet<CollectionName> = new Set(['chain', 'policy', 'rules']);

export class SecondCast extends TestChain {
  static of(chain: TestChain): SecondCast {
    const second = Object.create(SecondCast.prototype) as SecondCast;
    return Object.assign(second, chain, { keys: new Map<string, TestKey>() });
  }

  override id(id: string): string {
    const isFixed = id === OPERATOR || RENAMED.test(id) || HASH.test(id);
    return isFixed ? id : id.replace(/^(tok-)?/, `$1${PREFIX}`);
  }

  /** Scenes set keys under the first cast's names. */
  override keyOf(actorId: string): TestKey {
    const own = this.id(actorId);
    return this.keys.get(own.slice(PREFIX.length)) ?? super.keyOf(own);
  }

  override registration(actorId: string, options: RegistrationOptions = {}): Submission {
    return super.registration(this.id(actorId), this.renamed(options as JsonObject));
  }

  override intent(
    actorId: string,
    action: string,
    payload: JsonObject,
    options?: IntentOptions,
  ): Submission {
    return super.intent(this.id(actorId), action, this.renamed(payload), options);
  }

  override application(
    actorId: string,
    role: ApplicationRole,
    members: JsonObject = {},
  ): Submission {
    return super.application(this.id(actorId), role, this.renamed(members));
  }

  override claim(actorId: string, invitationId: string, members: JsonObject = {}): Submission {
    return super.claim(this.id(actorId), invitationId, this.renamed(members));
  }

  override rotation(actorId: string, next: TestKey, options?: IntentOptions): Submission {
    return super.rotation(this.id(actorId), next, options);
  }

  override recoveryRequest(guardian: string, subject: string, next: TestKey): Submission {
    return super.recoveryRequest(this.id(guardian), this.id(subject), next);
  }

  override record<Name extends CollectionName>(
    name: Name,
    id: IdOf<Name>,
  ): Collections[Name] | undefined {
    return super.record(name, OF_THE_CHAIN.has(name) ? id : (this.id(id) as IdOf<Name>));
  }

  private renamed<Value extends JsonObject>(members: Value): Value {
    const named = (value: JsonValue, isNaming: boolean): JsonValue => {
      if (typeof value === 'string') return isNaming ? this.id(value) : value;
      if (Array.isArray(value)) return value.map((one) => named(one, isNaming));
      return typeof value === 'object' && value !== null ? this.renamed(value) : value;
    };
    const entries = Object.entries(members).map(([name, value]) => {
      if (name === 'chainId' || value === undefined) return [name, value];
      // Contributions and releases must differ.
      if (name === 'contentHash') return [name, hashValue(value)];
      if (value === '1.4.0') return [name, '1.5.0'];
      return [name, named(value, NAMING.test(name))];
    });
    return Object.fromEntries(entries) as Value;
  }
}
