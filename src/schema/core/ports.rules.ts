/** The rules for ports. */
import type { Path } from '../define/fieldErrors.ts';
import { complaints, type Errors } from '../meta/checks.ts';
import type { IntOrString } from '../values/intOrString.ts';
import { checkPortName, checkPortNumber } from '../values/names.ts';

export const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** A port by number or by name. */
export function* validatePort(port: IntOrString, path: Path): Errors {
  yield* complaints(path, port, typeof port === 'number' ? checkPortNumber(port) : checkPortName(port));
}
