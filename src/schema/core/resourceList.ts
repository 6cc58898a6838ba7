import { setOwn } from '../../std/index.ts';
import { map, named, quantity } from '../define/index.ts';
import { parseQuantity } from '../values/index.ts';

/** Amounts by the names of resources. */
export const ResourceList = named('v1.ResourceList', map(quantity));

const MILLI = -3;

/** Resources are counted in thousandths at the finest: what is finer is rounded up, in place. */
export function roundResources(resources: Record<string, string> | undefined): void {
  if (!resources) return;
  for (const [name, text] of Object.entries(resources)) {
    const rounded = parseQuantity(text)?.roundUp(MILLI).toString();
    if (rounded !== undefined && rounded !== text) setOwn(resources, name, rounded);
  }
}
