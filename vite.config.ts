import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { bridge } from './src/hosts/bridge/plugin.ts';
import { contentPolicy } from './src/hosts/page/build/contentPolicy.ts';
import { fetchedFirst, wholeCore } from './src/hosts/page/build/parts.ts';
import { serviceWorker } from './src/hosts/page/build/serviceWorker.ts';
import { startsSmaller } from './src/hosts/page/build/smaller.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  // The build works from any folder of a static server.
  base: './',
  plugins: [
    serviceWorker(),
    contentPolicy(),
    bridge(),
    wholeCore(path('./src/hosts/worker/main.ts')),
    startsSmaller(['Gallery', 'NewCluster', 'Shell', 'GlassPanel']),
  ],
  resolve: {
    alias: [
      { find: /^tough-cookie$/, replacement: path('./src/hosts/page/build/cookies.ts') },
      { find: /^@msw\/url$/, replacement: path('./src/hosts/page/build/patterns.ts') },
      {
        find: /^@mswjs\/interceptors\/(WebSocket|XMLHttpRequest|fetch)$/,
        replacement: path('./src/hosts/page/build/interceptors.ts'),
      },
      // monaco-yaml's helpers name the editor's files as its former layout did.
      { find: /^monaco-editor\/esm\/vs\/(.*)$/, replacement: `${path('./node_modules/monaco-editor/esm/vs/')}$1` },
    ],
  },
  worker: { format: 'es', plugins: () => [fetchedFirst(), startsSmaller()] },
  build: {
    target: 'es2022',
    outDir: process.env['VITRINE_DIST'] ?? 'dist',
    emptyOutDir: true,
    // Every browser that has what the page needs knows the links that the polyfill is for.
    modulePreload: { polyfill: false },
    // The editor is larger than any limit that would tell something; what a first visit loads is tested by itself.
    chunkSizeWarningLimit: 8000,
    rolldownOptions: {
      checks: { pluginTimings: false },
      // The page starts with these, and its parts use some of them: one file each, rather than one for each set of users.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'std',
              test: /\/src\/std\/(assert|background|bytes|headers|json|wholeResponse)\.ts$|\/src\/hosts\/wire\/messages\.ts$/,
            },
            // Small modules that the shell and the Glass use first, and most other rooms later.
            { name: 'kinds', test: /\/src\/client\/(discovery|kinds)\.ts$|\/src\/ui\/stores\/jsonValues\.ts$/ },
            {
              name: 'parts',
              test: /\/src\/ui\/parts\/(cx|overlay|roving|Button|Popover|Segmented|StateMark|Switch|Toolbar)\.|\/src\/ui\/theme\/states\.ts$|\/lucide-preact\/dist\/esm\/(?!icons\/(?!(boxes|clock|shield-x|x)\.m?js$))/,
            },
            // The icons of the shell and of the Glass, which other rooms use too: each would be a file of its own.
            {
              name: 'icons',
              test: /\/lucide-preact\/.*\/(activity|database|ellipsis|eye|file-plus-corner|key-round|plus|rotate-ccw|server|sliders-horizontal)\.m?js$/,
            },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1' },
});
