#!/usr/bin/env node
/**
 * Starts netd. JavaScript, so that the compile cache is there before the first TypeScript file: what it holds need not
 * be stripped of its types again, which is a third of a start.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Beside the code and with its rights: what lies there is run. Worker threads and child processes read the variable.
const cache = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
process.env.NODE_COMPILE_CACHE ??= cache;
enableCompileCache(process.env.NODE_COMPILE_CACHE);

await import(new URL('../src/main.ts', import.meta.url).href);
