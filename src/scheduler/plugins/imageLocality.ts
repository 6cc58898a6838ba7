import { MAX_SCORE, plugin, type Cycle } from '../framework/plugin.ts';

const MB = 1024 * 1024;
const SMALLEST = 23 * MB;
const LARGEST_PER_CONTAINER = 1000 * MB;

/** The name under which nodes report an image: without a tag it is the latest. */
export function normalizedImage(image: string): string {
  return image.lastIndexOf(':') > image.lastIndexOf('/') ? image : `${image}:latest`;
}

interface Wanted {
  readonly name: string;
  /** What a node that has it is worth: its size, less where few nodes have it, so that pods don't pile up there. */
  readonly worth: number;
}

function imagesOf({ pod, snapshot }: Cycle): readonly Wanted[] {
  return (pod.spec.containers ?? []).flatMap(({ image }) => {
    const name = normalizedImage(image ?? '');
    const known = snapshot.imageIndex.get(name);
    return known ? [{ name, worth: Math.trunc(known.size * (known.nodes / snapshot.nodes.length)) }] : [];
  });
}

/** Prefers nodes that have the pod's images already. */
export const imageLocality = plugin<void, readonly Wanted[]>({
  name: 'ImageLocality',
  weight: 1,
  prepareScore: imagesOf,
  score({ pod }, { images }, wanted) {
    if (wanted.length === 0) return 0;
    const sum = wanted.reduce((total, { name, worth }) => total + (images.has(name) ? worth : 0), 0);
    const largest = LARGEST_PER_CONTAINER * (pod.spec.containers ?? []).length;
    const within = Math.min(Math.max(sum, SMALLEST), largest);
    return Math.trunc((MAX_SCORE * (within - SMALLEST)) / (largest - SMALLEST));
  },
});
