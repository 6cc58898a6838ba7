/** Admission metrics: durations of plugins and webhooks, and rejections (specification, Events 8). */
import { counter, histogram, type Clock, type Metrics, type Series } from '../std/index.ts';
import type { Operation, Phase } from './types.ts';

/** Upper bounds in seconds. */
const DURATIONS = [0.005, 0.025, 0.1, 0.5, 2.5];
const STEP = ['type', 'operation', 'rejected'] as const;

const stepDuration = histogram(
  'apiserver_admission_step_admission_duration_seconds',
  'How long all plugins of a pass took together.',
  DURATIONS,
  STEP,
);
const pluginDuration = histogram(
  'apiserver_admission_controller_admission_duration_seconds',
  'How long each plugin took.',
  DURATIONS,
  ['name', ...STEP],
);
const webhookDuration = histogram(
  'apiserver_admission_webhook_admission_duration_seconds',
  'How long each webhook took to answer.',
  DURATIONS,
  ['name', ...STEP],
);
const webhookRejections = counter(
  'apiserver_admission_webhook_rejection_count',
  'Requests that ended at a webhook, by its own word or because it could not be asked.',
  ['name', 'operation', 'type', 'error_type', 'rejection_code'],
);

const admissionFamilies = [stepDuration, pluginDuration, webhookDuration, webhookRejections];

/** Why a webhook ended a request: it could not be called, it rejected, or the server failed. */
export type WebhookErrorType = 'calling_webhook_error' | 'no_error' | 'apiserver_internal_error';

interface WebhookCall {
  readonly name: string;
  readonly type: 'admit' | 'validating';
  readonly operation: Operation;
}

/** Counts a webhook's answer. */
export function countWebhook(metrics: Metrics, call: WebhookCall, rejected: boolean, seconds: number): void {
  metrics.observe(webhookDuration, { ...call, rejected: String(rejected) }, seconds);
}

/** Counts a rejection by a webhook; codes above 600 count as 600, and failed calls have no code. */
export function countWebhookRejection(
  metrics: Metrics,
  call: WebhookCall,
  errorType: WebhookErrorType,
  code: number,
): void {
  const rejectionCode = String(Math.min(code, 600));
  metrics.add(webhookRejections, { ...call, error_type: errorType, rejection_code: rejectionCode });
}

const TYPES: Readonly<Record<Phase, string>> = { mutating: 'admit', validating: 'validate' };

/** Times one step of the chain, or a whole pass. Its series are created on first use. */
export class StepTimer {
  readonly #clock: Clock;
  readonly #make: (rejected: boolean) => Series;
  #passed: Series | undefined;
  #rejected: Series | undefined;

  constructor(clock: Clock, make: (rejected: boolean) => Series) {
    this.#clock = clock;
    this.#make = make;
  }

  /** Records a step that began at `since`, a time of the clock. Returns its end. */
  passed(since: number, times = 1): number {
    const now = this.#clock.now();
    (this.#passed ??= this.#make(false)).observe((now - since) / 1000, times);
    return now;
  }

  rejected(since: number): void {
    (this.#rejected ??= this.#make(true)).observe((this.#clock.now() - since) / 1000);
  }
}

/** Times the steps of the chain. */
export class ChainTimer {
  readonly #metrics: Metrics;
  readonly #clock: Clock;

  constructor(metrics: Metrics, clock: Clock) {
    this.#metrics = metrics;
    this.#clock = clock;
    metrics.register(admissionFamilies);
  }

  now(): number {
    return this.#clock.now();
  }

  /** The timer of a plugin, or of the whole pass if `plugin` is undefined. */
  of(plugin: string | undefined, phase: Phase, operation: Operation): StepTimer {
    return new StepTimer(this.#clock, (rejected) => {
      const labels = { type: TYPES[phase], operation, rejected: String(rejected) };
      return plugin === undefined
        ? this.#metrics.at(stepDuration, labels)
        : this.#metrics.at(pluginDuration, { ...labels, name: plugin });
    });
  }
}
