/** `debug node/NAME`: a pod that shares the node's namespaces and has its files at `/host`. */
import { pods, type Node, type Pod } from '../../../client/index.ts';
import { newContainer, suffix, type DebugCall, type Debugged } from './options.ts';

export async function debugNode(call: DebugCall, { metadata }: Node): Promise<Debugged> {
  const { client, session, namespace, flags: given } = call;
  const { name: nodeName = '' } = metadata;
  const container = given.container || 'debugger';
  const name = `node-debugger-${nodeName}-${suffix()}`;
  if (!given.quiet) session.out(`Creating debugging pod ${name} with container ${container} on node ${nodeName}.\n`);
  const mounted = { ...newContainer(call, container), volumeMounts: [{ name: 'host-root', mountPath: '/host' }] };
  const pod = await client.of<Pod>(pods).create(
    {
      metadata: { name },
      spec: {
        ...{ nodeName, restartPolicy: 'Never', hostIPC: true, hostNetwork: true, hostPID: true },
        containers: [mounted],
        volumes: [{ name: 'host-root', hostPath: { path: '/' } }],
      },
    },
    { namespace },
  );
  return { pod, container };
}
