/** The validator takes our schemas for valid ones (it would cost every start a tenth of a second); here they are checked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACTIONS, APPLICATION_PROFILES } from './index.ts';
import {
  AgentRegistration,
  Genesis,
  InvitationClaim,
  OpenTransition,
  OperatorApplication,
  SignedIntent,
} from '@netd/protocol';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from '@netd/protocol/type';

const envelopes = {
  AgentRegistration,
  Genesis,
  InvitationClaim,
  OpenTransition,
  OperatorApplication,
  SignedIntent,
};
const payloads = [...ACTIONS.values()].map(({ name, payload }): [string, TSchema] => [
  name,
  payload,
]);
const profiles = Object.entries(APPLICATION_PROFILES).map(([role, schema]): [string, TSchema] => [
  `profile of ${role}`,
  schema,
]);

test('every schema that envelopes are checked with is one of JSON Schema 2020-12', () => {
  const ajv = new Ajv2020();
  const schemas = [...Object.entries<TSchema>(envelopes), ...payloads, ...profiles];
  assert.ok(schemas.length > 60, `only ${schemas.length}`);
  for (const [name, schema] of schemas) {
    assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`);
  }
  assert.equal(ajv.validateSchema({ type: 'object', required: 'all' }), false);
});
