/** Validation of the flags of audit backends. */
import { notNegative, refuse, type Rule } from './rule.ts';

const batching = (kind: string): Rule[] => {
  const batch = `audit-${kind}-batch`;
  const isBatch = `audit-${kind}-mode`;
  const inBatches =
    (rule: Rule): Rule =>
    (input) =>
      input.flags.get(isBatch) === 'batch' ? rule(input) : [];
  const positive = (flag: string): Rule =>
    refuse(
      flag,
      ({ flags }) => flags.number(flag) <= 0,
      ({ flags }) => `invalid audit batch ${kind} ${words(flag, batch)} ${flags.get(flag)}, must be a positive number`,
    );
  return [
    positive(`${batch}-buffer-size`),
    positive(`${batch}-max-size`),
    refuse(
      `${batch}-max-size`,
      ({ flags }) => flags.number(`${batch}-max-size`) > flags.number(`${batch}-buffer-size`),
      `invalid audit batch ${kind} max batch size, must not be greater than the buffer size`,
    ),
    throttled(batch, positive(`${batch}-throttle-burst`)),
    throttled(batch, positive(`${batch}-throttle-qps`)),
  ].map(inBatches);
};

const words = (flag: string, batch: string): string => flag.slice(batch.length + 1).replaceAll('-', ' ');

const throttled =
  (batch: string, rule: Rule): Rule =>
  (input) =>
    input.flags.on(`${batch}-throttle-enable`) ? rule(input) : [];

const truncating = (kind: string): Rule[] => {
  const [event, batch] = [`audit-${kind}-truncate-max-event-size`, `audit-${kind}-truncate-max-batch-size`];
  return [
    refuse(
      event,
      ({ flags }) => flags.on(`audit-${kind}-truncate-enabled`) && flags.number(event) <= 0,
      ({ flags }) => `invalid audit truncate ${kind} max event size ${flags.get(event)}, must be a positive number`,
    ),
    refuse(
      batch,
      ({ flags }) => flags.on(`audit-${kind}-truncate-enabled`) && flags.number(batch) < flags.number(event),
      ({ flags }) =>
        `invalid audit truncate ${kind} max batch size ${flags.get(batch)}, must be greater than max event size (${flags.get(event)})`,
    ),
  ];
};

export const auditRules: readonly Rule[] = [
  ...batching('log'),
  ...batching('webhook'),
  ...truncating('log'),
  ...truncating('webhook'),
  notNegative('audit-log-maxage', 'a negative number'),
  notNegative('audit-log-maxbackup', 'a negative number'),
  notNegative('audit-log-maxsize', 'a negative number'),
];
