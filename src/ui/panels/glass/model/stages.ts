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
      'Finds out who asks, by token, certificate or other credentials. Components of this cluster are known already.',
  },
  {
    stage: 'authorization',
    title: 'Authorization',
    question: 'May they?',
    about: 'Looks for a rule that allows this user this verb on this resource. Where there is none, it answers 403.',
  },
  {
    stage: 'admission',
    title: 'Admission',
    question: 'Does policy agree?',
    about:
      'Plugins and webhooks fill in what is missing, change the object or refuse it. Those that only check come after validation.',
  },
  {
    stage: 'validation',
    title: 'Validation',
    question: 'Is it well formed?',
    about: 'Holds the object against the rules of its kind. What breaks one is answered with 422.',
  },
  {
    stage: 'storage',
    title: 'Storage',
    question: 'Is it still current?',
    about:
      'Writes the object if nobody wrote it meanwhile (otherwise 409). Each write is a new revision, of which all who watch are notified.',
  },
];

const order = stages.map(({ stage }) => stage);

/** Whether `a` comes after `b`; the door comes before all. */
export const isAfter = (a: Stage, b: Stage | undefined): boolean =>
  order.indexOf(a) > (b === undefined ? -1 : order.indexOf(b));

/** The stage after this one. */
export const nextStage = (stage: Stage | undefined): Stage =>
  order[(stage === undefined ? -1 : order.indexOf(stage)) + 1] ?? 'storage';
