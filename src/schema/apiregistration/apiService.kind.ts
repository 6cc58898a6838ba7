import { atVersion, kind } from '../define/index.ts';
import { age, name, text } from '../meta/columns.ts';
import { apiregistration } from '../groups.ts';
import { apiServiceRules } from './apiService.rules.ts';
import { APIService } from './apiService.ts';

export const apiservices = kind(APIService, {
  group: apiregistration,
  kind: 'APIService',
  resource: 'apiservices',
  categories: ['api-extensions'],
  namespaced: false,
  untracked: true,
  doc: 'Says who serves a group and version: this server or a remote one.',
  versions: [
    { version: 'v1', type: APIService },
    {
      version: 'v1beta1',
      type: atVersion(APIService, 'v1beta1'),
      deprecated: { since: 'v1.19', removed: 'v1.22', replacement: 'apiregistration.{domain}/v1' },
    },
  ],
  storedAs: 'v1beta1',
  rules: apiServiceRules,
  status: true,
  columns: [
    name,
    text('Service', 'Who serves the version.', ({ spec: { service } }) =>
      service ? `${service.namespace ?? ''}/${service.name ?? ''}` : 'Local',
    ),
    text('Available', 'Whether the version can be reached.', ({ status }) => {
      const available = status.conditions?.find(({ type }) => type === 'Available');
      if (!available) return 'Unknown';
      const { status: state, reason = '' } = available;
      return state === 'True' || reason === '' ? state : `${state} (${reason})`;
    }),
    age,
  ],
});
