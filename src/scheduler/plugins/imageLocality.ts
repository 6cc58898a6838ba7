import type { KnownImage } from '../framework/imageIndex.ts';
import { MAX_SCORE, plugin } from '../framework/plugin.ts';

const MB = 1024 * 1024;
const SMALLEST = 23 * MB;
const LARGEST_PER_CONTAINER = 1000 * MB;

/** The normalized name under which nodes report an image: without a tag it is the latest. */
export function normalizedImage(image: string): string {
  return image.lastIndexOf(':') > image.lastIndexOf('/') ? image : `${image}:latest`;
}

/** The value of an image on a node: its size, reduced if few nodes have it, so that pods do not pile up there. */
const worthOf = ({ size, nodes }: KnownImage, all: number): number => Math.trunc(size * (nodes / all));

/** Prefers nodes that already have the pod's images. */
export const imageLocality = plugin<void, readonly string[]>({
  name: 'ImageLocality',
  isLocal: true,
  weight: 1,
  prepareScore: ({ pod }) => (pod.spec.containers ?? []).map(({ image }) => normalizedImage(image ?? '')),
  score({ snapshot }, { images }, wanted) {
    if (images.size === 0 || wanted.length === 0) return 0;
    const all = snapshot.list.length;
    const sum = wanted.reduce((total, name) => {
      const known = images.get(name);
      return known ? total + worthOf(known, all) : total;
    }, 0);
    const largest = LARGEST_PER_CONTAINER * wanted.length;
    const within = Math.min(Math.max(sum, SMALLEST), largest);
    return Math.trunc((MAX_SCORE * (within - SMALLEST)) / (largest - SMALLEST));
  },
});
