/** Conversion webhooks of definitions: one review for all objects that need conversion. */
import { CallError, post, type Addressee, type PostDeps } from '../../../admission/index.ts';
import type { Names } from '../../../names/index.ts';
import { status, type ApiObject, type ConvertRemotely } from '../../../schema/index.ts';
import type { Metrics, Random } from '../../../std/index.ts';
import { conversionDuration } from '../../metrics/conversion.ts';
import type { Definition } from '../definition.ts';
import { createReview, readAnswer, readConverted } from './review.ts';

/** The time limit of a conversion. */
const TIMEOUT_SECONDS = 30;

export interface ConversionDeps extends PostDeps {
  readonly names: Names;
  readonly random: Random;
  readonly metrics: Metrics;
}

/** The conversion function of a definition's webhook; undefined if it has none. */
export function remoteConversion(definition: Definition, deps: ConversionDeps): ConvertRemotely | undefined {
  const { strategy, webhook } = definition.spec.conversion ?? { strategy: 'None' };
  if (strategy !== 'Webhook') return undefined;
  const addressee = { clientConfig: webhook?.clientConfig ?? {}, timeoutSeconds: TIMEOUT_SECONDS };
  const versions = webhook?.conversionReviewVersions ?? [];
  return async (objects, desired) => {
    const began = deps.clock.now();
    let succeeded = false;
    try {
      const converted = await convert({ objects, desired, versions, addressee }, deps);
      succeeded = true;
      return converted;
    } finally {
      const labels = {
        crd_name: definition.metadata.name ?? '',
        from_version: objects[0]?.apiVersion ?? '',
        to_version: desired,
        succeeded: String(succeeded),
      };
      deps.metrics.observe(conversionDuration, labels, (deps.clock.now() - began) / 1000);
    }
  };
}

interface Conversion {
  readonly objects: readonly ApiObject[];
  readonly desired: string;
  readonly versions: readonly string[];
  readonly addressee: Addressee;
}

/** Every failure is a StatusError with code 500 and the reference's message. */
async function convert(conversion: Conversion, deps: ConversionDeps): Promise<readonly ApiObject[]> {
  const { objects } = conversion;
  const subject = subjectOf(objects);
  const answered = await ask(conversion, deps).catch((error: unknown) => {
    throw error instanceof CallError ? status.unexpected(`${subject} failed: ${error.message}`) : error;
  });
  if (answered.length !== objects.length)
    throw status.unexpected(`${subject} returned ${answered.length} objects, expected ${objects.length}`);
  return objects.map((original, i) => {
    try {
      return readConverted(answered[i], original, conversion.desired);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      throw status.unexpected(`${subject} returned ${at(error.message, i, objects.length)}`);
    }
  });
}

async function ask(
  { objects, desired, versions, addressee }: Conversion,
  deps: ConversionDeps,
): Promise<readonly unknown[]> {
  const review = createReview({ uid: deps.random.uuid(), versions, objects, desired }, deps.names);
  return readAnswer(await post(addressee, review.body, deps), review);
}

/** The definition, derived from the first object. */
const subjectOf = ([first]: readonly ApiObject[]): string =>
  `conversion webhook for ${first?.apiVersion ?? ''}, Kind=${first?.kind ?? ''}`;

/** With several objects the message names the index of the failed one. */
const at = (complaint: string, index: number, count: number): string =>
  count === 1
    ? complaint
    : complaint.replace(/^invalid (object|metadata)/, (_all, what: string) =>
        what === 'object'
          ? `invalid converted object at index ${index}`
          : `invalid metadata in object at index ${index}`,
      );
