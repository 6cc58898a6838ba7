/** The scenarios that the start page offers. To add one: a file, its manifests, and an entry here. */
import { getOwn } from '../../std/index.ts';
import type { Scenario } from './scenario.ts';

export interface ScenarioEntry {
  readonly title: string;
  /** What one knows afterwards, in a sentence. */
  readonly learn: string;
  readonly minutes: number;
  load(): Promise<Scenario>;
}

export const scenarios = {
  shop: {
    title: 'A small shop',
    learn: 'How a control plane looks at work, and who can reach the database.',
    minutes: 3,
    load: async () => (await import('./shop.ts')).shop,
  },
  refused: {
    title: 'Why was I refused?',
    learn: 'How roles and bindings decide a request, and which rule is missing.',
    minutes: 5,
    load: async () => (await import('./refused.ts')).refused,
  },
  pending: {
    title: 'Why is it Pending?',
    learn: 'Why the scheduler finds no node: size, labels, taints, spreading, a claim.',
    minutes: 5,
    load: async () => (await import('./pending.ts')).pending,
  },
  rollout: {
    title: 'A roll-out that stops',
    learn: 'What a bad image does to a Deployment, why the old pods stay, how to undo it.',
    minutes: 4,
    load: async () => (await import('./rollout.ts')).rollout,
  },
  terminating: {
    title: 'Stuck in Terminating',
    learn: 'What finalizers hold back, and how to free a namespace.',
    minutes: 4,
    load: async () => (await import('./terminating.ts')).terminating,
  },
  outage: {
    title: 'A node fails',
    learn: 'Who notices a dead node, after how long, and where its pods go.',
    minutes: 5,
    load: async () => (await import('./outage.ts')).outage,
  },
  large: {
    title: 'A large cluster',
    learn: 'How a control plane copes with thousands of nodes and pods.',
    minutes: 5,
    load: async () => (await import('./large.ts')).large,
  },
} as const satisfies Record<string, ScenarioEntry>;

export type ScenarioId = keyof typeof scenarios;

/** The scenario of that name; undefined where there is none any more. */
export const findScenario = (id: string): ScenarioEntry | undefined => getOwn<ScenarioEntry>(scenarios, id);

export const isScenario = (id: string): id is ScenarioId => Object.hasOwn(scenarios, id);
