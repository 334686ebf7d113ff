import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesOf } from './files.ts';
import { lacksOf } from './lacks.ts';

test('writes a definition, a test and two lines of the registry', async () => {
  const files = await filesOf('work', 'juggleWork');
  const [definition = '', own = '', registry = ''] = Object.values(files);
  assert.match(definition, /export const juggleWork = defineAction/);
  assert.match(definition, / {2}grant: DECIDE,/);
  assert.match(own, /'juggleWork'/);
  assert.match(registry, /import \{ juggleWork \} from '.\/work\/juggle-work.ts';/);
  assert.match(registry, /\n {2}juggleWork,\n\];\n\nconst DEFINED/);
});

test('refuses a name that is taken or cannot be one', async () => {
  await assert.rejects(filesOf('work', 'releaseWork'), /exists/);
  await assert.rejects(filesOf('work', 'juggle-work'), /Give a domain and a name/);
});

test('lists nothing for a complete action, and every place for a new one', async () => {
  assert.deepEqual(await lacksOf({ name: 'releaseWork', domain: 'work' }), []);
  const lacks = await lacksOf({ name: 'juggleWork', domain: 'work' });
  const places = lacks.map((one) => one.split(':', 1)[0]);
  for (const place of ['actions/work/', 'work.prop.test.ts', 'golden-play.ts', 'CHANGELOG.md']) {
    assert.ok(
      places.some((path) => path?.endsWith(place)),
      place,
    );
  }
});
