/** What the scheduler refuses of its flags' values. */
import { cipherSuites, election, within, type Rule } from './rule.ts';

const AFFINITY = 'hard-pod-affinity-symmetric-weight';

export const schedulerRules: readonly Rule[] = [
  within(AFFINITY, 0, 100, `${AFFINITY} must be in range [0-100]`),
  within('secure-port', 0, 65535),
  within('port', 0, 65535),
  ...election,
  cipherSuites,
];
