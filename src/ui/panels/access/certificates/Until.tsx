import { StateMark } from '../../../parts/index.ts';
import { dateAndTime } from '../../../stores/clock.ts';

/** When something ends, by the cluster's clock; in red when it has. */
export function Until({ notAfter, now }: { readonly notAfter: number; readonly now: number }) {
  const text = dateAndTime(notAfter);
  return now > notAfter ? <StateMark state="failed" text={`${text}, expired`} /> : text;
}
