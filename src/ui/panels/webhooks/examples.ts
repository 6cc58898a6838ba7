/** Webhooks to begin with: one for each of those who ask. */
import beds from './examples/beds.js?raw';
import gardeners from './examples/gardeners.js?raw';
import greenNodes from './examples/greenNodes.js?raw';
import images from './examples/images.js?raw';
import injector from './examples/injector.js?raw';
import teamLabel from './examples/teamLabel.js?raw';
import tokens from './examples/tokens.js?raw';

/** Who asks a webhook: a configuration or definition among the cluster's objects, or a component by its flags. */
export type AskedBy =
  'mutating' | 'validating' | 'conversion' | 'authentication' | 'authorization' | 'images' | 'scheduler';

export interface WebhookExample {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly askedBy: AskedBy;
  readonly code: string;
  /** What a configuration asks it about. */
  readonly rule?: { readonly group: string; readonly resource: string };
}

export const examples: readonly WebhookExample[] = [
  {
    name: 'sidecar-injector',
    title: 'Inject a container',
    about: 'a mutating webhook of admission',
    askedBy: 'mutating',
    code: injector,
    rule: { group: '', resource: 'pods' },
  },
  {
    name: 'team-label',
    title: 'Require a label',
    about: 'a validating webhook with a code and a message of its own',
    askedBy: 'validating',
    code: teamLabel,
    rule: { group: 'apps', resource: 'deployments' },
  },
  {
    name: 'bed-converter',
    title: 'Convert between versions',
    about: 'a conversion webhook, with the definition whose objects it converts',
    askedBy: 'conversion',
    code: beds,
  },
  {
    name: 'tokens',
    title: 'Know tokens',
    about: 'a webhook of authentication',
    askedBy: 'authentication',
    code: tokens,
  },
  {
    name: 'gardeners',
    title: 'Decide who may do what',
    about: 'a webhook of authorization',
    askedBy: 'authorization',
    code: gardeners,
  },
  {
    name: 'green-nodes',
    title: 'Take part in scheduling',
    about: 'an extender that leaves nodes out and scores the others',
    askedBy: 'scheduler',
    code: greenNodes,
  },
  { name: 'images', title: 'Decide which images run', about: 'an image policy', askedBy: 'images', code: images },
];
