/** Breakpoints in words. */
import { getOwn } from '../../../../std/index.ts';
import type { Breakpoint, Held } from '../../../../trace/index.ts';

const steps: Readonly<Record<string, string>> = {
  authorization: 'authorization',
  admission: 'each step of admission, one at a time',
  validation: 'validation',
  storage: 'storage',
};

/** A step as it stands in the list of steps. */
export const stepName = (step: string): string => getOwn(steps, step) ?? step;

/** `create pods by alice`. */
export function breakpointText({ verb = 'any verb', resource = 'anything', user }: Breakpoint): string {
  return `${verb} ${resource} by ${user ?? 'people'}`;
}

/** Why the object of a held request can't be edited; undefined where it can. */
export function whyNotEditable({ editable, object, phase, before, resource }: Held): string | undefined {
  if (editable) return undefined;
  if (object === undefined) return 'There is no object at this step.';
  if (resource === 'secrets') return 'Secrets are shown without their data, so they cannot be edited.';
  return phase === 'validating' || before === 'storage'
    ? 'Nothing can change the object after this step: it is read-only.'
    : 'It can’t be changed at this step.';
}

/** Where a held request stands among the steps: `4 of 26`; undefined for a step that is not listed. */
export function standing(steps: readonly string[], before: string): string | undefined {
  const way = steps.filter((step) => step !== 'admission');
  const at = way.indexOf(before);
  return at < 0 ? undefined : `step ${at + 1} of ${way.length}`;
}
