/** Validation of CSI nodes, which list the drivers on a node. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { Rules } from '../define/kind.ts';
import { complaints, each, nonNegative, present, sameValue, type Errors } from '../meta/checks.ts';
import { validateDriverName } from '../core/volumeSources.rules.ts';
import { checkQualifiedName } from '../values/names.ts';
import type { CSINode, CSINodeDriver } from './csiNode.ts';

const MAX_NODE_ID_LENGTH = 128;

function* validateDrivers(drivers: readonly CSINodeDriver[], path: Path): Errors {
  const names = drivers.map(({ name }) => name);
  yield* each(drivers, path, function* (driver, at, i) {
    yield* validateDriverName(driver.name, at.child('name'));
    yield* validateNodeID(driver.nodeID, at.child('nodeID'));
    if (driver.allocatable) yield* nonNegative(driver.allocatable.count, at.child('allocatable', 'count'));
    if (names.indexOf(driver.name) < i) yield field.duplicate(at.child('name'), driver.name);
    yield* validateTopologyKeys(driver.topologyKeys ?? [], at);
  });
}

function* validateNodeID(id: string, path: Path): Errors {
  yield* present(id, path);
  if (id.length > MAX_NODE_ID_LENGTH) yield field.invalid(path, id, `must be ${MAX_NODE_ID_LENGTH} characters or less`);
}

/** The reference reports keys at the driver. */
function* validateTopologyKeys(keys: readonly string[], path: Path): Errors {
  for (const [i, key] of keys.entries()) {
    yield* present(key, path, key);
    if (keys.indexOf(key) < i) yield field.duplicate(path, key);
    yield* complaints(path, keys, checkQualifiedName(key));
  }
}

/** Drivers may be added and removed, but not changed. */
function* validateUpdate({ spec }: CSINode, { spec: old }: CSINode): Errors {
  for (const before of old.drivers ?? []) {
    const changed = (spec.drivers ?? []).filter(({ name }) => name === before.name);
    for (const driver of changed) {
      if (!sameValue(driver, before)) yield field.invalid('CSINodeDriver', driver, 'field is immutable');
    }
  }
}

export const csiNodeRules: Rules<CSINode> = {
  unconditionalUpdate: false,
  createChecks: 2,
  validate: ({ spec }) => [...validateDrivers(spec.drivers ?? [], Path.of('spec', 'drivers'))],
  updateChecks: ['alone', 'alone', 'change'],
  validateUpdate: (node, old) => [...validateUpdate(node, old)],
};
