/** Auditing that a person can begin with: a policy, the flags that it needs, and how a cluster gets both. */
import type { Names } from '../../../names/index.ts';
import type { BootOptions } from '../../host.ts';

const POLICY_FILE = 'audit-policy.yaml';
const LOG = 'audit.log';

const policy = (names: Names): string =>
  names.fill(`apiVersion: audit.{domain}/v1
kind: Policy
# One event for each request, when it is over.
omitStages: [RequestReceived]
rules:
  # Reads, and what components write all the time.
  - level: None
    verbs: [get, list, watch]
  - level: None
    resources:
      - group: coordination.{domain}
        resources: [leases]
      - group: ''
        resources: [events]
      - group: events.{domain}
        resources: [events]
  # Of secrets and tokens that it was done, not what they are.
  - level: Metadata
    resources:
      - group: ''
        resources: [secrets, serviceaccounts/token]
      - group: authentication.{domain}
  # What was sent with everything else.
  - level: Request
`);

const flags = [`--audit-policy-file=${POLICY_FILE}`, `--audit-log-path=${LOG}`];

const nameOf = (flag: string): string => flag.split('=')[0] ?? flag;

/** Whether requests are recorded: there is a policy, and somewhere to keep what it asks for. */
export function isAudited({ apiserver = [] }: BootOptions): boolean {
  const given = (name: RegExp): boolean => apiserver.some((flag) => name.test(flag.replaceAll('_', '-')));
  return given(/^--audit-policy-file=./) && given(/^--audit-(log-path|webhook-config-file)=./);
}

/** The options with the example policy and a log; a policy or a log that is there already stays. */
export function withAuditing(options: BootOptions, names: Names): BootOptions {
  const { apiserver = [], files = {} } = options;
  const missing = flags.filter((flag) => !apiserver.some((each) => nameOf(each) === nameOf(flag)));
  const own = missing.some((flag) => flag.endsWith(POLICY_FILE)) ? { [POLICY_FILE]: policy(names) } : {};
  return { ...options, apiserver: [...apiserver, ...missing], files: { ...own, ...files } };
}

/** The flags that `withAuditing` would add, for a person to read. */
export const exampleFlags: readonly string[] = flags;
