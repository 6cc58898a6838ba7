import { defineConfig, globalIgnores } from 'eslint/config';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { ownKeys } from './test/tools/lint/ownKeys.mjs';

/** Rooms that may touch the machine they run on; every other room of `src/` is the core and knows no host. */
const hostRooms = ['src/main.tsx', 'src/hosts/**', 'src/ui/**', 'src/std/**', 'src/storage/backends/indexeddb/**'];

const host = 'The core knows no host: only Web-standard globals that a worker, a page and Node share.';

/** Banned calls (clock, timers, dice) are the architecture test's; globals need the linter, which knows scopes. */
const bannedGlobals = [
  ...['window', 'document', 'navigator', 'localStorage', 'sessionStorage', 'location', 'indexedDB', 'self'].map(
    (name) => ({ name, message: host }),
  ),
  ...['process', 'Buffer', '__dirname', '__filename', 'global', 'require', 'fetch', 'Worker'].map((name) => ({
    name,
    message: host,
  })),
];

export default defineConfig(
  globalIgnores([
    'dist',
    'dist-package',
    'node_modules',
    'test-results',
    'playwright-report',
    'test/conformance/replay.mjs',
  ]),
  {
    files: ['**/*.{js,mjs,ts,tsx}'],
    extends: [tseslint.configs.recommended],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-var': 'error',
      'no-console': 'error',
      'prefer-const': ['error', { destructuring: 'all', ignoreReadBeforeAssign: true }],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'start' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/ban-ts-comment': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { local: { rules: { 'own-keys': ownKeys } } },
    rules: { 'local/own-keys': 'error' },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: hostRooms,
    rules: {
      'no-restricted-globals': ['error', ...bannedGlobals],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}', 'test/**/*.ts', 'e2e/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    // Work that nobody awaits goes through `inBackground`. In the page `void` does: the window shows what is rejected.
    files: ['src/**/*.ts'],
    ignores: ['src/ui/**'],
    rules: { '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false }] },
  },
  {
    files: ['src/ui/**/*.{ts,tsx}', 'src/main.tsx'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['test/**/*.{ts,tsx,mjs}', 'e2e/**/*.ts', 'src/hosts/node/**/*.ts', 'src/ui/panels/webhooks/examples/*.js'],
    rules: { 'no-console': 'off' },
  },
);
