/** Component statuses: nothing is stored; the health of the components is computed. */
import { status, type ApiObject } from '../../../schema/index.ts';
import type { KindFile } from '../registry.ts';

export const componentStatuses: KindFile = {
  resource: 'componentstatuses',
  behaviour: { get, list: () => Promise.resolve(COMPONENTS.map(componentStatus)) },
};

interface Component {
  readonly name: string;
  /** The answer of its health check. */
  readonly answer: string;
}

/** All components run in the server's own thread: as long as it answers, they are healthy. */
const COMPONENTS: readonly Component[] = [
  { name: 'scheduler', answer: 'ok' },
  { name: 'controller-manager', answer: 'ok' },
  { name: 'etcd-0', answer: '{"health":"true"}' },
];

function get(name: string): Promise<ApiObject> {
  const component = COMPONENTS.find((one) => one.name === name);
  // The reference sets no reason for this error, not even NotFound.
  if (!component) return Promise.reject(status.unexpected(`Component not found: ${name}`));
  return Promise.resolve(componentStatus(component));
}

function componentStatus({ name, answer }: Component): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'ComponentStatus',
    metadata: { name, creationTimestamp: null },
    conditions: [{ type: 'Healthy', status: 'True', message: answer }],
  };
}
