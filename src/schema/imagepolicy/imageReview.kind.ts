import { kind } from '../define/index.ts';
import { imagepolicy } from '../groups.ts';
import { ImageReview } from './imageReview.ts';

/** What is sent to a reviewer outside and comes back: this server serves it under no path. */
export const imagereviews = kind(ImageReview, {
  group: imagepolicy,
  kind: 'ImageReview',
  resource: 'imagereviews',
  namespaced: false,
  doc: 'Asks whether the images of a pod may run.',
  versions: [{ version: 'v1alpha1', type: ImageReview }],
  verbs: [],
});
