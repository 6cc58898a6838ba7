/** Validation of the scheduler's flags. */
import { getOwn } from '../../../std/index.ts';
import { scheduling } from '../../../scheduler/index.ts';
import { cipherSuites, election, within, type Rule } from './rule.ts';

const AFFINITY = 'hard-pod-affinity-symmetric-weight';

/** A missing file is reported elsewhere. The caller has loaded the parsers (`flags/readers.ts`). */
const readable =
  (flag: string, kind: 'configuration' | 'policy'): Rule =>
  ({ flags, files }) => {
    const path = flags.get(flag) ?? '';
    const text = getOwn(files, path);
    const problem = text === undefined ? undefined : scheduling.get().problemWithConfiguration(text, kind);
    return problem === undefined ? [] : [{ flag, message: `--${flag}: ${path}: ${problem}` }];
  };

export const schedulerRules: readonly Rule[] = [
  within(AFFINITY, 0, 100, `${AFFINITY} must be in range [0-100]`),
  within('secure-port', 0, 65535),
  within('port', 0, 65535),
  readable('config', 'configuration'),
  readable('policy-config-file', 'policy'),
  ...election,
  cipherSuites,
];
