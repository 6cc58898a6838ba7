/** The stages of the API server that a request passes, in order. */

export type Stage = 'authentication' | 'authorization' | 'admission' | 'validation' | 'storage';

export interface StageText {
  readonly stage: Stage;
  readonly title: string;
  /** What it asks, for newcomers. */
  readonly question: string;
  readonly about: string;
}

export const stages: readonly StageText[] = [
  {
    stage: 'authentication',
    title: 'Authentication',
    question: 'Who asks?',
    about:
      'Finds out who sent the request, by token, certificate or other credentials. Components of this cluster are known already.',
  },
  {
    stage: 'authorization',
    title: 'Authorization',
    question: 'Are they allowed?',
    about: 'Looks for a rule that allows this user this verb on this resource. Without such a rule the answer is 403.',
  },
  {
    stage: 'admission',
    title: 'Admission',
    question: 'Change or refuse?',
    about:
      'Plugins and webhooks set defaults, change the object or refuse it. Those that only check run after validation.',
  },
  {
    stage: 'validation',
    title: 'Validation',
    question: 'Is it valid?',
    about: 'Checks the object against the rules of its kind. An invalid object is answered with 422.',
  },
  {
    stage: 'storage',
    title: 'Storage',
    question: 'Is it current?',
    about:
      'Writes the object, unless somebody else wrote it in the meantime (409). Each write is a new revision, and everybody who watches is notified of it.',
  },
];

const order = stages.map(({ stage }) => stage);

/** Whether `a` comes after `b`; the door comes before all. */
export const isAfter = (a: Stage, b: Stage | undefined): boolean =>
  order.indexOf(a) > (b === undefined ? -1 : order.indexOf(b));

/** The stage after this one. */
export const nextStage = (stage: Stage | undefined): Stage =>
  order[(stage === undefined ? -1 : order.indexOf(stage)) + 1] ?? 'storage';
