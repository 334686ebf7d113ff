/**
 * Writes kubernetes-schemas.json, by which kubeconform checks the manifests of the launch kit without a network:
 * node scripts/artefacts/kubernetes-schemas.ts "$(go mod download -json k8s.io/kubernetes@v1.34.2 | jq -r .Dir)/api/openapi-spec/swagger.json"
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** Kinds that the manifests have. */
const KINDS = {
  Job: 'io.k8s.api.batch.v1.Job',
  PersistentVolumeClaim: 'io.k8s.api.core.v1.PersistentVolumeClaim',
  ConfigMap: 'io.k8s.api.core.v1.ConfigMap',
  Service: 'io.k8s.api.core.v1.Service',
  StatefulSet: 'io.k8s.api.apps.v1.StatefulSet',
  PodDisruptionBudget: 'io.k8s.api.policy.v1.PodDisruptionBudget',
};

/** Kinds of volumes and probes that we do not use, which would be half of the file. */
const UNUSED =
  /VolumeSource$|Toleration|LifecycleHandler|GRPCAction|TCPSocketAction|EphemeralContainer|WindowsSecurity|SELinux|ResourceClaim|ManagedFields/;
const USED = /(?:ConfigMap|EmptyDir|Secret|PersistentVolumeClaim)VolumeSource$/;

type Schema = Record<string, unknown>;

const [, , path = ''] = process.argv;
const { definitions } = JSON.parse(readFileSync(path, 'utf8')) as {
  definitions: Record<string, Schema>;
};
const kept: Record<string, Schema> = {};

/** Returns the schema without texts. Unknown members are refused. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref } = schema as { $ref?: string };
  if ($ref !== undefined) {
    const name = $ref.replace('#/definitions/', '');
    keep(name);
    return { $ref: `#/definitions/${name}` };
  }
  const entries = Object.entries(schema as Schema).flatMap(([key, value]): [string, unknown][] => {
    if (/^(?:description|x-kubernetes-.*|format|default)$/.test(key) && typeof value !== 'object')
      return [];
    if (key.startsWith('x-')) return [];
    return [[key, key === 'properties' ? properties(value as Schema) : strict(value)]];
  });
  const read = Object.fromEntries(entries);
  return 'properties' in read ? { ...read, additionalProperties: false } : read;
}

const properties = (all: Schema): Schema =>
  Object.fromEntries(
    Object.entries(all)
      .filter(([, value]) => {
        const name = (value as { $ref?: string }).$ref ?? '';
        const item = (value as { items?: { $ref?: string } }).items?.$ref ?? '';
        return USED.test(name) || !(UNUSED.test(name) || UNUSED.test(item));
      })
      .map(([key, value]) => [key, strict(value)]),
  );

function keep(name: string): void {
  if (kept[name]) return;
  kept[name] = {};
  const definition = definitions[name];
  // Quantities and ports are numbers or strings, which OpenAPI 2 cannot say.
  kept[name] = /(?:Quantity|IntOrString)$/.test(name)
    ? { type: ['string', 'number'] }
    : (strict(definition) as Schema);
}

function apiVersionOf(name: string): string {
  const kinds = definitions[name]?.['x-kubernetes-group-version-kind'];
  const [known] = (kinds ?? []) as { group: string; version: string }[];
  if (!known) throw new Error(`${name} is no kind`);
  return known.group === '' ? known.version : `${known.group}/${known.version}`;
}

for (const name of Object.values(KINDS)) keep(name);
const document = {
  definitions: kept,
  oneOf: Object.entries(KINDS).map(([kind, name]) => ({
    allOf: [{ $ref: `#/definitions/${name}` }],
    properties: { kind: { const: kind }, apiVersion: { const: apiVersionOf(name) } },
    required: ['apiVersion', 'kind', 'metadata'],
  })),
};
writeFileSync(new URL('kubernetes-schemas.json', import.meta.url), `${JSON.stringify(document)}\n`);
