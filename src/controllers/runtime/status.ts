import { deepEqual } from '../../std/index.ts';

/** Whether two statuses are equal: servers omit zero counts and empty lists and maps. */
export function sameStatus(a: object | undefined, b: object | undefined): boolean {
  return deepEqual(withoutBlanks(a), withoutBlanks(b));
}

function withoutBlanks(status: object = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => !isBlank(value)));
}

function isBlank(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === 0 ||
    value === '' ||
    value === false ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}
