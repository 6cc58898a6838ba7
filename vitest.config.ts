import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['test/tools/wholeProgram.ts', 'test/tools/fixedSeeds.ts'],
    environment: 'node',
    pool: 'threads',
    // By default one core is left to the person at the machine; on two cores that doubles the time.
    maxWorkers: 2,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    passWithNoTests: false,
  },
});
