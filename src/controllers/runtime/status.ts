import { deepEqual } from '../../std/index.ts';

/** Whether two statuses say the same: servers leave out counts that are zero, and lists and maps that are empty. */
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
