/** What the scheduler refuses of its flags' values. */
import { scheduling } from '../../../scheduler/index.ts';
import { cipherSuites, election, within, type Rule } from './rule.ts';

const AFFINITY = 'hard-pod-affinity-symmetric-weight';

/** A file that is missing is told of elsewhere. Whoever asks has loaded what reads it (`flags/readers.ts`). */
const configuration: Rule = ({ flags, files }) => {
  const path = flags.get('config') ?? '';
  const text = files[path];
  const problem = text === undefined ? undefined : scheduling.get().problemWithConfiguration(text);
  return problem === undefined ? [] : [{ flag: 'config', message: `--config: ${path}: ${problem}` }];
};

export const schedulerRules: readonly Rule[] = [
  within(AFFINITY, 0, 100, `${AFFINITY} must be in range [0-100]`),
  within('secure-port', 0, 65535),
  within('port', 0, 65535),
  configuration,
  ...election,
  cipherSuites,
];
