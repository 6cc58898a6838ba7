import type { Pod } from '../../client/index.ts';
import type { PidNamespace } from '../../programs/index.ts';
import type { objects } from '../../schema/index.ts';
import type { PodVolumes } from '../volumes/podVolumes.ts';
import type { AgentEnvironment } from './environment.ts';
import type { Whereabouts } from './references.ts';

/** The pod of a container, as it is now. */
export interface ContainerOwner {
  readonly pod: Pod;
  readonly environment: AgentEnvironment;
  readonly volumes: PodVolumes;
  where(): Whereabouts;
  /** The processes that the container can see. */
  pidsOf(container: objects.Container | objects.EphemeralContainer): PidNamespace;
  /** Called whenever a record has changed. */
  changed(): void;
  onProblem(problem: unknown): void;
}
