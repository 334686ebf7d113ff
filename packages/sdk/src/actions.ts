/** What can be done, with which payload, and what of a payload follows from its actor and the chain. */
import { hashValue, type JsonObject, type JsonValue } from '@netd/protocol';
import { exactValue } from './agent/exact-value.ts';
import { inUnet, type NetAmount } from './amount.ts';
import { AMOUNTS, FILLED_IN } from './generated/tables.ts';
import type { DocumentOf, SchemaOf } from './reads.ts';

type Intent = SchemaOf<'Intent'>;

/** Every action there is. */
export type ActionName = Intent['action'];

/** The whole payload of an action. */
export type WholePayloadOf<Name extends ActionName> = SchemaOf<`${Capitalize<Name>}Payload`>;

/** Members that are worked out rather than read from a table. */
interface WorkedOut {
  publishBeacon: 'metadataHash' | 'sequence';
}
type Filled<Name extends ActionName> =
  | (Name extends keyof typeof FILLED_IN ? keyof (typeof FILLED_IN)[Name] : never)
  | (Name extends keyof WorkedOut ? WorkedOut[Name] : never);

/**
 * The payload of an action as a caller gives it: what follows from actor and chain may be left out, and an amount of NET is
 * a word, '1 NET', or a number of unet.
 */
export type PayloadOf<Name extends ActionName> = OptionalIn<
  InWords<
    WholePayloadOf<Name>,
    Name extends keyof typeof AMOUNTS ? (typeof AMOUNTS)[Name] : object
  >,
  Filled<Name> & keyof WholePayloadOf<Name>
>;
/** An object with its amounts as a caller may write them, by the table of where they stand. */
type InWords<T, Places> = {
  [Member in keyof T]: Member extends keyof Places ? InWord<T[Member], Places[Member]> : T[Member];
};
type InWord<T, Place> = Place extends true
  ? T | NetAmount
  : Place extends readonly [infer Each]
    ? T extends readonly (infer Item)[]
      ? InWords<Item, Each>[]
      : T
    : never;
type OptionalIn<T, Name extends keyof T> = Omit<T, Name> & Partial<Pick<T, Name>>;

/** What `act` takes for a name: the payload of that action, or any where the name is only known when it runs. */
export type PayloadFor<Name extends string> = Name extends ActionName
  ? PayloadOf<Name>
  : string extends Name
    ? JsonObject
    : NoSuchAction<Name>;

/** What a compiler shows where a name is none: an error that can be read. */
interface NoSuchAction<Name extends string> {
  'No action has this name': Name;
}

/** Names an editor can offer; a name that is only known when it runs is a string. */
export type AnyActionName = ActionName | (string & {});

/** Heights that an announcement stays valid if its sender does not say for how long. */
const ANNOUNCED_HEIGHTS = 2_000;

/** What filling in may ask the chain. */
export interface ChainFacts {
  height: () => Promise<number>;
  agent: (agentId: string) => Promise<DocumentOf<'/v1/agents/{agentId}'>>;
}

/**
 * The payload with what follows from its schema, its actor and the chain, and with its amounts in unet. What else is given
 * stays as it is.
 * @throws AgentError VALUE_NOT_JSON; AmountError; NetError where the chain is asked and refuses
 */
export async function completePayload(
  actorId: string,
  action: string,
  given: object,
  chain: ChainFacts,
): Promise<JsonObject> {
  const payload = inUnet(action, exactValue(given) as JsonObject);
  const rules: Rules = new Map<string, Rules>(Object.entries(FILLED_IN)).get(action) ?? {};
  for (const [name, rule] of Object.entries(rules)) {
    if (Object.hasOwn(payload, name)) continue;
    if (rule === 'actor') payload[name] = actorId;
    else if (rule === 'expiry') payload[name] = (await chain.height()) + ANNOUNCED_HEIGHTS;
    else payload[name] = rule.const;
  }
  if (action === 'publishBeacon') await completeBeacon(payload, chain);
  return payload;
}

type Rule = 'actor' | 'expiry' | { readonly const: JsonValue };
type Rules = Readonly<Record<string, Rule>>;

async function completeBeacon(payload: JsonObject, chain: ChainFacts): Promise<void> {
  const { agentId, endpoint = null, capabilities = null, protocols = null } = payload;
  payload['metadataHash'] ??= hashValue({ endpoint, capabilities, protocols });
  if (payload['sequence'] === undefined && typeof agentId === 'string') {
    payload['sequence'] = (await chain.agent(agentId)).beaconSequence + 1;
  }
}
