/** Rules for one or several flags of a component, after each value was validated by its type. */
import type { Names } from '../../../names/index.ts';
import type { Files } from '../../pki.ts';
import type { FlagProblem } from '../parse.ts';
import type { FlagSet } from '../flagSet.ts';

export interface RuleInput {
  readonly flags: FlagSet;
  readonly names: Names;
  readonly files: Files;
  readonly gate: (name: string) => boolean;
}

/** Returns errors, with the reference's messages if it has any. */
export type Rule = (input: RuleInput) => readonly FlagProblem[];

/** A rule for one flag: an error if `wrong` holds. */
export const refuse =
  (flag: string, wrong: (input: RuleInput) => boolean, message: string | ((input: RuleInput) => string)): Rule =>
  (input) =>
    wrong(input)
      ? [{ flag: input.names.fill(flag), message: typeof message === 'string' ? message : message(input) }]
      : [];

export const notNegative = (flag: string, article = 'a negative value'): Rule =>
  refuse(flag, ({ flags }) => flags.number(flag) < 0, `--${flag} can not be ${article}`);

export const notNegativeDuration = (flag: string, article = 'a negative value'): Rule =>
  refuse(flag, ({ flags }) => flags.ms(flag) < 0, `--${flag} can not be ${article}`);

export const within = (flag: string, least: number, most: number, message?: string): Rule =>
  refuse(
    flag,
    ({ flags }) => flags.number(flag) < least || flags.number(flag) > most,
    ({ flags }) => message ?? `--${flag} ${flags.get(flag)} must be between ${least} and ${most}, inclusive`,
  );

/** Two flags that must be set together. */
export const together = (first: string, second: string, message: string): Rule =>
  refuse(first, ({ flags }) => ((flags.get(first) ?? '') === '') !== ((flags.get(second) ?? '') === ''), message);

/** Leader election settings, whose durations must be consistent. */
export const election: readonly Rule[] = [
  refuse(
    'leader-elect-lease-duration',
    ({ flags }) =>
      flags.on('leader-elect') && flags.ms('leader-elect-lease-duration') <= flags.ms('leader-elect-renew-deadline'),
    'leaseDuration must be greater than renewDeadline',
  ),
  refuse(
    'leader-elect-renew-deadline',
    ({ flags }) =>
      flags.on('leader-elect') &&
      flags.ms('leader-elect-renew-deadline') <= 1.2 * flags.ms('leader-elect-retry-period'),
    'renewDeadline must be greater than retryPeriod*JitterFactor',
  ),
];

/** Cipher suites that the reference's runtime and current clients support. */
const CIPHER_SUITE = /^TLS_(RSA|ECDHE_RSA|ECDHE_ECDSA|AES|CHACHA20)_\w+$/;

export const cipherSuites: Rule = ({ flags }) =>
  flags
    .list('tls-cipher-suites')
    .filter((suite) => !CIPHER_SUITE.test(suite))
    .map((suite) => ({ flag: 'tls-cipher-suites', message: `Cipher suite ${suite} not supported or doesn't exist` }));
