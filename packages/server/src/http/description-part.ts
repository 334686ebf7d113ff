import type { JsonObject, JsonValue } from '@netd/protocol';

type Components = Record<string, JsonObject>;

export function descriptionPart(whole: JsonObject, tag: string): JsonObject {
  const items = Object.entries(whole['paths'] as Record<string, Record<string, JsonObject>>);
  const paths = items.flatMap(([path, item]): [string, JsonObject][] => {
    const own = Object.entries(item).filter(([, { tags }]) => (tags as string[]).includes(tag));
    return own.length === 0 ? [] : [[path, Object.fromEntries(own)]];
  });
  const tags = whole['tags'] as { name: string }[];
  const others = tags.map(({ name }) => name).filter((name) => name !== tag);
  const info = whole['info'] as { description: string };
  const about = `A part: the operations of the tag ${tag} alone, with what they refer to. The whole is /openapi.json, other parts /openapi.json?tag=, one of ${others.join(', ')}.`;
  return {
    ...whole,
    components: reached(Object.fromEntries(paths), whole['components'] as unknown as Components),
    info: { ...info, description: `${about} ${info.description}` },
    paths: Object.fromEntries(paths),
    tags: tags.filter(({ name }) => name === tag),
  };
}

const COMPONENT = '#/components/';

function reached(from: JsonObject, components: Components): JsonObject {
  const wanted = new Set<string>();
  const look = (value: JsonValue | undefined): void => {
    if (value === null || typeof value !== 'object') return;
    const { $ref: pointer } = value as { $ref?: JsonValue };
    if (typeof pointer === 'string' && pointer.startsWith(COMPONENT) && !wanted.has(pointer)) {
      wanted.add(pointer);
      const [kind = '', name = ''] = pointer.slice(COMPONENT.length).split('/');
      look(components[kind]?.[name]);
    }
    Object.values(value).forEach(look);
  };
  look(from);
  const kinds = Object.entries(components).flatMap(([kind, all]): [string, JsonObject][] => {
    const own = Object.entries(all).filter(([name]) => wanted.has(`${COMPONENT}${kind}/${name}`));
    return own.length === 0 ? [] : [[kind, Object.fromEntries(own)]];
  });
  return Object.fromEntries(kinds);
}
