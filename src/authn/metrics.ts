/** Client certificate metrics. */
import { histogram } from '../std/index.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

export const certificateExpiration = histogram(
  'apiserver_client_certificate_expiration_seconds',
  'How long the certificates that clients prove are still valid.',
  [
    0,
    HOUR / 2,
    2 * HOUR,
    6 * HOUR,
    12 * HOUR,
    DAY,
    2 * DAY,
    4 * DAY,
    7 * DAY,
    30 * DAY,
    90 * DAY,
    180 * DAY,
    360 * DAY,
  ],
);
