/** Leases: what is checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { Rules } from '../define/kind.ts';
import type { Errors } from '../meta/checks.ts';
import type { Lease, LeaseSpec } from './lease.ts';

const SPEC = Path.of('spec');

function* validateSpec({ leaseDurationSeconds: duration, leaseTransitions: transitions }: LeaseSpec): Errors {
  if (duration !== undefined && duration <= 0)
    yield field.invalid(SPEC.child('leaseDurationSeconds'), duration, 'must be greater than 0');
  if (transitions !== undefined && transitions < 0)
    yield field.invalid(SPEC.child('leaseTransitions'), transitions, 'must be greater than or equal to 0');
}

export const leaseRules: Rules<Lease> = {
  anyFinalizer: true,
  createOnUpdate: 'object',
  unconditionalUpdate: false,
  validate: ({ spec }) => [...validateSpec(spec)],
  updateChecks: ['metadata', 'change'],
  validateUpdate: ({ spec }) => [...validateSpec(spec)],
};
