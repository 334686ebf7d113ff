import { hashValue, type JsonObject, type JsonValue } from '@netd/protocol';
import { exactValue } from './agent/exact-value.ts';
import { inUnet, type NetAmount } from './amount.ts';
import { AMOUNTS, FILLED_IN } from './generated/tables.ts';
import type { DocumentOf, SchemaOf } from './reads.ts';

type Intent = SchemaOf<'Intent'>;

/** Names of the actions that an envelope can ask for. */
export type ActionName = Intent['action'];

/** Payload of an action with every member, as the chain receives it. */
export type WholePayloadOf<Name extends ActionName> = SchemaOf<`${Capitalize<Name>}Payload`>;

interface WorkedOut {
  publishBeacon: 'metadataHash' | 'sequence';
}
type Filled<Name extends ActionName> =
  | (Name extends keyof typeof FILLED_IN ? keyof (typeof FILLED_IN)[Name] : never)
  | (Name extends keyof WorkedOut ? WorkedOut[Name] : never);

/**
 * Payload of an action. Fields that actor and chain determine are optional. NET amounts are '1 NET', or unet.
 */
export type PayloadOf<Name extends ActionName> = OptionalIn<
  InWords<
    WholePayloadOf<Name>,
    Name extends keyof typeof AMOUNTS ? (typeof AMOUNTS)[Name] : object
  >,
  Filled<Name> & keyof WholePayloadOf<Name>
>;
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

/** Payload of an action, or any JSON for a name that this version does not know. */
export type PayloadFor<Name extends string> = Name extends ActionName
  ? PayloadOf<Name>
  : string extends Name
    ? JsonObject
    : NoSuchAction<Name>;

/** Makes a compiler error readable. */
interface NoSuchAction<Name extends string> {
  'No action has this name': Name;
}

/** Lets editors suggest names, but accepts any string. */
export type AnyActionName = ActionName | (string & {});

const ANNOUNCED_HEIGHTS = 2_000;

export interface ChainFacts {
  height: () => Promise<number>;
  agent: (agentId: string) => Promise<DocumentOf<'/v1/agents/{agentId}'>>;
}

/** Adds determined fields and converts amounts to unet. Never changes given fields. */
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
