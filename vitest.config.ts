import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    environment: 'node',
    pool: 'threads',
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    passWithNoTests: false,
  },
});
