import { getOwn } from '../std/index.ts';
import { problemOf, type Fault } from './fault.ts';
import { faults, type FaultName } from './list.ts';

type Annotations = Readonly<Record<string, string>> | undefined;

export interface SetFault {
  readonly fault: Fault;
  /** What the annotation says. */
  readonly value: string;
}

/** The faults that can be set on objects of a kind, in the order of a menu. */
export const faultsFor = (kind: Fault['kind']): readonly Fault[] => faults.filter((fault) => fault.kind === kind);

/** The faults that an object's annotations set. Values that can't be read set nothing. */
export function faultsSet(kind: Fault['kind'], annotations: Annotations): readonly SetFault[] {
  return faultsFor(kind).flatMap((fault) => {
    const value = getOwn(annotations, fault.annotation);
    return value !== undefined && problemOf(fault.value, value) === undefined ? [{ fault, value }] : [];
  });
}

const byName: ReadonlyMap<string, Fault> = new Map(faults.map((fault) => [fault.name, fault]));

/** What a fault is set to; undefined where it isn't set. */
export function faultValue(name: FaultName, annotations: Annotations): string | undefined {
  const fault = byName.get(name);
  const value = fault && getOwn(annotations, fault.annotation);
  return fault && value !== undefined && problemOf(fault.value, value) === undefined ? value : undefined;
}

/** The merge patch that sets a fault, or takes it away where `value` is undefined. */
export function faultPatch(fault: Fault, value: string | undefined): unknown {
  return { metadata: { annotations: { [fault.annotation]: value ?? null } } };
}
