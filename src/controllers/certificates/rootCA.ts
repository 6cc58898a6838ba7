/**
 * Every active namespace has a config map with the cluster's CA certificate.
 *
 * Watches namespaces and config maps.
 */
import { configMaps, namespaceOf, namespaces } from '../../client/index.ts';
import { isReason } from '../../schema/index.ts';
import { deepEqual } from '../../std/index.ts';
import { isNamespaceTerminating, wakeOn } from '../runtime/index.ts';
import type { Controller, ControllerContext } from '../runtime/index.ts';

async function publish(context: ControllerContext, namespace: string, name: string, rootCA: string): Promise<void> {
  const space = context.informers.of(namespaces).get(namespace);
  if (space?.status.phase !== 'Active') return;
  const known = context.informers.of(configMaps).get(`${namespace}/${name}`);
  const data = { 'ca.crt': rootCA };
  const client = context.client.of(configMaps);
  try {
    if (!known) await client.create({ metadata: { name, namespace }, data });
    else if (!deepEqual(known.data, data)) await client.update({ ...known, data });
  } catch (problem) {
    if (!isReason(problem, 'AlreadyExists') && !isReason(problem, 'NotFound') && !isNamespaceTerminating(problem))
      throw problem;
  }
}

export const rootCAPublisher: Controller = {
  name: 'root-ca-cert-publisher',
  account: 'root-ca-cert-publisher',
  start(context) {
    const { rootCA } = context.issuance;
    if (rootCA === undefined || !context.flags.gate('RootCAConfigMap')) return;
    const name = context.names.fill('{prefix}-root-ca.crt');
    const loop = context.loop({ reconcile: (namespace) => publish(context, namespace, name, rootCA) });
    wakeOn(loop, context.informers.of(namespaces));
    wakeOn(loop, context.informers.of(configMaps), (map) => (map.metadata.name === name ? [namespaceOf(map)] : []));
  },
};
