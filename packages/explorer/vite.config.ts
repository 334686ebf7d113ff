/** One entry, a chunk per page, content hashes in names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/** They build schemas and checks. The bundler cannot know that they have no side effects. */
const PURE_CALL = /(?<![\w.]|function )(?:Type\.[A-Z]\w*|compileSchema|defineFormat)\(/g;
const markPureCalls: Plugin = {
  name: 'mark-pure-calls',
  transform: (code, id) =>
    /[/\\]packages[/\\](?:protocol|formats)[/\\]src[/\\]/.test(id)
      ? { code: code.replaceAll(PURE_CALL, '/* @__PURE__ */ $&'), map: null }
      : null,
};

/** The style sheets of the shell. The page contains them, so that it is painted before anything else arrives. */
const SHELL_STYLES = ['tokens', 'base', 'shell'];

const paintShellFirst: Plugin = {
  name: 'paint-shell-first',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => {
      const style = SHELL_STYLES.map((name) =>
        readFileSync(join(import.meta.dirname, `src/styles/${name}.css`), 'utf8'),
      )
        .join('')
        .replaceAll(/\/\*.*?\*\//gs, '')
        .replaceAll(/\s+/g, ' ');
      // Behind the shell, a style sheet delays only what follows.
      const links = html.match(/\n *<link rel="stylesheet"[^>]*>/g) ?? [];
      return links
        .reduce((rest, link) => rest.replace(link, ''), html)
        .replace('</head>', () => `  <style>${style}</style>\n  </head>`)
        .replace('<noscript', () => `${links.join('').trim()}\n    <noscript`);
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  // A proxy may serve the node below a path.
  base: './',
  plugins: [markPureCalls, paintShellFirst],
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
      // Hides warnings about server directives and plugin timings.
      onLog: (level, log, next) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE' && log.code !== 'PLUGIN_TIMINGS')
          next(level, log);
      },
      output: {
        // Code of every page.
        codeSplitting: {
          groups: [
            // Keys, sealing and schemas are loaded with their pages.
            { name: 'libraries', test: /node_modules[/\\](@tanstack|preact)[/\\]/ },
            { name: 'shared', test: /explorer\/src\/(ui|words|app)\//, minShareCount: 3 },
          ],
        },
      },
    },
  },
});
