import { MAX_SCORE, plugin, type Cycle } from '../framework/plugin.ts';

const MB = 1024 * 1024;
const SMALLEST = 23 * MB;
const LARGEST_PER_CONTAINER = 1000 * MB;

/** `nginx` is pulled as `nginx:latest`, which is the name that nodes report. */
export function normalizedImage(image: string): string {
  const name = image.slice(image.lastIndexOf('/') + 1);
  return name.includes(':') || image.includes('@') ? image : `${image}:latest`;
}

interface Image {
  readonly size: number;
  readonly nodes: number;
}

/** What nodes have of each image that the pod's containers use. */
function imagesOf({ pod, snapshot }: Cycle): ReadonlyMap<string, Image> {
  const found = new Map<string, Image>();
  for (const name of (pod.spec.containers ?? []).map((container) => normalizedImage(container.image ?? ''))) {
    const holders = snapshot.nodes.flatMap((node) =>
      (node.node.status.images ?? []).filter((image) => (image.names ?? []).includes(name)),
    );
    if (holders.length > 0) found.set(name, { size: holders[0]?.sizeBytes ?? 0, nodes: holders.length });
  }
  return found;
}

/** Prefers nodes that have the pod's images already; images that few nodes have count less, so that pods don't pile up there. */
export const imageLocality = plugin<void, ReadonlyMap<string, Image>>({
  name: 'ImageLocality',
  weight: 1,
  prepareScore: (cycle) => imagesOf(cycle),
  score({ pod, snapshot }, { node }, images) {
    const present = new Set((node.status.images ?? []).flatMap((image) => image.names ?? []));
    const containers = pod.spec.containers ?? [];
    const sum = containers.reduce((total, container) => {
      const name = normalizedImage(container.image ?? '');
      const image = present.has(name) ? images.get(name) : undefined;
      return total + (image ? Math.floor((image.size * image.nodes) / snapshot.nodes.length) : 0);
    }, 0);
    const largest = LARGEST_PER_CONTAINER * containers.length;
    return Math.floor((MAX_SCORE * (Math.min(Math.max(sum, SMALLEST), largest) - SMALLEST)) / (largest - SMALLEST));
  },
});
