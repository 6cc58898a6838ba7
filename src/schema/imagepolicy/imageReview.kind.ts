import { kind } from '../define/index.ts';
import { imagepolicy } from '../groups.ts';
import { ImageReview } from './imageReview.ts';

/** Sent to an external reviewer and returned: this server does not serve it. */
export const imagereviews = kind(ImageReview, {
  group: imagepolicy,
  kind: 'ImageReview',
  resource: 'imagereviews',
  namespaced: false,
  doc: 'Asks whether the images of a pod may run.',
  versions: [{ version: 'v1alpha1', type: ImageReview }],
  verbs: [],
});
