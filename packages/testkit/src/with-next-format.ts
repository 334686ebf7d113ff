/**
 * Preloaded with `--import`, it makes netd one whose database has the next format, in every thread. The tables that
 * NEXT_FORMAT_TABLES names, with commas between, have got another form with it.
 */
import { registerHooks } from 'node:module';

const TABLES = new URL('../../engine/src/store/tables.ts', import.meta.url).href;
const FORMAT = /STORE_FORMAT = (\d+)/;
const SINCE = /(FORM_SINCE: [^=]+ = )\{\}/;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (url !== TABLES) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString();
    const format = Number(FORMAT.exec(source)?.[1]) + 1;
    if (!SINCE.test(source)) throw new Error('tables.ts has no FORM_SINCE to replace');
    const names = (process.env['NEXT_FORMAT_TABLES'] ?? '')
      .split(',')
      .filter((name) => name !== '');
    const since = JSON.stringify(Object.fromEntries(names.map((name) => [name, format])));
    return {
      ...loaded,
      source: source.replace(FORMAT, `STORE_FORMAT = ${format}`).replace(SINCE, `$1${since}`),
    };
  },
});
