import type { Names } from '../../names/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';

/** The provisioner whose volumes the controllers of this cluster create, expand and delete. */
export const SIMULATED_PROVISIONER = 'simulation.vitrine.dev/volumes';

/** The annotations that record the state of bindings. */
export interface BindingAnnotations {
  /** The claim's binding is complete. */
  readonly completed: string;
  /** A controller, not a user, made the binding. */
  readonly byController: string;
  /** The node that the scheduler has selected for the claim's pod. */
  readonly selectedNode: string;
  /** The provisioner that should create a volume for the claim. */
  readonly provisioner: string;
  /** The provisioner that created the volume. */
  readonly provisionedBy: string;
}

export function bindingAnnotations(names: Names): BindingAnnotations {
  return {
    completed: names.fill('pv.{label}/bind-completed'),
    byController: names.fill('pv.{label}/bound-by-controller'),
    selectedNode: names.fill('volume.{label}/selected-node'),
    provisioner: names.fill('volume.beta.{label}/storage-provisioner'),
    provisionedBy: names.fill('pv.{label}/provisioned-by'),
  };
}

export const isAnnotated = ({ metadata }: ApiObject, annotation: string): boolean =>
  getOwn(metadata.annotations, annotation) !== undefined;

/** The metadata with these annotations added. */
export function annotated<M extends { annotations?: Record<string, string> }>(
  metadata: M,
  annotations: Readonly<Record<string, string>>,
): M {
  return { ...metadata, annotations: { ...metadata.annotations, ...annotations } };
}
