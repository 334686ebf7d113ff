/** How the page is built: one entry, a chunk for each page, names that hold a hash of the content. */
import { defineConfig, type Plugin } from 'vite';

/**
 * Schemas and their checks are made by calls that a bundler cannot know to be free of effects. Marked as such, they fall
 * away where nothing uses them, as in the build of the SDK.
 */
const PURE_CALL = /(?<![\w.]|function )(?:Type\.[A-Z]\w*|compileSchema|defineFormat)\(/g;
const markPureCalls: Plugin = {
  name: 'mark-pure-calls',
  transform: (code, id) =>
    /[/\\]packages[/\\](?:protocol|formats)[/\\]src[/\\]/.test(id)
      ? { code: code.replaceAll(PURE_CALL, '/* @__PURE__ */ $&'), map: null }
      : null,
};

export default defineConfig({
  root: import.meta.dirname,
  // A proxy may serve the node below a path: files are found from the page's <base>, and from each other.
  base: './',
  plugins: [markPureCalls],
  // Written for React, run by Preact: docs/decisions/110.
  resolve: {
    alias: [
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react-dom(\/test-utils)?$/, replacement: 'preact/compat' },
      { find: /^react\/jsx(-dev)?-runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^react$/, replacement: 'preact/compat' },
    ],
  },
  worker: { format: 'es' },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    outDir: 'dist/files',
    assetsDir: 'explorer',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: true,
    rolldownOptions: {
      treeshake: { propertyReadSideEffects: false },
      // Says to servers what browsers have no use for.
      onLog: (level, log, next) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE' && log.code !== 'PLUGIN_TIMINGS')
          next(level, log);
      },
      output: {
        // What every page needs, in two files; the rest comes with the page that needs it.
        codeSplitting: {
          groups: [
            // Keys, sealing and schemas come with the pages that need them.
            { name: 'libraries', test: /node_modules[/\\](@tanstack|preact)[/\\]/ },
            { name: 'shared', test: /explorer\/src\/(ui|words|app)\//, minShareCount: 3 },
          ],
        },
      },
    },
  },
});
