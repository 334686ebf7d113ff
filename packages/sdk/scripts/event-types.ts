/** Adds the data of each event to the description, so that both SDKs generate its types like those of documents. */
import { UNLISTED, type Description } from './openapi-types.ts';

interface Schema {
  $ref?: string;
  type?: string;
  title?: string;
  description?: string;
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  required?: readonly string[];
  properties?: Record<string, Schema>;
}

/** The parts of contract/actions.json that describe events. */
export interface DescribedEvents {
  /** A question mark after a member's name, in `data`, allows null. */
  events: Record<
    string,
    { summary: string; data: readonly string[]; members?: Record<string, Schema> }
  >;
  /** By name, for events without own `members`. */
  eventMembers: Record<string, Schema>;
}

/** Name of the schema with a member per event type. */
export const EVENT_DATA = 'EventData';

export function withEventData(
  description: Description,
  { events, eventMembers }: DescribedEvents,
): Description {
  const schemas = { ...description.components?.schemas } as Record<string, Schema>;
  const refer = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
  const plain = (schema: Schema, name: string): Schema => {
    const { title = schema.properties ? name : undefined, anyOf, items, properties } = schema;
    if (anyOf) return { ...schema, anyOf: anyOf.map((one) => plain(one, name)) };
    if (items) return { ...schema, items: plain(items, name) };
    if (title === undefined) return schema;
    const known = schemas[title];
    if (!properties) return known ? refer(title) : schema;
    if (!known) {
      const members = Object.entries(properties).map(
        ([member, one]) => [member, plain(one, title + upper(member))] as const,
      );
      schemas[title] = { ...schema, properties: Object.fromEntries(members) };
    } else if (!Object.keys(properties).every((member) => known.properties?.[member])) {
      throw new Error(`an event and a document have different objects with the title ${title}`);
    }
    return refer(title);
  };
  const properties = Object.entries(events).map(([type, { summary, data, members: own }]) => {
    const members = data.map((name) => {
      const member = name.replace('?', '');
      const schema = plain(own?.[member] ?? eventMembers[member] ?? {}, `Event${upper(member)}`);
      return [member, name === member ? schema : { anyOf: [schema, { type: 'null' }] }] as const;
    });
    const required = members.map(([member]) => member);
    const each = { description: summary, properties: Object.fromEntries(members), required };
    return [type, { type: 'object', ...each }] as const;
  });
  schemas[EVENT_DATA] = {
    type: 'object',
    description: 'Data by event type.',
    properties: Object.fromEntries(properties),
    required: Object.keys(events),
  };
  return { ...description, components: { ...description.components, schemas } } as Description;
}

/**
 * Narrows the `data` of every described event by its `type`. Events of types that this version does not know come
 * last.
 */
export function withNarrowEvents(description: Description): Description {
  const { [EVENT_DATA]: { properties: events = {} } = {}, ...schemas } = {
    ...description.components?.schemas,
  } as Record<string, Schema>;
  for (const [name, schema] of Object.entries(schemas)) {
    const { type, data, ...properties } = schema.properties ?? {};
    // Simulated events have no id, and their data may be cut.
    if (!properties['id'] || !isPlain(type, 'string') || !isPlain(data, 'object')) continue;
    const required = schema.required?.filter((member) => Object.hasOwn(properties, member)) ?? [];
    const typed = { $ref: '#/components/schemas/TypedEvent' };
    schemas[name] = { allOf: [{ ...schema, properties, required }, typed] };
  }
  const event = (type: object, { description: about, ...data }: Schema): Schema => ({
    ...(about === undefined ? {} : { description: about }),
    type: 'object',
    properties: { type, data },
    required: ['type', 'data'],
  });
  const known = Object.entries(events).map(([type, data]) => event({ const: type }, data));
  schemas['TypedEvent'] = { oneOf: [...known, event(UNLISTED, { type: 'object' })] };
  return { ...description, components: { ...description.components, schemas } } as Description;
}

/** True for an unnamed type without enumerated values or members. */
const isPlain = (schema: Schema | undefined, type: string): boolean =>
  schema !== undefined &&
  schema.type === type &&
  !('enum' in schema) &&
  schema.properties === undefined;

const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
