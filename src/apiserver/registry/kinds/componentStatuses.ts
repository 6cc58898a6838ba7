/** Component statuses: nothing is stored; who asks learns which parts of the control plane are well. */
import { status, type ApiObject } from '../../../schema/index.ts';
import type { KindFile } from '../registry.ts';

export const componentStatuses: KindFile = {
  resource: 'componentstatuses',
  behaviour: { get, list: () => Promise.resolve(COMPONENTS.map(componentStatus)) },
};

interface Component {
  readonly name: string;
  /** What its health check answers. */
  readonly answer: string;
}

/** All live in the server's own thread: as long as it answers, so do they. */
const COMPONENTS: readonly Component[] = [
  { name: 'scheduler', answer: 'ok' },
  { name: 'controller-manager', answer: 'ok' },
  { name: 'etcd-0', answer: '{"health":"true"}' },
];

function get(name: string): Promise<ApiObject> {
  const component = COMPONENTS.find((one) => one.name === name);
  // The reference knows no reason for this error, not even that something was not found.
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
