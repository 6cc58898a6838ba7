import { parseQuantity } from '../values/index.ts';

const MILLI = -3;

/** Resources are counted in thousandths at the finest: what is finer is rounded up, in place. */
export function roundResources(resources: Record<string, string> | undefined): void {
  if (!resources) return;
  for (const [name, text] of Object.entries(resources)) {
    const rounded = parseQuantity(text)?.roundUp(MILLI).toString();
    if (rounded !== undefined && rounded !== text) resources[name] = rounded;
  }
}
