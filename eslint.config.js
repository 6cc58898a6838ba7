import { defineConfig, globalIgnores } from 'eslint/config';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** Rooms that may touch the machine they run on; every other room of `src/` is the core and knows no host. */
const hostRooms = ['src/main.tsx', 'src/hosts/**', 'src/ui/**', 'src/std/**', 'src/storage/backends/dexie/**'];

const clock = 'Time comes only through Clock (std/): take one from whoever composes you.';
const chance = 'Chance comes only through Random (std/): take one from whoever composes you.';
const host = 'The core knows no host: only Web-standard globals that a worker, a page and Node share.';

/** The calls that would let the wall clock or dice into code that must be replayable. */
const bannedCalls = [
  { selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']", message: clock },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: clock },
  { selector: "CallExpression[callee.object.name='performance'][callee.property.name='now']", message: clock },
  { selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']", message: chance },
  { selector: "CallExpression[callee.object.name='crypto'][callee.property.name='randomUUID']", message: chance },
];

const bannedGlobals = [
  ...['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'setImmediate'].map((name) => ({
    name,
    message: clock,
  })),
  ...['window', 'document', 'navigator', 'localStorage', 'sessionStorage', 'location', 'indexedDB', 'self'].map(
    (name) => ({ name, message: host }),
  ),
  ...['process', 'Buffer', '__dirname', '__filename', 'global', 'require', 'fetch', 'Worker'].map((name) => ({
    name,
    message: host,
  })),
];

export default defineConfig(
  globalIgnores(['dist', 'node_modules', 'test-results', 'playwright-report', 'test/conformance/replay.mjs']),
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
      'prefer-const': ['error', { destructuring: 'all' }],
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
    ignores: hostRooms,
    rules: {
      'no-restricted-globals': ['error', ...bannedGlobals],
      'no-restricted-syntax': ['error', ...bannedCalls],
    },
  },
  {
    files: ['src/ui/**/*.{ts,tsx}', 'src/main.tsx'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['test/**/*.{ts,tsx,mjs}', 'e2e/**/*.ts', 'src/hosts/node/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
);
