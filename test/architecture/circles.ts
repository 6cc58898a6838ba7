import type { Import } from './source.ts';

/**
 * The circles among files that import each other, directly or by way of others: each as its files in order, the largest
 * first. Imports of types count; they tie files together as much as values do.
 */
export function circlesOf(imports: readonly Import[]): string[][] {
  const graph = new Map<string, Set<string>>();
  for (const { file, target } of imports) {
    if (target === undefined) continue;
    const targets = graph.get(file) ?? new Set();
    graph.set(file, targets.add(target));
  }
  return stronglyConnected(graph)
    .filter((files) => files.length > 1)
    .sort((a, b) => b.length - a.length);
}

/** Tarjan's algorithm. */
function stronglyConnected(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();

  const visit = (file: string): number => {
    const number = order.size;
    order.set(file, number);
    stack.push(file);
    onStack.add(file);
    let low = number;
    for (const target of graph.get(file) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (onStack.has(target)) low = Math.min(low, lowest.get(target) ?? order.get(target) ?? low);
    }
    lowest.set(file, low);
    if (low === number) found.push(takeUntil(file));
    return low;
  };
  const takeUntil = (file: string): string[] => {
    const files = stack.splice(stack.indexOf(file));
    for (const one of files) onStack.delete(one);
    return files.sort();
  };

  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found;
}
