/** How StrykerJS runs; `mutate.mjs` says on which files and with which tests. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/tools/mutate.vitest.ts', related: false },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  ignorePatterns: ['/dist', '/e2e', '/test-results', '/node_modules/.cache'],
  tempDirName: '.stryker-tmp',
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: '.stryker-tmp/report.json' },
  clearTextReporter: { allowColor: false, reportTests: false, allowEmojis: false },
  checkers: [],
  disableTypeChecks: false,
  timeoutMS: 20000,
  allowConsoleColors: false,
};
