/** API services: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { Rules } from '../define/kind.ts';
import { rfc3339 } from '../../std/index.ts';
import { keepAllButStatus } from '../meta/checked.ts';
import { complaints, each, oneOf, present, type Errors } from '../meta/checks.ts';
import { checkPathSegment, checkPortNumber, checkServiceLabel, checkSubdomain } from '../values/names.ts';
import type { APIService, APIServiceSpec, ServiceReference } from './apiService.ts';

const SPEC = Path.of('spec');
const MAX_GROUP_PRIORITY = 20_000;
const MAX_VERSION_PRIORITY = 1000;

function* validate({ metadata, spec }: APIService): Errors {
  const { group = '', version = '', groupPriorityMinimum: priority, versionPriority } = spec;
  const required = `${version}.${group}`;
  yield* validateName('metadata.generateName', metadata.generateName, required);
  yield* validateName('metadata.name', metadata.name, required);
  if (group !== '') yield* complaints(SPEC.child('group'), group, checkSubdomain(group));
  else if (version !== 'v1')
    yield field.required(SPEC.child('group'), 'only v1 may have an empty group and it better be legacy kube');
  yield* complaints(SPEC.child('version'), version, checkServiceLabel(version));
  if (priority <= 0 || priority > MAX_GROUP_PRIORITY)
    yield field.invalid(SPEC.child('groupPriorityMinimum'), priority, 'must be positive and less than 20000');
  if (versionPriority <= 0 || versionPriority > MAX_VERSION_PRIORITY)
    yield field.invalid(SPEC.child('versionPriority'), versionPriority, 'must be positive and less than 1000');
  yield* spec.service ? validateRemote(spec, spec.service) : validateLocal(spec);
}

/**
 * The name is derived from the spec, and so is the prefix of a generated name; whether it fits into a URL is checked
 * with the metadata.
 */
function* validateName(path: string, name: string | undefined, required: string): Errors {
  if (!name || name === required || checkPathSegment(name).length > 0) return;
  yield field.invalid(path, name, `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(required)}`);
}

function* validateLocal({ caBundle = '', insecureSkipTLSVerify }: APIServiceSpec): Errors {
  if (caBundle !== '')
    yield field.invalid(
      SPEC.child('caBundle'),
      `${caBundle.length} bytes`,
      'local APIServices may not have a caBundle',
    );
  if (insecureSkipTLSVerify)
    yield field.invalid(
      SPEC.child('insecureSkipTLSVerify'),
      true,
      'local APIServices may not have insecureSkipTLSVerify',
    );
}

function* validateRemote(spec: APIServiceSpec, { namespace, name, port = 0 }: ServiceReference): Errors {
  const at = SPEC.child('service');
  yield* present(namespace, at.child('namespace'));
  yield* present(name, at.child('name'));
  const wrong = checkPortNumber(port);
  if (wrong.length > 0) yield field.invalid(at.child('port'), port, `port is not valid: ${wrong.join(', ')}`);
  if (spec.insecureSkipTLSVerify && spec.caBundle)
    yield field.invalid(SPEC.child('insecureSkipTLSVerify'), true, 'may not be true if caBundle is present');
}

export const apiServiceRules: Rules<APIService> = {
  name: 'pathSegment',
  anyFinalizer: true,
  unconditionalUpdate: false,
  prepareCreate: (service, { now }) => {
    // Versions of this server are available at once; others have to be checked first.
    const local = {
      type: 'Available',
      status: 'True',
      lastTransitionTime: rfc3339(now),
      reason: 'Local',
      message: 'Local APIServices are always available',
    };
    service.status = service.spec.service ? {} : { conditions: [local] };
  },
  prepareStatusUpdate: keepAllButStatus,
  validate: (service) => [...validate(service)],
  updateChecks: ['metadata', 'alone'],
  validateStatusUpdate: ({ status }) => [
    ...each(status.conditions, Path.of('status', 'conditions'), (condition, at) =>
      oneOf(condition.status, ['True', 'False', 'Unknown'], at.child('status')),
    ),
  ],
};
