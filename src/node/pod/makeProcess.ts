import type { ConfigMap, Secret } from '../../client/index.ts';
import { imageOf } from '../../programs/index.ts';
import type { objects } from '../../schema/index.ts';
import { confinementOf } from './confinement.ts';
import { ConfigurationProblem, variablesOf, type Configurations } from './configuration.ts';
import { filesOf, hostnameOf } from './containerFiles.ts';
import type { ContainerOwner } from './containerOwner.ts';
import { ContainerProcess } from './containerProcess.ts';
import type { LogBuffer } from './logBuffer.ts';
import { wordsOf } from './program.ts';
import { sharing } from './sharing.ts';
import { serviceVariables } from './variables.ts';

// Most containers of a namespace have the same variables, and those of a template the same of the others.
const sharedVariables = sharing<ReadonlyMap<string, string>>((variables) => JSON.stringify([...variables]));
const sharedWords = sharing<readonly string[]>();

/** Prepares a container of a pod; the result starts it. Rejects with ConfigurationProblem. */
export async function makeProcess(
  owner: ContainerOwner,
  container: objects.Container,
): Promise<(log: LogBuffer) => ContainerProcess> {
  const { environment, volumes } = owner;
  const where = owner.where();
  checkUser(owner, container);
  const services = await servicesOf(owner);
  const sources: Configurations = {
    configMap: (name): Promise<ConfigMap | undefined> => volumes.sources.configMap(name),
    secret: (name): Promise<Secret | undefined> => volumes.sources.secret(name),
  };
  const variables = sharedVariables(await variablesOf(container, services, where, sources));
  const confinement = confinementOf(container, owner.pod, where.allocatable['memory']);
  const mounts = filesOf({ container, owner, variables, confinement });
  const hostname = hostnameOf(where);
  const network = environment.networkOf(where.podIP, owner);
  const words = sharedWords(wordsOf(container, variables));
  const { random, cpu, clock } = environment;
  return (log) =>
    new ContainerProcess({
      ...{ container, confinement, mounts, variables, hostname, network, words, random, cpu, clock, log },
      ...{ pod: owner.pod.spec, pids: owner.pidsOf(container) },
    });
}

async function servicesOf({ environment, pod: { metadata, spec } }: ContainerOwner): Promise<Map<string, string>> {
  return serviceVariables(
    await environment.services(),
    metadata.namespace,
    spec.enableServiceLinks ?? true,
    environment.names.product,
  );
}

/** Refuses to run as root if the pod forbids it. */
function checkUser({ pod: { metadata, spec } }: ContainerOwner, container: objects.Container): void {
  const [own, shared] = [container.securityContext, spec.securityContext];
  if (!(own?.runAsNonRoot ?? shared?.runAsNonRoot)) return;
  const user = own?.runAsUser ?? shared?.runAsUser;
  const id = `(pod: ${JSON.stringify(`${metadata.name}_${metadata.namespace}(${metadata.uid})`)}, container: ${container.name})`;
  if (user === 0) throw new ConfigurationProblem(`container's runAsUser breaks non-root policy ${id}`);
  if (user === undefined && imageOf(container.image ?? '').user === 0)
    throw new ConfigurationProblem(`container has runAsNonRoot and image will run as root ${id}`);
}
