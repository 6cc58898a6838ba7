import type { ConfigMap, Pod, Secret } from '../../client/index.ts';
import { imageOf, type PidNamespace } from '../../programs/index.ts';
import type { objects } from '../../schema/index.ts';
import { Recent } from '../../std/index.ts';
import type { PodVolumes } from '../volumes/podVolumes.ts';
import { confinementOf } from './confinement.ts';
import { ConfigurationProblem, variablesOf, type Configurations } from './configuration.ts';
import { filesOf, hostnameOf } from './containerFiles.ts';
import { ContainerProcess, type ProcessSetup } from './containerProcess.ts';
import type { AgentEnvironment } from './environment.ts';
import type { LogBuffer } from './logBuffer.ts';
import { wordsOf } from './program.ts';
import type { Whereabouts } from './references.ts';
import { serviceVariables } from './variables.ts';

export interface MakeSetup {
  readonly container: objects.Container;
  readonly pod: () => Pod;
  readonly environment: AgentEnvironment;
  readonly volumes: PodVolumes;
  readonly where: () => Whereabouts;
  /** The processes that the container can see. */
  readonly pids: () => PidNamespace;
}

/** Prepares a container; the result starts it. Rejects with ConfigurationProblem. */
export async function makeProcess(setup: MakeSetup): Promise<(log: LogBuffer) => ContainerProcess> {
  const { container, environment, volumes } = setup;
  const { names } = environment;
  const where = setup.where();
  checkUser(setup);
  const services = await servicesOf(setup);
  const sources: Configurations = {
    configMap: (name): Promise<ConfigMap | undefined> => volumes.sources.configMap(name),
    secret: (name): Promise<Secret | undefined> => volumes.sources.secret(name),
  };
  const variables = shared(await variablesOf(container, services, where, sources));
  const confinement = confinementOf(container, setup.pod(), where.allocatable['memory']);
  const mounts = filesOf({
    container,
    where: setup.where,
    volumes,
    variables,
    names,
    confinement,
    network: environment.network,
    now: environment.now,
  });
  const hostname = hostnameOf(where);
  const network = environment.networkOf(where.podIP, setup.pod);
  return starter(setup, { container, confinement, mounts, variables, hostname, network });
}

/** Most containers of a namespace have the same variables. */
const known = new Recent<string, ReadonlyMap<string, string>>(100);

function shared(variables: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const key = JSON.stringify([...variables]);
  return known.get(key) ?? known.set(key, variables);
}

/** Starts the process. What it keeps is the container's own: the versions of the pod that went before can go. */
function starter(
  { environment: { random, cpu, clock }, pod, pids }: MakeSetup,
  prepared: Pick<ProcessSetup, 'container' | 'confinement' | 'mounts' | 'variables' | 'hostname' | 'network'>,
): (log: LogBuffer) => ContainerProcess {
  const words = wordsOf(prepared.container, prepared.variables);
  const { container, confinement, mounts, variables, hostname, network } = prepared;
  return (log) =>
    new ContainerProcess({
      ...{ container, confinement, mounts, variables, hostname, network },
      ...{ words, random, cpu, clock, pod: pod().spec, pids: pids(), log },
    });
}

async function servicesOf({ environment, pod }: MakeSetup): Promise<Map<string, string>> {
  const { metadata, spec } = pod();
  return serviceVariables(
    await environment.services(),
    metadata.namespace,
    spec.enableServiceLinks ?? true,
    environment.names.product,
  );
}

/** Refuses to run as root if the pod forbids it. */
function checkUser({ container, pod }: MakeSetup): void {
  const { metadata, spec } = pod();
  const [own, shared] = [container.securityContext, spec.securityContext];
  if (!(own?.runAsNonRoot ?? shared?.runAsNonRoot)) return;
  const user = own?.runAsUser ?? shared?.runAsUser;
  const id = `(pod: ${JSON.stringify(`${metadata.name}_${metadata.namespace}(${metadata.uid})`)}, container: ${container.name})`;
  if (user === 0) throw new ConfigurationProblem(`container's runAsUser breaks non-root policy ${id}`);
  if (user === undefined && imageOf(container.image ?? '').user === 0)
    throw new ConfigurationProblem(`container has runAsNonRoot and image will run as root ${id}`);
}
